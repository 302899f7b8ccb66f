import { clause } from '../core/clause.ts';
import { targetNow } from '../core/clock.ts';
import {
  describeAnswer,
  expectAmount,
  expectMessage,
  expectSame,
  expectStatus,
  expectSuccess,
  expectThat,
  objectIn,
} from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import type { Answer } from '../http/exchange.ts';
import { instantOf, issueTime } from '../http/json-search.ts';
import {
  adjustFunctions,
  adjustmentTime,
  byCode,
  byId,
  cardWithBalance,
  takenCode,
  withoutActionedAt,
} from '../scenarios/adjustments.ts';
import { changesBy } from '../scenarios/card-views.ts';
import { balanceOf, card, cardOf, create, createWithoutCode, getByCode } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { farExpiry, mutableCard, plainCreate, repeatedCard, repeatedCreate } from '../scenarios/shared-cards.ts';

const uniqueAdjustment = (t: Trial) => ({ uniqueAdjustmentId: t.run.ledger.unique('GCS-A') });

/** Two values of forty characters that differ in the last one. */
function twoSimilarValues(t: Trial, prefix: string): [string, string] {
  const beginning = t.run.ledger.fresh(prefix).padEnd(39, '-');
  return [`${beginning}1`, `${beginning}2`];
}

clause('idempotency.create.unique-id-optional', {}, async (t) => {
  for (const attempt of ['first', 'second']) {
    const { code, answer } = await create(t, { uniqueId: undefined });
    expectSuccess(answer, `the ${attempt} create without uniqueId`);
    expectSame(objectIn(await getByCode(t, code)).code, code, 'code of the card, looked up');
  }
});

clause('idempotency.create.refuses-repeat', {}, async (t) => {
  t.doesNotCheck('the wording of the message');
  const first = await repeatedCreate(t);
  await controlAccepts(t, 'the first create with the uniqueId', first.answer);
  await controlAccepts(t, 'the same create with an unused uniqueId', (await mutableCard(t)).answer);
  const { uniqueId } = first.fields;
  const repeat = await create(t, { balance: 0.5, uniqueId });
  expectStatus(repeat.answer, 400, 'a create with a used uniqueId');
  expectMessage(repeat.answer, 'a create with a used uniqueId');
  expectStatus(await getByCode(t, repeat.code), 404, 'the card of the rejected create');
  const other = await takenCode(t);
  if (other.status === 400)
    expectThat(other.body !== repeat.answer.body, 'another message than for a taken code', describeAnswer(repeat.answer));
  expectStatus((await create(t, first.fields)).answer, 400, 'the identical create again');
  // The uniqueId stays used after the card changed.
  const original = await repeatedCard(t);
  const isAdjusted = (await byCode(t, original, 0.25)).status === 200;
  const later = await createWithoutCode(t, { balance: 0.5, uniqueId });
  if (isAdjusted) await byCode(t, original, -0.25);
  expectStatus(later, 400, 'a create with a used uniqueId and no code, after an adjustment of the card');
});

clause('idempotency.create.checked-per-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const uniqueId = t.run.ledger.unique('GCS-U');
  await card(t, { uniqueId });
  await t.control('the first account rejects the uniqueId now', async () =>
    expectStatus((await create(t, { uniqueId })).answer, 400, 'it'),
  );
  const other = await create(t, { uniqueId }, secondKey);
  expectSame(objectIn(other.answer, 'a create with that uniqueId on another account').code, other.code, 'code');
  expectStatus((await create(t, { uniqueId }, secondKey)).answer, 400, 'the uniqueId on the other account again');
});

clause('idempotency.adjustment.refuses-repeat', {}, async (t) => {
  t.doesNotCheck('the wording of the message');
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t))
    for (const amount of [0.25, -0.1]) {
      const fields = { ...uniqueAdjustment(t), actionedAtUtc: adjustmentTime(t) };
      await controlAccepts(t, 'the first adjustment with the uniqueAdjustmentId', adjust(t, on, amount, fields));
      // In between, because a target may remember only the last value.
      await controlAccepts(
        t,
        'the same adjustment with an unused uniqueAdjustmentId',
        adjust(t, on, amount, { actionedAtUtc: fields.actionedAtUtc }),
      );
      const before = await balanceOf(t, on.code);
      const repeat = await adjust(t, on, amount, fields);
      expectStatus(repeat, 400, 'the same adjustment again');
      expectMessage(repeat, 'the same adjustment again');
      const other = await withoutActionedAt(t);
      if (other.status === 400)
        expectThat(other.body !== repeat.body, 'another message than for a missing actionedAtUtc', describeAnswer(repeat));
      expectAmount(await balanceOf(t, on.code), before, 'balance');
    }
  // The specification does not state a maximum length.
  const [long, similar] = twoSimilarValues(t, 'GCS-A');
  const first = await byCode(t, on, 0.25, { uniqueAdjustmentId: long });
  if (first.status === 200)
    expectSuccess(await byCode(t, on, 0.25, { uniqueAdjustmentId: similar }), 'a value with another last character');
});

