import {
  describeResponse,
  expectAmount,
  expectMessage,
  expectSame,
  expectStatus,
  expectSuccess,
  expectThat,
  isSuccess,
  objectIn,
  statusesOf,
} from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { instantOf, issueTime } from '../http/json-search.ts';
import {
  adjustableCard,
  adjustByCode,
  adjustById,
  adjustFunctions,
  adjustmentTime,
  cardWithBalance,
  mustAdjust,
  takenCode,
  withoutActionedAt,
} from '../scenarios/adjustments.ts';
import { pathsChangedBy } from '../scenarios/card-views.ts';
import { balanceOf, createCard, createdCard, getByCode, type TestCard, tryCreate } from '../scenarios/cards.ts';
import { controlAccepts, controlRejects } from '../scenarios/controls.ts';
import { balanceCard, farExpiry, mutableCard, mutableCreate, plainCard, plainCreate } from '../scenarios/shared-cards.ts';

rule('idempotency.create.unique-id-optional', {}, async (t) => {
  await mutableCard(t);
  for (const attempt of ['first', 'second']) {
    const { code, response } = await tryCreate(t, { uniqueId: undefined });
    expectSuccess(response, `the ${attempt} create without uniqueId`);
    expectSame(objectIn(await getByCode(t, code)).code, code, 'code of the card in a lookup');
  }
});

rule('idempotency.create.refuses-repeat', {}, async (t) => {
  const first = await mutableCreate(t);
  await controlAccepts(t, 'the first create with the uniqueId', first.response);
  await controlAccepts(t, 'the same create with an unused uniqueId', (await balanceCard(t)).response);
  const { uniqueId } = first.fields;
  const repeat = await tryCreate(t, { balance: 1.5, uniqueId });
  expectStatus(repeat.response, 400, 'a create with a used uniqueId');
  givesReason(repeat.response, 'a create with a used uniqueId');
  expectStatus(await getByCode(t, repeat.code), 404, 'the card of the rejected create');
  isOtherMessage(repeat.response, (await takenCode(t)).response, 'a taken code');
  expectStatus((await tryCreate(t, first.fields)).response, 400, 'the identical create again');
  // The uniqueId must stay used after the card changes.
  const original = createdCard(first);
  await mustAdjust(t, original, 0.25);
  const later = await tryCreate(t, { balance: 1.5, uniqueId });
  expectStatus(later.response, 400, 'a create with a used uniqueId, after an adjustment of the card');
  const otherKeys = await keysThatFind(t, original);
  if (otherKeys.length === 0) t.doesNotCheck('a second key of the account: the profile has none (proKey, plusKey …)');
  for (const key of otherKeys)
    expectStatus((await tryCreate(t, { balance: 1.5, uniqueId }, key)).response, 400, 'a used uniqueId with another key');
});

/** Returns keys of the profile that find the card, without the run's key. These keys belong to the run's account, unless the key of another account finds the card, too. */
async function keysThatFind(t: Trial, { code }: TestCard): Promise<string[]> {
  const { proKey, plusKey, enterpriseKey, secondKey } = t.run.profile;
  if (secondKey !== undefined && isSuccess(await getByCode(t, code, secondKey))) return [];
  const found: string[] = [];
  for (const key of new Set([proKey, plusKey, enterpriseKey]))
    if (key !== undefined && key !== t.run.target.key && (await getByCode(t, code, key)).status === 200) found.push(key);
  return found;
}

const emptyWord = /^(an?|the|is|was|400|bad|invalid|malformed|rejected|refused|failed|errors?|request|input|data)$/i;

/** Checks that the message of a rejected repeat gives a reason. The wording is open, so every message with another word passes. */
function givesReason(repeat: TargetResponse, what: string): void {
  expectMessage(repeat, what);
  const hasReason = repeat.body.match(/[\p{L}\p{N}]+/gu)?.some((word) => !emptyWord.test(word)) === true;
  expectThat(hasReason, `${what} refused with a message that gives the reason`, describeResponse(repeat));
}

function isOtherMessage(repeat: TargetResponse, other: TargetResponse, what: string): void {
  const differs = other.status !== 400 || other.body !== repeat.body;
  expectThat(differs, `another message than for ${what}`, describeResponse(repeat));
}

rule('idempotency.create.checked-per-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  await createCard(t, { uniqueId });
  await controlRejects(t, 'the uniqueId on the first account', (await tryCreate(t, { uniqueId })).response);
  await createCard(t, {}, secondKey);
  const other = await tryCreate(t, { uniqueId }, secondKey);
  expectSame(objectIn(other.response, 'a create with that uniqueId on another account').code, other.code, 'code');
  expectStatus((await tryCreate(t, { uniqueId }, secondKey)).response, 400, 'the uniqueId on the other account again');
});

type Send = (fields: { uniqueAdjustmentId?: string }) => Promise<TargetResponse>;

/** Sends a second adjustment with the unique value of the first. Checks that the second adjustment is rejected and does not change the balance. Returns the rejection. */
async function rejectsUsedValue(t: Trial, first: Send, second: Send, { code }: TestCard): Promise<TargetResponse> {
  const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await controlAccepts(t, 'the first adjustment with the value', first(used));
  // A wrong target may remember only the last value, so another adjustment comes in between.
  await controlAccepts(t, 'the second adjustment with an unused value', second({}));
  const before = await balanceOf(t, code);
  const repeat = await second(used);
  expectStatus(repeat, 400, 'an adjustment with a used uniqueAdjustmentId');
  expectAmount(await balanceOf(t, code), before, 'balance');
  return repeat;
}

