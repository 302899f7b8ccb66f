import type { Account } from '../account/account.ts';
import { TO_BE_REFUSED } from '../faults/drill.ts';
import { Drills, type DrillView } from '../faults/drills.ts';
import { whyUnheard } from '../outbound/unheard.ts';
import { ControlError } from './control-error.ts';
import type { NewDrill } from './generated/types.ts';
import { taken } from './standing.ts';

/** A drill with what has to happen before it can be made at all; null when nothing has. */
type Shown = DrillView & { readonly waitsFor: string | null };

/** Sets a drill for the next deliveries. */
export function setDrill(account: Account, wanted: NewDrill): Shown {
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
  return shown(account, account.drills.add({ drill, topic, webhookId, next, milliseconds }));
}

/** All that are set, with what became of them. */
export function listDrills(account: Account): Shown[] {
  return (account.drills?.all() ?? []).map((view) => shown(account, view));
}

/** Takes one away and answers with how it ended; what it kept back is sent. */
export function removeDrill(account: Account, drillId: string): Shown {
  const removed = shown(account, taken('drill', drillId, account.id, account.drills));
  account.deliveries.release();
  return removed;
}

/** Takes all away and answers with how each ended. */
export function clearDrills(account: Account): Shown[] {
  const removed = (account.drills?.clear() ?? []).map((view) => shown(account, view));
  account.deliveries.release();
  return removed;
}

function shown(account: Account, view: DrillView): Shown {
  return { ...view, waitsFor: view.left === 0 ? null : wantOf(account, view) };
}

function wantOf({ state, settings }: Account, { drill, webhookId }: DrillView): string | null {
  if (!settings.subscriptionActive) return 'An active subscription: without one, nothing is delivered.';
  const unheard = whyUnheard(state);
  if (unheard) return `A webhook to deliver to: ${unheard.why}. POST /api/Webhook/Create registers one.`;
  const webhooks = Array.from(state.webhooks()).filter(({ id, enabled }) => enabled && (webhookId ?? id) === id);
  if (webhooks.length === 0) return `The webhook ${webhookId}, which is disabled or deleted.`;
  if (TO_BE_REFUSED.includes(drill) && webhooks.every(({ token }) => token === null))
    return 'A webhook with a token, since no receiver can know a wrong signature without; register one with requestHeaderVerificationToken.';
  return null;
}
