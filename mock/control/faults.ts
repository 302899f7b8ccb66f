import { Faults } from '../faults/faults.ts';
import { type DeliveryRule, needsToken, objectionTo, ruleFrom } from '../faults/rules.ts';
import type { Body, PathValues } from './operation-types.ts';
import { ControlError, type ControlledAccount, type InAccount, missing } from './resources.ts';

export function setFault({ account, body }: InAccount & Body<'setFault'>) {
  const objection = objectionTo(body);
  if (objection !== undefined) throw new ControlError(400, objection);
  const rule = ruleFrom(body);
  if (rule.on === 'delivery') checkWebhook(account, rule);
  account.faults ??= new Faults(account.origin.seed, account.id);
  account.persist('progress', '', null);
  return account.faults.add(rule);
}

function checkWebhook({ id, state }: ControlledAccount, { fault, webhookId }: DeliveryRule): void {
  if (webhookId === null) return;
  const webhook = state.webhook(webhookId);
  if (!webhook)
    throw new ControlError(404, `The account ${id} has no webhook ${webhookId}; GET /api/Webhook/List lists all webhooks.`);
  if (webhook.token === null && needsToken(fault))
    throw new ControlError(
      409,
      `The webhook ${webhookId} has no token, so its receiver cannot check signatures; register a webhook with requestHeaderVerificationToken.`,
    );
}

export function listFaults({ account }: InAccount) {
  return account.faults?.all() ?? [];
}

export function removeFault({ account, path: { fault } }: InAccount & PathValues<'removeFault'>) {
  const [removed] = account.faults?.remove(fault) ?? [];
  account.persist('progress', '', null);
  const ids = listFaults({ account }).map(({ id }) => id);
  return removed ?? missing(`The account ${account.id} has no fault ${fault}.`, ids);
}

export function clearFaults({ account }: InAccount) {
  account.persist('progress', '', null);
  return account.faults?.remove() ?? [];
}