rule('idempotency.adjustment.refuses-repeat', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t))
    for (const amount of t.mustLeaveOut('repeated top-ups') ? [-0.1] : [0.25, -0.1]) {
      const actionedAtUtc = await adjustmentTime(t);
      const send: Send = (fields) => adjust(t, on, amount, { actionedAtUtc, ...fields });
      const repeat = await rejectsUsedValue(t, send, send, on);
      givesReason(repeat, 'the same adjustment again');
      isOtherMessage(repeat, await withoutActionedAt(t), 'a missing actionedAtUtc');
    }
});

rule('idempotency.adjustment.repeat-with-other-content-refused', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    const first: Send = (fields) => adjust(t, on, 0.25, fields);
    await rejectsUsedValue(t, first, (fields) => adjust(t, on, -0.15, fields), on);
    await rejectsUsedValue(t, first, (fields) => adjust(t, on, 0.25, { ...fields, notes: 'other notes' }), on);
  }
});

rule('idempotency.adjustment.repeat-on-other-card-refused', {}, async (t) => {
  const [on, other] = [await mutableCard(t), await cardWithBalance(t, 1)];
  for (const adjust of await adjustFunctions(t)) {
    const first: Send = (fields) => adjust(t, on, 0.25, fields);
    await rejectsUsedValue(t, first, (fields) => adjust(t, other, 0.25, fields), other);
  }
});

rule('idempotency.adjustment.repeat-by-other-endpoint-refused', {}, async (t) => {
  const on = await mutableCard(t);
  const sendByCode: Send = (fields) => adjustByCode(t, on, 0.25, fields);
  const sendById: Send = (fields) => adjustById(t, on, 0.25, fields);
  await rejectsUsedValue(t, sendByCode, sendById, on);
  await rejectsUsedValue(t, sendById, sendByCode, on);
});

rule('idempotency.adjustment.checked-per-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const [on, other] = [await mutableCard(t), await createCard(t, {}, secondKey)];
  const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A') };
  await controlAccepts(t, 'the first adjustment with the value', adjustByCode(t, on, 0.25, used));
  await controlRejects(t, 'the value on the first account', adjustByCode(t, on, 0.25, used));
  // The run has advanced only the clock of its own account. So actionedAtUtc is the time when the other card was issued.
  const issued = instantOf(issueTime(other.response.json)) ?? Date.now();
  const there = { ...used, actionedAtUtc: new Date(issued).toISOString() };
  expectSuccess(await adjustByCode(t, other, 0.25, there, secondKey), 'a uniqueAdjustmentId that another account has used');
  expectStatus(await adjustByCode(t, other, 0.25, there, secondKey), 400, 'the same adjustment on the other account again');
  expectAmount(objectIn(await getByCode(t, other.code, secondKey)).balance, 1.25, 'balance on the other account');
});

rule('idempotency.create.original-unchanged', {}, async (t) => {
  const { uniqueId } = (await plainCreate(t)).fields;
  // A wrong target may change the card only at the first repeat, so no other test may repeat the create of this card.
  const { code } = await plainCard(t);
  const texts = { recipientName: 'As Refused', buyerName: 'As Refused', notes: 'as refused', customField1: 'as refused' };
  const repeat = { ...texts, balance: 1.25, expiresAtUtc: farExpiry(14), uniqueId };
  const changed = await pathsChangedBy(t, code, async () =>
    controlRejects(t, 'the repeat', (await tryCreate(t, repeat)).response),
  );
  expectSame(changed, [], 'changes of the card and its history by a rejected repeat');
});

rule('idempotency.create.parallel-makes-one', {}, async (t) => {
  await mutableCard(t);
  const uniqueId = t.run.ledger.unique('GCS-U');
  const creates = await Promise.all(Array.from({ length: 4 }, () => tryCreate(t, { uniqueId })));
  const statuses = statusesOf(creates.map(({ response }) => response));
  expectSame(statuses, [200, 400, 400, 400], 'statuses of four parallel creates with one uniqueId');
  const found = await Promise.all(creates.map(({ code }) => getByCode(t, code)));
  expectSame(statusesOf(found), [200, 404, 404, 404], 'statuses of lookups of the four cards');
});

rule('idempotency.adjustment.parallel-counts-once', {}, async (t) => {
  await adjustableCard(t);
  const on = await createCard(t);
  for (const [index, adjust] of (await adjustFunctions(t)).entries()) {
    const used = { uniqueAdjustmentId: t.run.ledger.unique('GCS-A'), actionedAtUtc: await adjustmentTime(t) };
    const responses = await Promise.all(Array.from({ length: 4 }, () => adjust(t, on, 0.25, used)));
    expectSame(statusesOf(responses), [200, 400, 400, 400], 'statuses of four parallel adjustments with one uniqueAdjustmentId');
    expectAmount(await balanceOf(t, on.code), 1.25 + 0.25 * index, 'balance');
  }
});
