import type { Account } from '../account.ts';
import type { DrillKind } from '../faults/drill.ts';
import { TO_BE_REFUSED } from '../faults/drill.ts';
import { Drills, type DrillView } from '../faults/drills.ts';
import type { Topic } from '../outcome.ts';
import { ControlError } from './control-error.ts';

/** A drill as it is asked for: without topic and webhook it is for all of them, without `next` for one delivery. */
export interface WantedDrill {
  readonly drill: DrillKind;
  readonly topic?: Topic;
  readonly webhookId?: string;
  readonly next?: number;
  readonly milliseconds?: number;
}

/** Sets a drill for the next deliveries. */
export function setDrill(account: Account, wanted: WantedDrill): DrillView {
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
  const removed = account.drills?.remove(drillId);
  if (!removed) {
    const others = listDrills(account).map((each) => each.id);
    const known = others.length === 0 ? 'it has none' : `it has ${others.join(', ')}`;
    throw new ControlError(404, `The account ${account.id} has no drill ${drillId}; ${known}.`);
  }
  account.deliveries.release();
  return removed;
}

/** Takes all away and answers with how each ended. */
export function clearDrills(account: Account): DrillView[] {
  const removed = listDrills(account);
  account.drills = undefined;
  account.deliveries.release();
  return removed;
}
