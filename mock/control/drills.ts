import type { Account } from '../account.ts';
import { TO_BE_REFUSED } from '../faults/drill.ts';
import { Drills, type DrillView } from '../faults/drills.ts';
import { ControlError } from './control-error.ts';
import type { NewDrill } from './generated/types.ts';
import { taken } from './standing.ts';

/** Sets a drill for the next deliveries. */
export function setDrill(account: Account, wanted: NewDrill): DrillView {
  const { drill, topic = null, webhookId = null, next = 1, milliseconds = 0 } = wanted;
  if (drill === 'delay' && milliseconds === 0) throw new ControlError(400, 'A delay needs milliseconds, from 1.');
  if (drill !== 'delay' && milliseconds !== 0)
    throw new ControlError(400, `milliseconds belong to the drill "delay", not to "${drill}"; leave them out.`);
  const webhook = webhookId === null ? undefined : account.state.webhook(webhookId);
  if (webhookId !== null && !webhook)
    throw new ControlError(404, `The account ${account.id} has no webhook ${webhookId}; GET /api/Webhook/List shows its own.`);
  if (webhook?.token === null && TO_BE_REFUSED.includes(drill))
    throw new ControlError(
      409,
      `The webhook ${webhookId} has no token, so its receiver cannot know a wrong signature; register it with requestHeaderVerificationToken.`,
    );
  account.drills ??= new Drills();
  return account.drills.add({ drill, topic, webhookId, next, milliseconds });
}

/** All that are set, with what became of them. */
export function listDrills({ drills }: Account): DrillView[] {
  return drills?.all() ?? [];
}

/** Takes one away and answers with how it ended; what it kept back is sent. */
export function removeDrill(account: Account, drillId: string): DrillView {
  const removed = taken('drill', drillId, account.id, account.drills);
  account.deliveries.release();
  return removed;
}

/** Takes all away and answers with how each ended. */
export function clearDrills(account: Account): DrillView[] {
  const removed = account.drills?.clear() ?? [];
  account.deliveries.release();
  return removed;
}
