import { byCode, byId, history } from '../arrange/adjustments.ts';
import { adjustable, adjustment, topUp } from '../arrange/bodies.ts';
import { card, create, getByCode, purse, repeatedCard, repeatedCreate } from '../arrange/cards.ts';
import { atRest } from '../arrange/rest.ts';
import { registration } from '../arrange/webhooks.ts';
import { clause } from '../clause.ts';
import type { Answer, Ask } from '../client.ts';
import { accepted, hasStatus, holds, refused, same, tellsWhy, told } from '../expect.ts';
import { leaves } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';
import { Untested } from '../verdict.ts';

clause('errors.rejection-is-400-plain-text', {}, async (t) => {
  const taken = await repeatedCard(t);
  const on = await purse(t);
  await t.control('the same create with a fresh code', async () => accepted((await repeatedCreate(t)).answer, 'it'));
  const rejections = [
    (await create(t, { balance: 0.5, code: taken.code })).answer,
    await byCode(t, on, 0.25, { actionedAtUtc: undefined }),
  ];
  for (const answer of rejections) {
    hasStatus(answer, 400, 'a rejected request');
    tellsWhy(answer, 'a rejected request');
    holds(!/json|html|xml/i.test(answer.contentType), 'a content type of plain text', answer.contentType);
  }
});

/** All that the card and its history tell, by where it stands. */
async function recordOf(t: Trial, code: string): Promise<Map<string, unknown>> {
  const told = [arranged(await getByCode(t, code), 'the card').json, arranged(await history(t, code), 'its history').json];
  return new Map(leaves(told).map(({ path, value }) => [path, value]));
}

const differing = (one: Map<string, unknown>, other: Map<string, unknown>) =>
  [...new Set([...one.keys(), ...other.keys()])].filter((path) => one.get(path) !== other.get(path));

/** What has changed on a new card, and in its history, after five refused requests. */
async function changedByRefusals(t: Trial): Promise<string[]> {
  const on = await card(t, { balance: 1, notes: 'as created', customField1: 'as created' });
  const used = { uniqueAdjustmentId: t.run.ledger.fresh('GCS-A') };
  await t.control('an adjustment with nothing wrong', async () => accepted(await byCode(t, on, 0.25, used), 'it'));
  // What is done in the background, such as adding the card to channels, is done before.
  const before = await atRest(
    () => recordOf(t, on.code),
    (one, other) => one.size === other.size,
  );
  // What changes by itself, such as a link that is signed anew, is no change of the record.
  const again = await recordOf(t, on.code);
  const refusals = [
    await byCode(t, on, 0.25, used),
    await byCode(t, on, 0.25, { actionedAtUtc: undefined }),
    await byCode(t, on, 0.25, { uniqueAdjustmentId: undefined }),
    await byId(t, on, -9),
    (await create(t, { code: on.code, notes: 'as refused', customField1: 'as refused' })).answer,
  ];
  for (const answer of refusals) refused(answer, 'a request with something wrong');
  const after = await recordOf(t, on.code);
  const byItself = differing(before, again);
  const changed = differing(before, after).filter((path) => !byItself.includes(path));
  if (changed.length === 0) return changed;
  // A clock that shows seconds ticks by itself, too.
  await new Promise((done) => setTimeout(done, 1_100));
  const ticking = differing(after, await recordOf(t, on.code));
  return changed.filter((path) => !ticking.includes(path));
}

clause('errors.refusal-changes-nothing', {}, async (t) => {
  t.notJudged = 'emails, deliveries and channels, which no answer shows';
  let changed = await changedByRefusals(t);
  // Work in the background may come between at any time, so that refusals have done it only if they do it on another card, too.
  if (changed.length > 0) changed = await changedByRefusals(t);
  same(changed, [], 'what has changed on the card and in its history after five refused requests');
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
    t.notJudged = `${t.notJudged === undefined ? '' : `${t.notJudged}; `}${what}, which this run may not send`;
    return [];
  }
}

clause('errors.malformed-input-is-no-server-fault', {}, async (t) => {
  const on = await adjustable(t);
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
