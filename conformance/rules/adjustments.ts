import { expectAmount, expectRejection, expectSame, expectStatus, expectSuccess, isSuccess } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import type { Trial } from '../core/trial.ts';
import { adjustByCode, adjustById, adjustFunctions, cardWithBalance, mustAdjust } from '../scenarios/adjustments.ts';
import { balanceOf, createCard, type TestCard } from '../scenarios/cards.ts';
import { controlAccepts, controlHolds, unknownIs404 } from '../scenarios/controls.ts';
import { money } from '../scenarios/currency.ts';
import { fixture, mutableCard, plainCard } from '../scenarios/shared-cards.ts';

/** Runs a test with adjustments by code. If the run can adjust by ID, also runs the test with adjustments by ID. Passes the mutable card and its balance. */
async function byEach(
  t: Trial,
  test: (adjust: typeof adjustByCode, on: TestCard, before: number) => Promise<void>,
): Promise<void> {
  const on = await mutableCard(t);
  for (const adjust of await adjustFunctions(t)) await test(adjust, on, await balanceOf(t, on.code));
}

rule('adjustment.returns-true', {}, (t) =>
  byEach(t, async (adjust, on) => {
    const response = await adjust(t, on, 0.25);
    expectSuccess(response, 'the adjustment');
    expectSame(response.json, true, 'the response');
  }),
);

rule('adjustment.returns-200', {}, (t) =>
  byEach(t, async (adjust, on, before) => {
    expectStatus(await adjust(t, on, 0.25), 200, 'the adjustment');
    controlHolds(t, 'the adjustment changes the balance', (await balanceOf(t, on.code)) !== before);
  }),
);

function changeBalance(t: Trial, amounts: readonly number[], fields: { notes?: undefined } = {}): Promise<void> {
  return byEach(t, async (adjust, on, before) => {
    for (const amount of amounts) expectSuccess(await adjust(t, on, amount, fields), `an adjustment by ${amount}`);
    const after = amounts.reduce((sum, amount) => sum + amount, before);
    expectAmount(await balanceOf(t, on.code), after, 'balance');
  });
}

rule('adjustment.positive-tops-up', {}, (t) => changeBalance(t, [0.57]));

rule('adjustment.negative-redeems', {}, (t) => changeBalance(t, [-0.29]));

rule('adjustment.is-relative', {}, (t) => changeBalance(t, [0.11, 0.11]));

rule('adjustment.notes-are-optional', {}, (t) => changeBalance(t, [0.25], { notes: undefined }));

async function changesOnlyItsCard(t: Trial, adjust: typeof adjustByCode): Promise<void> {
  // A wrong target may adjust the card that was updated last, so the younger card is updated here.
  const [older, on, younger] = [await plainCard(t), await mutableCard(t), await cardWithBalance(t, 0)];
  const others = async () => [await balanceOf(t, older.code), await balanceOf(t, younger.code)];
  const [before, beforeOfOthers] = [await balanceOf(t, on.code), await others()];
  expectSuccess(await adjust(t, on, 0.4), 'the adjustment');
  expectAmount(await balanceOf(t, on.code), before + 0.4, `balance of ${on.name}`);
  expectSame(await others(), beforeOfOthers, 'balances of two other cards');
}

rule('adjustment.by-code.names-card-by-code', {}, (t) => changesOnlyItsCard(t, adjustByCode));

rule('adjustment.by-id.names-card-by-id', {}, (t) => changesOnlyItsCard(t, adjustById));

rule('adjustment.by-code.unknown-card-is-404', {}, (t) => unknownIs404(t, (on) => adjustByCode(t, on, 0.25)));

rule('adjustment.by-id.unknown-card-is-404', {}, (t) => unknownIs404(t, (on) => adjustById(t, on, 0.25)));

for (const [name, adjust, start, amount] of [
  ['adjustment.by-code.may-go-negative', adjustByCode, 1, -2.6],
  ['adjustment.by-id.takes-whole-balance', adjustById, 1.3, -1.3],
  ['adjustment.by-id.tops-up-below-zero', adjustById, -0.5, 0.2],
] as const)
  rule(name, {}, async (t) => {
    const on = await cardWithBalance(t, start);
    expectSuccess(await adjust(t, on, amount), `an adjustment by ${amount} at a balance of ${money(start)}`);
    expectAmount(await balanceOf(t, on.code), start + amount, 'balance');
  });

