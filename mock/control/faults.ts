import { Faults, type FaultView } from '../faults/faults.ts';
import { type DeliveryRule, type FaultRule, needsToken, objectionTo, ruleFrom } from '../faults/rules.ts';
import { noReceiver } from '../outbound/suppressed.ts';
import type { NewFault } from './generated/types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';

/** A fault with what must happen before it can strike; null when nothing must. */
type FaultWithNeeds = FaultView & { readonly waitsFor: string | null };

/** Sets a fault after those that are set already. */
export function setFault(account: ControlledAccount, wanted: NewFault): FaultWithNeeds {
  const objection = objectionTo(wanted);
  if (objection !== undefined) throw new ControlError(400, objection);
  const rule = ruleFrom(wanted);
  if (rule.on === 'delivery') checkWebhook(account, rule);
  account.faults ??= new Faults(account.seed, account.id);
  return withNeeds(account, account.faults.add(rule));
}

function checkWebhook({ id, state }: ControlledAccount, { fault, webhookId }: DeliveryRule): void {
  if (webhookId === null) return;
  const webhook = state.webhook(webhookId);
  if (!webhook)
    throw new ControlError(404, `The account ${id} has no webhook ${webhookId}; GET /api/Webhook/List shows its own.`);
  if (webhook.token === null && needsToken(fault))
    throw new ControlError(
      409,
      `The webhook ${webhookId} has no token, so its receiver cannot check signatures; register it with requestHeaderVerificationToken.`,
    );
}

/** All that are set, with what they did and how the client or receiver handled it. */
export function listFaults(account: ControlledAccount): FaultWithNeeds[] {
  return (account.faults?.all() ?? []).map((view) => withNeeds(account, view));
}

/** Removes a fault and returns its last view. */
export function removeFault(account: ControlledAccount, faultId: string): FaultWithNeeds {
  const [removed] = account.faults?.remove(faultId) ?? [];
  if (removed) return withNeeds(account, removed);
  const ids = account.faults?.all().map(({ id }) => id) ?? [];
  const others = ids.length === 0 ? 'It has none.' : `It has ${ids.join(', ')}.`;
  throw new ControlError(404, `The account ${account.id} has no fault ${faultId}. ${others}`);
}

/** Removes all and returns their last views; one that never struck has the verdict `unused`. */
export function clearFaults(account: ControlledAccount): FaultWithNeeds[] {
  return (account.faults?.remove() ?? []).map((view) => withNeeds(account, view));
}

function withNeeds(account: ControlledAccount, view: FaultView): FaultWithNeeds {
  return { ...view, waitsFor: neededBy(account, view) };
}

function neededBy(account: ControlledAccount, rule: FaultRule): string | null {
  if (rule.on === 'request') return null;
  const reason = noReceiver(account);
  if (reason) return `A webhook to deliver to: ${reason.why}.`;
  const { fault, webhookId } = rule;
  const webhooks = Array.from(account.state.webhooks()).filter(({ id, enabled }) => enabled && (webhookId ?? id) === id);
  if (webhooks.length === 0) return `The webhook ${webhookId}, which is disabled or deleted.`;
  if (needsToken(fault) && webhooks.every(({ token }) => token === null))
    return 'A webhook with a token, since a receiver cannot check signatures without; register one with requestHeaderVerificationToken.';
  return null;
}
