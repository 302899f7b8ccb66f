import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted, hasStatus } from '../core/expect.ts';
import { taken } from '../core/form.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { byCode, byId } from '../scenarios/adjustments.ts';
import { voidByCode } from '../scenarios/card-requests.ts';
import { card, create } from '../scenarios/cards.ts';
import { event, happened, recipient, usingUp } from '../scenarios/events.ts';
import { purse } from '../scenarios/shared-cards.ts';

/** A refusal without the values that it names, so that two refusals for one reason are the same. */
function reasonOf({ status, body }: Answer, ...values: (string | number)[]): string {
  const named = values.reduce<string>((text, value) => text.replaceAll(String(value), '…'), body);
  return `${status} ${named.replace(/\d+([.,]\d+)?/g, '0')}`;
}

/** Which of two refusals a third is like; they have to differ, and nothing is read out of their words. */
function like<const R extends string>(reason: string, ...named: readonly [R, string][]): R | SomethingElse {
  if (new Set(named.map(([, each]) => each)).size < named.length) return somethingElse('says the same of either');
  return named.find(([, each]) => each === reason)?.[0] ?? somethingElse('says something of its own');
}

probe('idempotency.create.repeat-with-taken-code', {}, async (t) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  const { code } = await card(t, { uniqueId });
  const refused = async (fields: { code?: string; uniqueId?: string }) => {
    const { answer, code: asked } = await create(t, fields);
    return reasonOf(answer, asked, uniqueId);
  };
  const [byUniqueId, byItsCode] = [await refused({ uniqueId }), await refused({ code })];
  return like(await refused({ code, uniqueId }), ['unique-id', byUniqueId], ['code', byItsCode]);
});

probe('idempotency.adjustment.repeat-that-would-overdraw', {}, async (t) => {
  const on = await card(t);
  const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await t.control('the redemption for the first time', async () => accepted(await byId(t, on, -0.75, used), 'it'));
  const refused = async (amount: number, fields: Partial<typeof used>) =>
    reasonOf(await byId(t, on, amount, fields), on.code, on.id, used.uniqueAdjustmentId);
  const [repeated, overdrawn] = [await refused(0.25, used), await refused(-0.75, {})];
  return like(await refused(-0.75, used), ['unique-id', repeated], ['balance', overdrawn]);
});

probe('idempotency.create.after-void', {}, async (t) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  const { code } = await card(t, { uniqueId });
  arranged(await voidByCode(t, code), 'voiding the card');
  return taken((await create(t, { uniqueId })).answer, 'still-used', 'free');
});

probe('idempotency.value-spaces', {}, async (t) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  const on = await card(t, { uniqueId });
  return taken(await byCode(t, on, 0.25, { uniqueAdjustmentId: uniqueId }), 'shared', 'separate');
});

probe('idempotency.refused-request', {}, async (t: Trial) => {
  const on = await purse(t);
  const value = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await t.control('an adjustment of no card is refused', async () =>
    hasStatus(await byCode(t, { code: t.run.ledger.fresh('GCSNONE'), id: 0 }, 0.25, value), 404, 'it'),
  );
  return taken(await byCode(t, on, 0.25, value), 'used-up', 'stays-free');
});

probe('idempotency.automation.skipped-run', { needs: ['usedUpAutomationEvent'] }, async (t, { usedUpAutomationEvent: name }) => {
  await usingUp(t, name);
  const fields = { event_name: name, amount: 1, idempotency_key: t.run.ledger.unique('GCS-K'), recipient_email: recipient(t) };
  const [first, second] = [await event(t, fields), await event(t, fields)].map(({ statuses }) => statuses[0]);
  if (first !== 'SkippedUsageLimit') throw new Untested('fixture-missing', `the automation that is used up tells ${first}`);
  if (second === 'SkippedIdempotent') return 'yes';
  return second === 'SkippedUsageLimit' ? 'no' : somethingElse(`tells ${second}`);
});

probe('idempotency.automation.other-recipient', { needs: ['automationEvent'] }, async (t, { automationEvent: { name } }) => {
  const { key } = await happened(t, { name, amount: 0 });
  const { statuses } = await event(t, { event_name: name, amount: 1, idempotency_key: key });
  if (statuses.every((status) => status === 'SkippedIdempotent')) return 'yes';
  return statuses.every((status) => status === 'Created') ? 'no' : somethingElse(`tells ${statuses.join(', ')}`);
});
