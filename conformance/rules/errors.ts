import {
  describeResponse,
  expectMessage,
  expectRejection,
  expectSame,
  expectStatus,
  expectThat,
  isSuccess,
} from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import type { TargetRequest } from '../safety/effects.ts';
import {
  adjustableCard,
  adjustByCode,
  adjustById,
  oddAdjustment,
  takenCode,
  topUp,
  withoutActionedAt,
} from '../scenarios/adjustments.ts';
import { pathsChangedBy } from '../scenarios/card-views.ts';
import { createCard, tryCreate } from '../scenarios/cards.ts';
import { controlAccepts, ifAllowed } from '../scenarios/controls.ts';
import { farExpiry, mutableCard, mutableCreate, notifiedFields } from '../scenarios/shared-cards.ts';
import { registration } from '../scenarios/webhooks.ts';

rule('errors.rejection-is-400-plain-text', {}, async (t) => {
  const { voucherCode } = t.run.profile;
  if (voucherCode === undefined) t.doesNotCheck('an adjustment of a voucher, because the profile has no voucherCode');
  const on = await mutableCard(t);
  const first = await mutableCreate(t);
  await controlAccepts(t, 'the same create with an unused code', first.response);
  const gift = { ...notifiedFields, disableEmails: true, sendAsGift: true };
  const rejections = [
    (await takenCode(t)).response,
    await withoutActionedAt(t),
    (await tryCreate(t, { uniqueId: first.fields.uniqueId })).response,
    (await tryCreate(t, { ...gift, buyerName: undefined })).response,
    await adjustByCode(t, on, 0.25, { uniqueAdjustmentId: undefined }),
    ...(voucherCode === undefined ? [] : [await adjustByCode(t, { ...on, code: voucherCode }, -0.25)]),
  ];
  // The rule about a reason reports an accepted request.
  for (const response of rejections.filter((each) => !isSuccess(each))) {
    expectStatus(response, 400, 'a rejected request');
    expectMessage(response, 'a rejected request');
    expectThat(!/json|html|xml/i.test(response.contentType), 'a content type of plain text', response.contentType);
  }
});

async function changesByRejections(t: Trial): Promise<string[]> {
  const on = await createCard(t, { balance: 1, notes: 'as created', customField1: 'as created' });
  const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await controlAccepts(t, 'a valid adjustment', adjustByCode(t, on, 0.25, used));
  return pathsChangedBy(t, on.code, async () => {
    const others = { recipientName: 'As Refused', buyerName: 'As Refused', expiresAtUtc: farExpiry(15) };
    const rejections = [
      await adjustByCode(t, on, 0.25, used),
      await adjustByCode(t, on, 0.25, { actionedAtUtc: undefined }),
      await adjustByCode(t, on, 0.25, { uniqueAdjustmentId: undefined }),
      await adjustById(t, on, -9),
      (await tryCreate(t, { ...others, code: on.code, notes: 'as refused', customField1: 'as refused' })).response,
    ];
    // The rule about the request reports that the target accepts it.
    for (const response of rejections) {
      if (isSuccess(response)) throw new Blocked(`an invalid request returned ${describeResponse(response)}`);
      expectRejection(response, 'an invalid request');
    }
  });
}

rule('errors.refusal-changes-nothing', {}, async (t) => {
  t.doesNotCheck('emails, deliveries and channels, which responses do not show');
  const first = await changesByRejections(t);
  // Changes that do not happen again may be background work of the target.
  const changed = first.length > 0 ? await changesByRejections(t) : first;
  expectSame(changed, [], 'changes of the card and its history by five rejected requests');
});

const bodies = ['{', '[]', 'null', '7', '"text"', '{"adjustmentAmount":}', '\u0000', '{"a":'.repeat(500)];
const values = {
  adjustmentAmount: ['many', {}, [1]],
  actionedAtUtc: ['soon', '2026-02-30T25:61:61Z', 5],
  giftCardCode: [{}, null],
  uniqueAdjustmentId: [{ a: 1 }],
  notes: [[[]]],
};
const queries = [
  ...['pageSize=many', 'pageSize=-1', 'pageSize=1e99', 'pageNumber=-1', 'pageNumber=99999999999999999999'],
  ...['since=soon', 'includeAll=perhaps', '%', '=&&='],
];
const codes = ['%', '%zz', '%00', '%E2%82', '..%2f..%2fetc', 'x'.repeat(3_000)];
/** Bodies of malformed create requests. In JSON, NaN becomes null. */
const creates = [{ balance: Number.NaN }, { expiresAtUtc: 'soon' }, { recipientEmailAddress: 7 }, { customField1: {} }];

rule('errors.malformed-input-is-no-server-fault', {}, async (t) => {
  const on = await adjustableCard(t);
  const check = (response: TargetResponse) =>
    expectThat(response.status < 500, 'a status below 500 for malformed input', describeResponse(response));
  const send = (what: string, request: TargetRequest) => t.send(what, { ...request, odd: true });
  for (const text of bodies) check(await oddAdjustment(t, 'a malformed body', { text }));
  for (const [field, malformed] of Object.entries(values))
    for (const value of malformed)
      check(await oddAdjustment(t, `a malformed ${field}`, { body: { ...(await topUp(t, on)), [field]: value } }));
  for (const query of queries)
    check(await send('list with a malformed query', { method: 'GET', path: `/api/GiftCard/List?${query}` }));
  for (const code of codes)
    check(await send('look up a malformed code', { method: 'GET', path: `/api/GiftCard/GetByCode/${code}` }));
  for (const fields of creates) check((await tryCreate(t, fields)).response);
  const request = registration(t);
  const webhook = await ifAllowed(t, 'a malformed webhook', () =>
    send('register a malformed webhook', { ...request, text: '"text"' }),
  );
  if (webhook) t.run.ledger.recordResponse(request.entry, webhook);
  const event = { method: 'POST', path: '/api/AutomationTriggerEvents', text: '[]' } as const;
  const sentEvent = await ifAllowed(t, 'a malformed event', () => send('send an event that is an array', event));
  for (const response of [webhook, sentEvent]) if (response) check(response);
});
