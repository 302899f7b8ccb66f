import { clause } from '../core/clause.ts';
import { accepted, hasStatus, refused, same, sameAmount } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { unknownIdLike } from '../http/structure.ts';
import {
  type Adjust,
  adjustFunctions,
  byCode,
  byId,
  cardWithBalance,
  mustAdjust,
  redeemedCard,
} from '../scenarios/adjustments.ts';
import { balanceOf, card } from '../scenarios/cards.ts';
import { fixture, mutableCard, plainCard } from '../scenarios/shared-cards.ts';

clause('adjustment.answers-true', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    const answer = await adjust(t, on, 0.25);
    accepted(answer, 'the adjustment');
    same(answer.json, true, 'the answer');
  }
});

clause('adjustment.answers-200', {}, async (t) => {
  const on = await mutableCard(t);
  const before = await balanceOf(t, on.code);
  for (const adjust of await adjustFunctions(t)) hasStatus(await adjust(t, on, 0.25), 200, 'the adjustment');
  await t.control('the adjustments are on the balance', async () => {
    if ((await balanceOf(t, on.code)) === before) sameAmount(before, before + 0.25, 'balance');
  });
});

clause('adjustment.positive-tops-up', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    const before = await balanceOf(t, on.code);
    accepted(await adjust(t, on, 0.57), 'a top-up of 0.57');
    sameAmount(await balanceOf(t, on.code), before + 0.57, 'balance');
  }
});

clause('adjustment.negative-redeems', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    const before = await balanceOf(t, on.code);
    accepted(await adjust(t, on, -0.29), 'a redemption of 0.29');
    sameAmount(await balanceOf(t, on.code), before - 0.29, 'balance');
  }
});

clause('adjustment.is-relative', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    const before = await balanceOf(t, on.code);
    accepted(await adjust(t, on, 0.11), 'a top-up of 0.11');
    accepted(await adjust(t, on, 0.11), 'another top-up of 0.11');
    sameAmount(await balanceOf(t, on.code), before + 0.22, 'balance');
  }
});

/** The adjustment moves the mutableCard, which it names, and neither an older card nor a younger one. */
async function movesOnlyTheNamed(t: Trial, adjust: Adjust): Promise<void> {
  const [older, on, younger] = [await plainCard(t), await mutableCard(t), await redeemedCard(t)];
  const before = await balanceOf(t, on.code);
  const others = [await balanceOf(t, older.code), await balanceOf(t, younger.code)];
  accepted(await adjust(t, on, 0.4), 'the adjustment');
  sameAmount(await balanceOf(t, on.code), before + 0.4, `balance of ${on.name}`);
  same([await balanceOf(t, older.code), await balanceOf(t, younger.code)], others, 'balances of two other cards');
}

clause('adjustment.by-code.names-card-by-code', {}, (t) => movesOnlyTheNamed(t, byCode));

clause('adjustment.by-id.names-card-by-id', {}, (t) => movesOnlyTheNamed(t, byId));

clause('adjustment.by-code.unknown-card-is-404', {}, async (t) => {
  const on = await mutableCard(t);
  await t.control('the same adjustment of a card that exists', async () => accepted(await byCode(t, on, 0.25), 'the adjustment'));
  hasStatus(await byCode(t, { ...on, code: t.run.ledger.fresh('GCSNONE') }, 0.25), 404, 'adjusting a code that no card has');
});

clause('adjustment.by-id.unknown-card-is-404', {}, async (t) => {
  const on = await mutableCard(t);
  await t.control('the same adjustment of a card that exists', async () => accepted(await byId(t, on, 0.25), 'the adjustment'));
  hasStatus(await byId(t, { ...on, id: unknownIdLike(on.id) }, 0.25), 404, 'adjusting an ID that no card has');
});

clause('adjustment.by-code.may-go-negative', {}, async (t) => {
  const on = await cardWithBalance(t, 1);
  accepted(await byCode(t, on, -2.6), 'redeeming 2.60 of 1.00 by code');
  sameAmount(await balanceOf(t, on.code), -1.6, 'balance');
});

clause('adjustment.by-id.refuses-overdraw', {}, async (t) => {
  const on = await cardWithBalance(t, 1);
  t.doesNotCheck('the status of the refusal (open)');
  await t.control('redeeming 0.40 of 1.00 by ID leaves 0.60', async () => {
    accepted(await byId(t, on, -0.4), 'the redemption');
    sameAmount(await balanceOf(t, on.code), 0.6, 'balance');
  });
  refused(await byId(t, on, -1.5), 'redeeming 1.50 of 0.60 by ID');
  refused(await byId(t, on, -0.61, { notes: undefined }), 'redeeming 0.61 of 0.60 by ID, without notes');
  if (t.run.profile.playMoney) refused(await byId(t, on, -5000), 'redeeming 5000.00 of 0.60 by ID');
  sameAmount(await balanceOf(t, on.code), 0.6, 'balance');
  await mustAdjust(t, on, -0.6);
  refused(await byId(t, on, -0.1), 'redeeming 0.10 of nothing by ID');
  sameAmount(await balanceOf(t, on.code), 0, 'balance');
});

