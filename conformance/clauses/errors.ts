import { clause } from '../core/clause.ts';
import { accepted, hasStatus, holds, refused, same, tellsWhy, told } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { byCode, byId } from '../scenarios/adjustments.ts';
import { changesBy } from '../scenarios/card-views.ts';
import { card, create, getByCode } from '../scenarios/cards.ts';
import { adjustableCard, adjustment, takenCode, topUp, withoutActionedAt } from '../scenarios/rejections.ts';
import { farExpiry, fixture, mutableCard, repeatedCreate } from '../scenarios/shared-cards.ts';
import { registration } from '../scenarios/webhooks.ts';

clause('errors.rejection-is-400-plain-text', {}, async (t) => {
  const { voucherCode } = t.run.profile;
  if (voucherCode === undefined) t.doesNotCheck('an adjustment of a voucher: the profile gives none');
  const on = await mutableCard(t);
  const first = await repeatedCreate(t);
  await t.control('the same create with a fresh code', async () => accepted(first.answer, 'it'));
  const gift = {
    sendAsGift: true,
    shouldSendNotification: true,
    recipientName: 'Conformance Recipient',
    recipientEmailAddress: 'recipient@example.com',
  };
  const rejections = [
    await takenCode(t),
    await withoutActionedAt(t),
    (await create(t, { balance: 0.5, uniqueId: first.asked.uniqueId })).answer,
    (await create(t, { ...gift, balance: 0.5, buyerName: undefined })).answer,
    await byCode(t, on, 0.25, { uniqueAdjustmentId: undefined }),
    ...(voucherCode === undefined ? [] : [await byCode(t, { ...on, code: voucherCode }, -0.25)]),
  ];
  for (const answer of rejections) {
    hasStatus(answer, 400, 'a rejected request');
    tellsWhy(answer, 'a rejected request');
    holds(!/json|html|xml/i.test(answer.contentType), 'a content type of plain text', answer.contentType);
  }
});

/** What has changed on a new card, and in its history, after five refused requests. */
async function changedByRefusals(t: Trial): Promise<string[]> {
  const on = await card(t, { balance: 1, notes: 'as created', customField1: 'as created' });
  const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await t.control('an adjustment with nothing wrong', async () => accepted(await byCode(t, on, 0.25, used), 'it'));
  return changesBy(t, on.code, async () => {
    const wanted = { recipientName: 'As Refused', buyerName: 'As Refused', expiresAtUtc: farExpiry(15) };
    const refusals = [
      await byCode(t, on, 0.25, used),
      await byCode(t, on, 0.25, { actionedAtUtc: undefined }),
      await byCode(t, on, 0.25, { uniqueAdjustmentId: undefined }),
      await byId(t, on, -9),
      (await create(t, { ...wanted, code: on.code, notes: 'as refused', customField1: 'as refused' })).answer,
    ];
    for (const answer of refusals) refused(answer, 'a request with something wrong');
  });
}

clause('errors.refusal-changes-nothing', {}, async (t) => {
  t.doesNotCheck('emails, deliveries and channels, which no answer shows');
  let changed = await changedByRefusals(t);
  // Work in the background may come between at any time, so that refusals have done it only if they do it on another card, too.
  if (changed.length > 0) changed = await changedByRefusals(t);
  same(changed, [], 'what has changed on the card and in its history after five refused requests');
  const { voucherCode } = t.run.profile;
  if (voucherCode === undefined || (await getByCode(t, voucherCode)).status !== 200) {
    t.doesNotCheck('an adjustment of a voucher: the profile gives none that is there');
    return;
  }
  const voucher = await fixture(t, voucherCode);
  const onVoucher = () =>
    changesBy(t, voucherCode, async () => hasStatus(await byCode(t, voucher, -0.15), 400, 'an adjustment of a voucher'));
  let changedThere = await onVoucher();
  if (changedThere.length > 0) changedThere = await onVoucher();
  same(changedThere, [], 'what has changed on the voucher and in its history after a refused adjustment');
});

const texts = ['{', '[]', 'null', '7', '"text"', '{"adjustmentAmount":}', '\u0000', '{"a":'.repeat(500)];
const values: Record<string, unknown>[] = [
  { adjustmentAmount: 'many' },
  { adjustmentAmount: {} },
  { adjustmentAmount: [1] },
  { actionedAtUtc: 'soon' },
  { actionedAtUtc: '2026-02-30T25:61:61Z' },
  { actionedAtUtc: 5 },
  { giftCardCode: {} },
  { giftCardCode: null },
  { uniqueAdjustmentId: { a: 1 } },
  { notes: [[]] },
];
const queries = [
  'pageSize=many',
  'pageSize=-1',
  'pageSize=1e99',
  'pageNumber=-1',
  'pageNumber=99999999999999999999',
  'since=soon',
  'includeAll=perhaps',
  '%',
  '=&&=',
];
const paths = ['%', '%zz', '%00', '%E2%82', '..%2f..%2fetc', 'x'.repeat(3_000)];

/** Malformed requests for endpoints that a run may not be allowed to use. */
async function whereAllowed(t: Trial, what: string, sent: () => Promise<Answer>): Promise<Answer[]> {
  try {
    return [await sent()];
  } catch (error) {
    if (!(error instanceof Untested) || !/^(mode|not-allowed)/.test(error.reason)) throw error;
    t.doesNotCheck(`${what}, which this run may not send`);
    return [];
  }
}

clause('errors.malformed-input-is-no-server-fault', {}, async (t) => {
  const on = await adjustableCard(t);
  const odd = (what: string, ask: Ask) => t.send(what, { ...ask, odd: true });
  const seen: Answer[] = [];
  for (const text of texts) seen.push(await odd('adjust with a body of no use', { ...adjustment, text }));
  for (const value of values)
    seen.push(await odd('adjust with a value of no use', { ...adjustment, body: { ...topUp(t, on), ...value } }));
  for (const query of queries)
    seen.push(await odd('list with a query of no use', { method: 'GET', path: `/api/GiftCard/List?${query}` }));
  for (const path of paths)
    seen.push(await odd('look up a code of no use', { method: 'GET', path: `/api/GiftCard/GetByCode/${path}` }));
  // JSON has no NaN: what is sent is null.
  for (const fields of [{ balance: Number.NaN }, { expiresAtUtc: 'soon' }, { recipientEmailAddress: 7 }, { customField1: {} }])
    seen.push((await create(t, fields)).answer);
  const { ask, entry } = registration(t);
  const webhook = await whereAllowed(t, 'webhooks', () =>
    odd('register a webhook with a text for a body', { ...ask, text: '"text"' }),
  );
  for (const answer of webhook) t.run.ledger.settle(entry, answer);
  const event = await whereAllowed(t, 'events', () =>
    odd('send an event that is an array', { method: 'POST', path: '/api/AutomationTriggerEvents', text: '[]' }),
  );
  for (const answer of [...seen, ...webhook, ...event])
    holds(answer.status < 500, 'malformed input answered below 500', told(answer));
});
