import { expectRejection } from '../core/expect.ts';
import { probe, type Unlisted, unlisted } from '../core/rule.ts';
import { mustSucceed } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { adjustByCode, adjustById, adjustFunctions } from '../scenarios/adjustments.ts';
import { balanceOf, createCard, tryCreate, voidByCode } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { mutableCard } from '../scenarios/shared-cards.ts';
import { rejectedOr } from './responses.ts';

/** Returns the status and message of a rejection, without the values of the request. So two rejections for the same reason give equal texts. */
function reasonOf({ status, body }: TargetResponse, ...values: (string | number)[]): string {
  const text = values.reduce<string>((rest, value) => rest.replaceAll(String(value), '…'), body);
  return `${status} ${text.replace(/\d+([.,]\d+)?/g, '0')}`;
}

function sameReason<const R extends string>(reason: string, ...options: readonly [R, string][]): R | Unlisted {
  if (new Set(options.map(([, each]) => each)).size < options.length)
    return unlisted('rejects both mistakes with the same message');
  return options.find(([, each]) => each === reason)?.[0] ?? unlisted('rejects the repeat with another message');
}

probe('idempotency.create.repeat-with-taken-code', {}, async (t) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  const { code } = await createCard(t, { uniqueId });
  const rejection = async (fields: { code?: string; uniqueId?: string }) => {
    const { response, code: sentCode } = await tryCreate(t, fields);
    return reasonOf(response, sentCode, uniqueId);
  };
  const [ofUniqueId, ofCode] = [await rejection({ uniqueId }), await rejection({ code })];
  return sameReason(await rejection({ code, uniqueId }), ['unique-id', ofUniqueId], ['code', ofCode]);
});

probe('idempotency.adjustment.repeat-that-would-overdraw', {}, async (t) => {
  const on = await createCard(t);
  const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await controlAccepts(t, 'the first redemption', adjustById(t, on, -0.75, used));
  const rejection = async (amount: number, fields: Partial<typeof used>) =>
    reasonOf(await adjustById(t, on, amount, fields), on.code, on.id, used.uniqueAdjustmentId);
  const [ofRepeat, ofOverdraw] = [await rejection(0.25, used), await rejection(-0.75, {})];
  return sameReason(await rejection(-0.75, used), ['unique-id', ofRepeat], ['balance', ofOverdraw]);
});

probe('idempotency.create.after-void', {}, async (t) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  const { code } = await createCard(t, { uniqueId });
  mustSucceed(await voidByCode(t, code), 'voiding the card');
  return rejectedOr((await tryCreate(t, { uniqueId })).response, 'still-used', 'free');
});

probe('idempotency.value-spaces', {}, async (t) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  const on = await createCard(t, { uniqueId });
  return rejectedOr(await adjustByCode(t, on, 0.25, { uniqueAdjustmentId: uniqueId }), 'shared', 'separate');
});

probe('idempotency.refused-request', {}, async (t) => {
  const on = await mutableCard(t);
  const unknown = { code: t.run.ledger.fresh('GCSNONE'), id: 0 };
  const tooMuch = -0.5 - (await balanceOf(t, on.code));
  const retries: TargetResponse[] = [];
  for (const adjust of await adjustFunctions(t)) {
    const value = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
    const first = () => (adjust === adjustByCode ? adjustByCode(t, unknown, 0.25, value) : adjustById(t, on, tooMuch, value));
    await t.control('the first adjustment is rejected', async () => expectRejection(await first(), 'the adjustment'));
    retries.push(await adjustByCode(t, on, 0.25, value));
  }
  const [ofUnknown, ofOverdraw] = retries as [TargetResponse, TargetResponse?];
  if (ofOverdraw === undefined || ofOverdraw.status === ofUnknown.status) return rejectedOr(ofUnknown, 'used-up', 'stays-free');
  return unlisted(`returns ${ofUnknown.status} after an unknown card, and ${ofOverdraw.status} after an overdraw by ID`);
});
