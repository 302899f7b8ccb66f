import { expectSuccess, objectIn } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Blocked, Violation } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { amountOf, amountsIn, arraysIn, at, entriesWith } from '../http/json-search.ts';
import { Untested } from '../safety/policy.ts';
import { acceptsPast, adjustByCode, adjustById, cardWithBalance, mustAdjust, sendHistory } from '../scenarios/adjustments.ts';
import { amounts, cardWithHistory, entriesOf, typePath, usedAfterVoid } from '../scenarios/card-views.ts';
import { balanceOf, createCard } from '../scenarios/cards.ts';
import { oneDecimalTooMany } from '../scenarios/currency.ts';
import { type FixtureCard, fixture, mutableCard } from '../scenarios/shared-cards.ts';
import { rejectedOr, statusOption } from './responses.ts';

probe('adjustment.by-id.overdraw-status', {}, async (t) => {
  const response = await adjustById(t, await cardWithBalance(t, 1), -1.5);
  if (response.status === 200)
    throw new Blocked('the target accepted an overdraw by ID, so there is no rejection whose status could be checked');
  return statusOption(response, '400', '409', '422');
});

const validAdjustment = (t: Trial) =>
  t.control('an adjustment by 0.25', () =>
    t.shared('valid adjustment', async (shared) =>
      expectSuccess(await adjustByCode(shared, await mutableCard(shared), 0.25), 'the adjustment'),
    ),
  );

/** Sends an adjustment. Returns `accepts` if the balance changes by `expected`, or `refused` if the target rejects the adjustment and nothing changes. */
async function adjustedBy<A extends string>(
  t: Trial,
  accepts: A,
  { amount, expected, fields = {} }: { amount: number; expected: number; fields?: object },
) {
  const on = await mutableCard(t);
  await validAdjustment(t);
  const before = await balanceOf(t, on.code);
  const { status } = await adjustByCode(t, on, amount, fields);
  const change = Math.round(((await balanceOf(t, on.code)) - before) * 1e6) / 1e6;
  if (status === 400 && change === 0) return 'refused';
  if (status === 200 && Math.abs(change - expected) < 1e-6) return accepts;
  return unlisted(`returns ${status} and changes the balance by ${change}`);
}

probe('adjustment.zero-amount', {}, (t) => adjustedBy(t, 'accepted', { amount: 0, expected: 0 }));

probe('adjustment.excess-decimals', {}, async (t) => {
  const { amount, rounded } = oneDecimalTooMany(t, objectIn((await mutableCard(t)).response).currency);
  return adjustedBy(t, 'rounded', { amount, expected: rounded });
});

probe('adjustment.future-actioned-at', {}, (t) => {
  const actionedAtUtc = new Date(Date.now() + 3 * 365 * 86_400_000).toISOString();
  return adjustedBy(t, 'accepted', { amount: 0.25, expected: 0.25, fields: { actionedAtUtc } });
});

probe('adjustment.voided-card', {}, async (t) => {
  const { adjusted, balanceAfter } = await usedAfterVoid(t);
  if (adjusted.status === 200 && balanceAfter === 0.25) return 'accepted';
  return statusOption(adjusted, '400', '409', '422');
});

/** Tops up a card of the profile. The card does not belong to the run, so an accepted top-up is reversed. */
async function topUpAndReverse(t: Trial, on: FixtureCard): Promise<TargetResponse> {
  await validAdjustment(t);
  const response = await adjustByCode(t, on, 0.11);
  if (response.status === 200) mustSucceed(await adjustByCode(t, on, -0.11), 'reversing the top-up');
  return response;
}

probe('adjustment.expired-card', { needs: ['expiredCode'] }, async (t, { expiredCode }) => {
  const response = await topUpAndReverse(t, await fixture(t, expiredCode, 'Expired'));
  return response.status === 200 ? 'accepted' : statusOption(response, '400', '409', '422');
});

probe('adjustment.scheduled-card', { needs: ['scheduledCode'] }, async (t, { scheduledCode }) =>
  rejectedOr(await topUpAndReverse(t, await fixture(t, scheduledCode, 'Scheduled')), 'refused', 'accepted'),
);

probe('adjustment.store-credit', { needs: ['storeCreditCode'] }, async (t, { storeCreditCode }) =>
  rejectedOr(await topUpAndReverse(t, await fixture(t, storeCreditCode)), 'refused', 'accepted'),
);

probe('adjustment.history.type-values', {}, async (t) => {
  const on = await cardWithHistory(t);
  const response = await sendHistory(t, on.code);
  const path = typePath(response, on);
  if (path === undefined) throw new Untested('fact-missing', 'no property of an entry shows its type');
  const types = entriesOf(response).map(({ amount, entry }) => ({ isTopUp: amount > 0, type: String(at(entry, path)) }));
  if (types.every(({ isTopUp, type }) => type === (isTopUp ? 'TopUp' : 'Redemption'))) return 'TopUp-and-Redemption';
  if (types.every(({ type }) => type === 'Api')) return 'by-source';
  return unlisted(types.map(({ isTopUp, type }) => `${type} for a ${isTopUp ? 'top-up' : 'redemption'}`).join(', '));
});

probe('adjustment.history.order', {}, async (t) => {
  if (!(await acceptsPast(t)))
    throw new Untested('needs-hook', 'the target accepts no adjustment from before the card was created');
  const on = await createCard(t);
  for (const [index, day] of [20, 18, 19].entries()) {
    const actionedAtUtc = new Date(Date.UTC(2024, 0, day)).toISOString();
    mustSucceed(await adjustByCode(t, on, amounts[index] as number, { actionedAtUtc }), `adjusting ${on.name}`);
  }
  const order = entriesOf(await sendHistory(t, on.code)).map(({ amount }) => amounts.indexOf(amount) + 1);
  if (order.join() === '3,2,1') return 'recorded';
  if (order.join() === '1,3,2') return 'actioned';
  throw new Violation('the newest adjustment first, by recording (3, 2, 1) or by actionedAtUtc (1, 3, 2)', order.join(', '));
});

probe('adjustment.history.issue-entry', {}, async (t) => {
  const on = await createCard(t);
  for (const amount of amounts) await mustAdjust(t, on, amount);
  const response = await sendHistory(t, on.code);
  entriesOf(response);
  const list = arraysIn(response.json).find(({ items }) => entriesWith(items, amounts));
  if (!list) throw new Untested('fact-missing', 'no array of the history holds the adjustments');
  const others = list.items.map(amountsIn).filter((found) => !amounts.some((amount) => found.has(amountOf(amount))));
  if (others.length === 0) return 'no';
  return others.length === 1 && others[0]?.has(amountOf(1))
    ? 'yes'
    : unlisted(`${others.length} entries in addition to the adjustments`);
});