rule('adjustment.by-id.refuses-overdraw', {}, async (t) => {
  t.doesNotCheck('the status of the rejection (open)');
  const on = await cardWithBalance(t, 1);
  await t.control('redeeming 0.40 by ID from a balance of 1.00 leaves 0.60', async () => {
    expectSuccess(await adjustById(t, on, -0.4), 'the redemption');
    expectAmount(await balanceOf(t, on.code), 0.6, 'balance');
  });
  const tooMuch = t.run.profile.playMoney ? [-0.61, -1.5, -5000] : [-0.61, -1.5];
  for (const amount of tooMuch)
    expectRejection(await adjustById(t, on, amount), `redeeming ${-amount} by ID from a balance of 0.60`);
  await mustAdjust(t, on, -0.6);
  expectRejection(await adjustById(t, on, -0.1), 'redeeming 0.10 by ID from a balance of 0.00');
  expectAmount(await balanceOf(t, on.code), 0, 'balance');
});

rule('adjustment.by-id.refuses-redemption-below-zero', {}, async (t) => {
  const on = await cardWithBalance(t, 1);
  t.doesNotCheck('the status of the rejection (open)');
  await controlAccepts(t, 'redeeming 0.10 by ID from a balance of 1.00', adjustById(t, on, -0.1));
  await mustAdjust(t, on, -1.2);
  expectRejection(await adjustById(t, on, -0.1), 'redeeming 0.10 by ID at a balance of -0.30');
  expectAmount(await balanceOf(t, on.code), -0.3, 'balance');
});

for (const [name, field] of [
  ['adjustment.requires-actioned-at', 'actionedAtUtc'],
  ['adjustment.requires-unique-id', 'uniqueAdjustmentId'],
] as const)
  rule(name, {}, (t) =>
    byEach(t, async (adjust, on) => {
      await controlAccepts(t, `the same adjustment with ${field}`, adjust(t, on, 0.25));
      const before = await balanceOf(t, on.code);
      expectStatus(await adjust(t, on, 0.25, { [field]: undefined }), 400, `an adjustment without ${field}`);
      expectAmount(await balanceOf(t, on.code), before, 'balance');
    }),
  );

rule('adjustment.voucher-refused', { needs: ['voucherCode'] }, async (t, { voucherCode }) => {
  const voucher = await fixture(t, voucherCode);
  const before = await balanceOf(t, voucherCode);
  await byEach(t, async (adjust, on) => {
    await controlAccepts(t, 'the same adjustment of another card', adjust(t, on, -0.15));
    expectStatus(await adjust(t, voucher, -0.15), 400, 'redeeming a part of a voucher');
    expectStatus(await adjust(t, voucher, 0.25), 400, 'a top-up of a voucher');
    if (before > 0) expectStatus(await adjust(t, voucher, -before), 400, 'redeeming a whole voucher');
  });
  expectAmount(await balanceOf(t, voucherCode), before, 'balance of the voucher');
});

rule('adjustment.parallel-all-count', {}, async (t) => {
  const on = await createCard(t, { balance: 1 });
  const responses = await Promise.all(Array.from({ length: 8 }, () => adjustByCode(t, on, 0.11)));
  for (const response of responses) expectSuccess(response, 'each of eight parallel adjustments');
  expectAmount(await balanceOf(t, on.code), 1.88, 'balance after 1.00 + 8 × 0.11');
});

rule('adjustment.by-id.parallel-never-overdraws', {}, async (t) => {
  const on = await createCard(t, { balance: 1 });
  const responses = await Promise.all(Array.from({ length: 4 }, () => adjustById(t, on, -0.6)));
  const rejected = responses.filter((response) => !isSuccess(response));
  expectSame(responses.length - rejected.length, 1, 'number of accepted redemptions, out of four parallel redemptions of 0.60');
  for (const response of rejected) expectRejection(response, 'each of the other redemptions');
  expectAmount(await balanceOf(t, on.code), 0.4, 'balance');
});

rule('gift-card.amounts-exact', {}, async (t) => {
  const on = await cardWithBalance(t, 1.1);
  expectSuccess(await adjustByCode(t, on, 0.1), 'the adjustment');
  expectSame(await balanceOf(t, on.code), 1.2, 'balance after 1.10 + 0.10');
  expectSuccess(await adjustByCode(t, on, -0.63), 'the adjustment');
  expectSame(await balanceOf(t, on.code), 0.57, 'balance after 1.20 - 0.63');
  const small = [await adjustByCode(t, on, 0.02), await adjustByCode(t, on, -0.01)];
  // A target may lawfully reject amounts below a minimum.
  if (small.some(({ status }) => status >= 400 && status < 500))
    t.doesNotCheck('amounts of 0.01 and 0.02: the target rejects at least one');
  else expectSame(await balanceOf(t, on.code), 0.58, 'balance after 0.57 + 0.02 - 0.01');
});
