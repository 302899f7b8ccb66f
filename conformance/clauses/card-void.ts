import { clause } from '../core/clause.ts';
import { accepted, giftCard, hasStatus, same, sameAmount } from '../core/expect.ts';
import type { Profile } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { unknownIdLike } from '../http/structure.ts';
import { adjustFunctions, byCode, mustAdjust } from '../scenarios/adjustments.ts';
import { allVoidedViews, valuesIn, voidedViews } from '../scenarios/card-views.ts';
import { type Card, card, getByCode, getById, voidByCode, voidById } from '../scenarios/cards.ts';
import { mutableCard, plainCard, voidedCards, voidings } from '../scenarios/shared-cards.ts';

clause('gift-card.void.by-code-voids', {}, async (t) => {
  const other = await plainCard(t);
  const { answer } = (await voidings(t)).byCode;
  accepted(answer, 'voiding by code');
  for (const { how, value } of valuesIn(await voidedViews(t, 'byCode'), 'status')) same(value, 'Voided', `status ${how}`);
  same(giftCard(await getByCode(t, other.code)).status, 'Active', 'status of another card');
});

clause('gift-card.void.by-id-voids', {}, async (t) => {
  const other = await plainCard(t);
  const { answer } = (await voidings(t)).byId;
  accepted(answer, 'voiding by ID');
  for (const { how, value } of valuesIn(await voidedViews(t, 'byId'), 'status')) same(value, 'Voided', `status ${how}`);
  same(giftCard(await getByCode(t, other.code)).status, 'Active', 'status of another card');
});

clause('gift-card.void.zeroes-balance', {}, async (t) => {
  for (const { how, value } of valuesIn(await allVoidedViews(t), 'balance'))
    sameAmount(value, 0, `balance of the voided card ${how}`);
});

/** States that a run cannot bring about by itself, with the profile's card in each. Voiding uses such a card up, so the profile has to allow it. */
const fixtures = { Expired: 'expiredCode', Scheduled: 'scheduledCode', voucher: 'voucherCode' } as const satisfies Record<
  string,
  keyof Profile
>;

type Named = Pick<Card, 'code' | 'id'>;

async function voidableFixtures(t: Trial): Promise<Named[]> {
  const { profile } = t.run;
  const found: Named[] = [];
  const notTried: string[] = [];
  for (const [state, entry] of Object.entries(fixtures)) {
    const code = profile.mayVoidFixtures ? profile[entry] : undefined;
    const { status, id } = code === undefined ? {} : giftCard(await getByCode(t, code), entry);
    if (code !== undefined && (state === 'voucher' ? status !== 'Voided' : status === state))
      found.push({ code, id: id as string });
    else notTried.push(state === 'voucher' ? 'a voucher' : `a card in state ${state}`);
  }
  if (notTried.length > 0)
    t.doesNotCheck(`voiding ${notTried.join(', ')}: the profile gives none that may be voided (mayVoidFixtures)`);
  return found;
}

const voids = {
  'by code': (t: Trial, { code }: Named) => voidByCode(t, code),
  'by ID': (t: Trial, { id }: Named) => voidById(t, id),
};

async function isVoided(t: Trial, how: keyof typeof voids, on: Named, what: string): Promise<void> {
  accepted(await voids[how](t, on), `voiding ${what} ${how}`);
  const found = giftCard(await getByCode(t, on.code));
  same(found.status, 'Voided', `status of ${what}`);
  sameAmount(found.balance, 0, `balance of ${what}`);
}

clause('gift-card.void.any-state', {}, async (t) => {
  // Each can be voided once only, and in one way.
  for (const on of await voidableFixtures(t)) await isVoided(t, 'by code', on, on.code);
  for (const [amount, ...ways] of [
    [-1, 'by code', 'by ID'],
    [-1.5, 'by code', 'by ID'],
    [0.5, 'by code'],
  ] as const) {
    for (const how of ways) {
      const on = await card(t);
      await mustAdjust(t, on, amount);
      await isVoided(t, how, on, `a card whose balance is ${(1 + amount).toFixed(2)}`);
    }
  }
});

clause('gift-card.void.is-final', {}, async (t) => {
  t.doesNotCheck('what adjusting a voided card answers, and voiding it again (open)');
  const active = await mutableCard(t);
  await t.control('topping a card up that is not voided', async () => accepted(await byCode(t, active, 0.5), 'it'));
  const [first, second = first] = await voidedCards(t);
  await voidByCode(t, first.code);
  await voidById(t, second.id);
  const adjusts = await adjustFunctions(t);
  // What is added is taken again, should it be taken, since others look at the balance.
  for (const [on, ...amounts] of [[first, 0.5, -0.5] as const, [second, -0.5, 0.5] as const]) {
    for (const [index, amount] of amounts.entries()) await adjusts[index % adjusts.length]?.(t, on, amount);
    same(giftCard(await getByCode(t, on.code)).status, 'Voided', 'status after attempts to void again, to top up and to redeem');
  }
});

clause('gift-card.void.still-found', {}, async (t) => {
  for (const { code, id } of await voidedCards(t)) {
    same(giftCard(await getByCode(t, code), 'a voided card, looked up by code').id, id, 'id');
    same(giftCard(await getById(t, id), 'a voided card, looked up by ID').code, code, 'code');
  }
});

clause('gift-card.void.unknown-code-is-404', {}, async (t) => {
  const { answer } = (await voidings(t)).byCode;
  await t.control('voiding a code that a card has', async () => accepted(answer, 'it'));
  hasStatus(await voidByCode(t, t.run.ledger.fresh('GCSNONE')), 404, 'voiding a code that no card has');
});

clause('gift-card.void.unknown-id-is-404', {}, async (t) => {
  const { on, answer } = (await voidings(t)).byId;
  await t.control('voiding an ID that a card has', async () => accepted(answer, 'it'));
  hasStatus(await voidById(t, unknownIdLike(on.id)), 404, 'voiding an ID that no card has');
});
