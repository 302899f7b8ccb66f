import { clause } from '../core/clause.ts';
import { expectAmount, expectSame, expectStatus, expectSuccess, objectIn } from '../core/expect.ts';
import type { Profile } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { unknownIdLike } from '../http/json-search.ts';
import { adjustFunctions, byCode, mustAdjust } from '../scenarios/adjustments.ts';
import { allVoidedViews, valuesIn, voidedViews } from '../scenarios/card-views.ts';
import { card, getByCode, getById, voidByCode, voidById } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { type Fixture, mutableCard, plainCard, voidedCards, voidings } from '../scenarios/shared-cards.ts';

async function voids(t: Trial, how: 'byCode' | 'byId', what: string): Promise<void> {
  const other = await plainCard(t);
  expectSuccess((await voidings(t))[how].answer, what);
  for (const view of valuesIn(await voidedViews(t, how), 'status')) expectSame(view.value, 'Voided', `status ${view.how}`);
  expectSame(objectIn(await getByCode(t, other.code)).status, 'Active', 'status of another card');
}

clause('gift-card.void.by-code-voids', {}, (t) => voids(t, 'byCode', 'voiding by code'));

clause('gift-card.void.by-id-voids', {}, (t) => voids(t, 'byId', 'voiding by ID'));

clause('gift-card.void.zeroes-balance', {}, async (t) => {
  for (const { how, value } of valuesIn(await allVoidedViews(t), 'balance'))
    expectAmount(value, 0, `balance of the voided card ${how}`);
});

/** Cards in states that a run cannot cause. A void uses them up, so the profile has to allow it. */
const fixtures = {
  Expired: 'expiredCode',
  Scheduled: 'scheduledCode',
  voucher: 'voucherCode',
} as const satisfies Record<string, keyof Profile>;

async function voidableFixtures(t: Trial): Promise<Fixture[]> {
  const { profile } = t.run;
  const found: Fixture[] = [];
  const missing: string[] = [];
  for (const [state, entry] of Object.entries(fixtures)) {
    const code = profile.mayVoidFixtures ? profile[entry] : undefined;
    const { status, id } = code === undefined ? {} : objectIn(await getByCode(t, code), entry);
    const isInState = state === 'voucher' ? status !== 'Voided' : status === state;
    if (code !== undefined && isInState) found.push({ code, id: id as string });
    else missing.push(state === 'voucher' ? 'a voucher' : `a card in state ${state}`);
  }
  if (missing.length > 0)
    t.doesNotCheck(`voiding ${missing.join(', ')}: the profile has none that may be voided (mayVoidFixtures)`);
  return found;
}

async function isVoided(t: Trial, how: 'by code' | 'by ID', on: Fixture, what: string): Promise<void> {
  expectSuccess(how === 'by code' ? await voidByCode(t, on.code) : await voidById(t, on.id), `voiding ${what} ${how}`);
  const found = objectIn(await getByCode(t, on.code));
  expectSame(found.status, 'Voided', `status of ${what}`);
  expectAmount(found.balance, 0, `balance of ${what}`);
}

clause('gift-card.void.any-state', {}, async (t) => {
  for (const on of await voidableFixtures(t)) await isVoided(t, 'by code', on, on.code);
  for (const [amount, how] of [
    [-1, 'by code'],
    [-1, 'by ID'],
    [-1.5, 'by code'],
    [-1.5, 'by ID'],
    [0.5, 'by code'],
  ] as const) {
    const on = await card(t);
    await mustAdjust(t, on, amount);
    await isVoided(t, how, on, `a card with a balance of ${(1 + amount).toFixed(2)}`);
  }
});

clause('gift-card.void.is-final', {}, async (t) => {
  t.doesNotCheck('the responses to adjusting a voided card and to voiding it again (open)');
  const active = await mutableCard(t);
  await controlAccepts(t, 'a top-up of a card that is not voided', byCode(t, active, 0.5));
  const [first, second = first] = await voidedCards(t);
  await voidByCode(t, first.code);
  await voidById(t, second.id);
  const adjusts = await adjustFunctions(t);
  // The amounts add up to zero, because other tests look at the balance.
  for (const [on, ...amounts] of [[first, 0.5, -0.5] as const, [second, -0.5, 0.5] as const]) {
    for (const [index, amount] of amounts.entries()) await adjusts[index % adjusts.length]?.(t, on, amount);
    expectSame(objectIn(await getByCode(t, on.code)).status, 'Voided', 'status after a second void, a top-up and a redemption');
  }
});

clause('gift-card.void.still-found', {}, async (t) => {
  for (const { code, id } of await voidedCards(t)) {
    expectSame(objectIn(await getByCode(t, code), 'a voided card by code').id, id, 'ID');
    expectSame(objectIn(await getById(t, id), 'a voided card by ID').code, code, 'code');
  }
});

clause('gift-card.void.unknown-code-is-404', {}, async (t) => {
  const { answer } = (await voidings(t)).byCode;
  await controlAccepts(t, 'voiding a card by its code', answer);
  expectStatus(await voidByCode(t, t.run.ledger.fresh('GCSNONE')), 404, 'voiding an unknown code');
});

clause('gift-card.void.unknown-id-is-404', {}, async (t) => {
  const { on, answer } = (await voidings(t)).byId;
  await controlAccepts(t, 'voiding a card by its ID', answer);
  expectStatus(await voidById(t, unknownIdLike(on.id)), 404, 'voiding an unknown ID');
});