clause('adjustment.by-id.takes-whole-balance', {}, async (t) => {
  const on = await cardWithBalance(t, 1.3);
  accepted(await byId(t, on, -1.3), 'redeeming 1.30 of 1.30 by ID');
  sameAmount(await balanceOf(t, on.code), 0, 'balance');
});

clause('adjustment.by-id.refuses-redemption-below-zero', {}, async (t) => {
  const on = await cardWithBalance(t, 1);
  t.doesNotCheck('the status of the refusal (open)');
  await t.control('redeeming 0.10 of 1.00 by ID', async () => accepted(await byId(t, on, -0.1), 'the redemption'));
  await mustAdjust(t, on, -1.2);
  refused(await byId(t, on, -0.1), 'redeeming 0.10 of -0.30 by ID');
  sameAmount(await balanceOf(t, on.code), -0.3, 'balance');
});

clause('adjustment.by-id.tops-up-below-zero', {}, async (t) => {
  const on = await cardWithBalance(t, 1);
  await mustAdjust(t, on, -1.5);
  accepted(await byId(t, on, 0.2), 'a top-up by ID on a balance of -0.50');
  sameAmount(await balanceOf(t, on.code), -0.3, 'balance');
});

clause('adjustment.requires-actioned-at', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    await t.control('the same adjustment with actionedAtUtc', async () => accepted(await adjust(t, on, 0.25), 'it'));
    const before = await balanceOf(t, on.code);
    hasStatus(await adjust(t, on, 0.25, { actionedAtUtc: undefined }), 400, 'an adjustment without actionedAtUtc');
    sameAmount(await balanceOf(t, on.code), before, 'balance');
  }
});

clause('adjustment.requires-unique-id', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    await t.control('the same adjustment with uniqueAdjustmentId', async () => accepted(await adjust(t, on, 0.25), 'it'));
    const before = await balanceOf(t, on.code);
    hasStatus(await adjust(t, on, 0.25, { uniqueAdjustmentId: undefined }), 400, 'an adjustment without uniqueAdjustmentId');
    sameAmount(await balanceOf(t, on.code), before, 'balance');
  }
});

clause('adjustment.notes-are-optional', {}, async (t) => {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) {
    const before = await balanceOf(t, on.code);
    accepted(await adjust(t, on, 0.25, { notes: undefined }), 'an adjustment without notes');
    sameAmount(await balanceOf(t, on.code), before + 0.25, 'balance');
  }
});

clause('adjustment.voucher-refused', { needs: ['voucherCode'] }, async (t, { voucherCode }) => {
  const on = await mutableCard(t);
  const voucher = await fixture(t, voucherCode);
  const before = await balanceOf(t, voucherCode);
  for (const adjust of await adjustFunctions(t)) {
    await t.control('the same adjustment of a card that is no voucher', async () => accepted(await adjust(t, on, -0.15), 'it'));
    hasStatus(await adjust(t, voucher, -0.15), 400, 'redeeming a part of a voucher');
    hasStatus(await adjust(t, voucher, 0.25), 400, 'topping a voucher up');
    if (before > 0) hasStatus(await adjust(t, voucher, -before), 400, 'redeeming the whole of a voucher');
  }
  sameAmount(await balanceOf(t, voucherCode), before, 'balance of the voucher');
});

clause('adjustment.parallel-all-count', { atOnce: true }, async (t) => {
  const on = await card(t, { balance: 1 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => byCode(t, on, 0.11)));
  for (const answer of answers) accepted(answer, 'each of eight adjustments sent at once');
  sameAmount(await balanceOf(t, on.code), 1.88, 'balance after eight times 0.11');
});

clause('adjustment.by-id.parallel-never-overdraws', { atOnce: true }, async (t) => {
  const on = await card(t, { balance: 1 });
  const answers = await Promise.all(Array.from({ length: 4 }, () => byId(t, on, -0.6)));
  const taken = answers.filter(({ status }) => status === 200);
  same(taken.length, 1, 'how many of four redemptions of 0.60 by ID sent at once are accepted of 1.00');
  for (const answer of answers) if (!taken.includes(answer)) refused(answer, 'each of the others');
  sameAmount(await balanceOf(t, on.code), 0.4, 'balance');
});

clause('gift-card.amounts-exact', {}, async (t) => {
  const on = await card(t, { balance: 1.1 });
  for (const amount of [...Array(9).fill(0.1), -1.43]) accepted(await byCode(t, on, amount), 'the adjustment');
  same(await balanceOf(t, on.code), 0.57, 'balance after 1.10 + 9 × 0.10 - 1.43');
  // Whoever has a smallest amount refuses these.
  for (const amount of [0.02, -0.01]) {
    const { status } = await byCode(t, on, amount);
    if (status >= 400 && status < 500) {
      t.doesNotCheck('amounts so small as 0.01, which the target refuses');
      return;
    }
  }
  same(await balanceOf(t, on.code), 0.58, 'balance after 0.57 + 0.02 - 0.01');
});