clause('idempotency.adjustment.repeat-with-other-content-refused', {}, async (t) => {
  const on = await mutableCard(t);
  const adjusts = await adjustFunctions(t);
  for (const [amount, other] of [
    [0.25, -0.15],
    [-0.15, 0.25],
  ] as const) {
    const used = uniqueAdjustment(t);
    await controlAccepts(t, 'the first adjustment with the value', byCode(t, on, amount, used));
    for (const adjust of adjusts) {
      const before = await balanceOf(t, on.code);
      const otherNotes = { ...used, notes: 'other notes' };
      expectStatus(await adjust(t, on, other, otherNotes), 400, 'another amount with a used uniqueAdjustmentId');
      const earlier = { ...used, actionedAtUtc: new Date(targetNow(t) - 3 * 86_400_000).toISOString() };
      expectStatus(
        await adjust(t, on, amount, earlier),
        400,
        'an actionedAtUtc three days earlier with a used uniqueAdjustmentId',
      );
      expectAmount(await balanceOf(t, on.code), before, 'balance');
    }
  }
});

clause('idempotency.adjustment.repeat-on-other-card-refused', {}, async (t) => {
  const [on, other] = [await mutableCard(t), await cardWithBalance(t, 1)];
  const used = uniqueAdjustment(t);
  await controlAccepts(t, 'the first adjustment with the value', byCode(t, on, 0.25, used));
  for (const adjust of await adjustFunctions(t)) {
    await controlAccepts(t, 'the other card with an unused value', adjust(t, other, 0.25));
    const before = await balanceOf(t, other.code);
    expectStatus(await adjust(t, other, 0.25, used), 400, 'a used uniqueAdjustmentId on another card');
    expectAmount(await balanceOf(t, other.code), before, 'balance of the other card');
  }
});

clause('idempotency.adjustment.repeat-by-other-endpoint-refused', {}, async (t) => {
  const on = await mutableCard(t);
  for (const [first, second] of [
    [byCode, byId],
    [byId, byCode],
  ] as const) {
    const used = uniqueAdjustment(t);
    await controlAccepts(t, 'the first adjustment with the value', first(t, on, 0.25, used));
    const before = await balanceOf(t, on.code);
    expectStatus(await second(t, on, 0.25, used), 400, 'a used uniqueAdjustmentId at the other endpoint');
    expectAmount(await balanceOf(t, on.code), before, 'balance');
  }
});

clause('idempotency.adjustment.checked-per-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const [on, other] = [await mutableCard(t), await card(t, {}, secondKey)];
  const used = uniqueAdjustment(t);
  await controlAccepts(t, 'the first adjustment with the value', byCode(t, on, 0.25, used));
  await t.control('the first account rejects the value now', async () =>
    expectStatus(await byCode(t, on, 0.25, used), 400, 'it'),
  );
  // The clock of the other account need not be the one that the run advanced.
  const issued = instantOf(issueTime(other.answer.json));
  const there = { ...used, ...(issued === undefined ? {} : { actionedAtUtc: new Date(issued).toISOString() }) };
  expectSuccess(await byCode(t, other, 0.25, there, secondKey), 'a uniqueAdjustmentId of one account on another');
  expectStatus(await byCode(t, other, 0.25, there, secondKey), 400, 'the same adjustment on the other account again');
  expectAmount(objectIn(await getByCode(t, other.code, secondKey)).balance, 1.25, 'balance on the other account');
});

clause('idempotency.create.original-unchanged', {}, async (t) => {
  // The first repeat could change the card, so the test uses a card that no other test creates again.
  const plain = await plainCreate(t);
  const made = plain.fields.uniqueId === undefined ? await repeatedCreate(t) : plain;
  const { uniqueId, balance = 0 } = made.fields;
  const original = cardOf(made);
  const other = {
    balance: 0.25,
    recipientName: 'As Refused',
    buyerName: 'As Refused',
    expiresAtUtc: farExpiry(14),
    notes: 'as refused',
    customField1: 'as refused',
  };
  const changed = await changesBy(t, original.code, () =>
    t.control('the repeat is rejected', async () => expectStatus((await create(t, { ...other, uniqueId })).answer, 400, 'it')),
  );
  expectSame(changed, [], 'changes of the card and its history by a rejected repeat');
  const found = objectIn(await getByCode(t, original.code), 'the card of the original request');
  expectSame([found.id, found.status], [original.id, 'Active'], 'ID and status of the card of the original request');
  expectAmount(found.balance, balance, 'its balance');
});

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

clause('idempotency.create.parallel-makes-one', {}, async (t) => {
  // The specification does not state a maximum length.
  const [long, similar] = twoSimilarValues(t, 'GCS-U');
  const acceptsLong = (await create(t, { uniqueId: long })).answer.status === 200;
  if (!acceptsLong) await controlAccepts(t, 'a create with an unused uniqueId', (await create(t)).answer);
  const uniqueId = acceptsLong ? similar : t.run.ledger.unique('GCS-U');
  const creates = await Promise.all(Array.from({ length: 4 }, () => create(t, { uniqueId })));
  const statuses = statusesOf(creates.map(({ answer }) => answer));
  expectSame(statuses, [200, 400, 400, 400], 'statuses of four parallel creates with one uniqueId');
  const found = await Promise.all(creates.map(({ code }) => getByCode(t, code)));
  expectSame(statusesOf(found), [200, 404, 404, 404], 'statuses of looking up the four cards');
});

clause('idempotency.adjustment.parallel-counts-once', {}, async (t) => {
  const on = await card(t);
  const used = { ...uniqueAdjustment(t), actionedAtUtc: adjustmentTime(t) };
  const answers = await Promise.all(Array.from({ length: 4 }, () => byCode(t, on, 0.25, used)));
  expectSame(statusesOf(answers), [200, 400, 400, 400], 'statuses of four parallel adjustments with one uniqueAdjustmentId');
  expectAmount(await balanceOf(t, on.code), 1.25, 'balance');
});
