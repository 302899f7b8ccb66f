import { expectAmount, expectSame, expectStatus, expectSuccess, expectThat, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { unknownIdLike } from '../http/json-search.ts';
import { adjustByCode, adjustFunctions, cardWithBalance, mustAdjust } from '../scenarios/adjustments.ts';
import { shownValues } from '../scenarios/card-views.ts';
import { createCard, getByCode, voidByCode, voidById } from '../scenarios/cards.ts';
import { controlAccepts, orUndefined } from '../scenarios/controls.ts';
import { money } from '../scenarios/currency.ts';
import { acceptedVoidings, type FixtureCard, fixture, voidings } from '../scenarios/shared-cards.ts';

/** Returns the fields of a voided card. Throws Blocked if the card is not found, because gift-card.void.still-found reports that. */
const voidedIn = (response: TargetResponse) => objectIn(mustSucceed(response, 'looking the voided card up'));

const statusOf = async (t: Trial, { code }: FixtureCard) => voidedIn(await getByCode(t, code)).status;

for (const [name, by] of [
  ['gift-card.void.by-code-voids', 'byCode'],
  ['gift-card.void.by-id-voids', 'byId'],
] as const)
  rule(name, { isLast: true }, async (t) => {
    const { [by]: voided, other } = await voidings(t);
    expectSuccess(voided.response, 'voiding a card');
    expectSame(voidedIn(voided.byCode).status, 'Voided', 'status of the card');
    const { status } = objectIn(other, 'another card');
    expectThat(status !== 'Voided', 'another card that is not voided', String(status));
  });

rule('gift-card.void.zeroes-balance', { isLast: true }, async (t) => {
  for (const { on, ...lookUps } of await acceptedVoidings(t))
    for (const { how, read } of await shownValues(t, on, 'balance', lookUps))
      expectAmount(read(), 0, `balance of the voided card ${how}`);
});

const fixtures = [
  ['expiredCode', 'Expired'],
  ['scheduledCode', 'Scheduled'],
  ['voucherCode', 'Active'],
] as const;

async function isVoided(t: Trial, how: 'by code' | 'by ID', on: FixtureCard, what: string): Promise<void> {
  expectSuccess(how === 'by code' ? await voidByCode(t, on.code) : await voidById(t, on.id), `voiding ${what} ${how}`);
  const found = voidedIn(await getByCode(t, on.code));
  expectSame(found.status, 'Voided', `status of ${what}`);
  expectAmount(found.balance, 0, `balance of ${what}`);
}

rule('gift-card.void.any-state', {}, async (t) => {
  const { profile } = t.run;
  for (const [entry, state] of fixtures) {
    const code = profile.mayVoidFixtures ? profile[entry] : undefined;
    const on = code === undefined ? undefined : await orUndefined(fixture(t, code, state));
    if (on) await isVoided(t, 'by code', on, on.code);
    else t.doesNotCheck(`voiding the card of ${entry}: it is not ${state}, or the profile has no ${entry} or no mayVoidFixtures`);
  }
  for (const amount of [-1, -1.5])
    for (const how of ['by code', 'by ID'] as const) {
      const on = await createCard(t);
      await mustAdjust(t, on, amount);
      await isVoided(t, how, on, `a card with a balance of ${money(1 + amount)}`);
    }
});

rule('gift-card.void.is-final', { isLast: true }, async (t) => {
  t.doesNotCheck('the responses to adjusting a voided card and to voiding it again (open)');
  await controlAccepts(t, 'a top-up of a card that is not voided', adjustByCode(t, await cardWithBalance(t, 1), 0.5));
  const [{ on: first }, { on: second } = { on: first }] = await acceptedVoidings(t);
  await voidByCode(t, first.code);
  expectSame(await statusOf(t, first), 'Voided', 'status after a second void by code');
  await voidById(t, second.id);
  expectSame(await statusOf(t, second), 'Voided', 'status after a second void by ID');
  // The amounts add up to zero, because other tests check that the balance of this card is zero.
  for (const adjust of await adjustFunctions(t)) for (const amount of [0.5, -0.5]) await adjust(t, first, amount);
  expectSame(await statusOf(t, first), 'Voided', 'status after a top-up and a redemption');
});

rule('gift-card.void.still-found', { isLast: true }, async (t) => {
  for (const { on, byCode: found, byId } of await acceptedVoidings(t)) {
    expectSame(objectIn(found, 'a voided card by code').id, on.id, 'ID');
    expectSame(objectIn(byId, 'a voided card by ID').code, on.code, 'code');
  }
});

rule('gift-card.void.unknown-code-is-404', { isLast: true }, async (t) => {
  const { response } = (await voidings(t)).byCode;
  await controlAccepts(t, 'voiding a card by its code', response);
  expectStatus(await voidByCode(t, t.run.ledger.fresh('GCSNONE')), 404, 'voiding an unknown code');
});

rule('gift-card.void.unknown-id-is-404', { isLast: true }, async (t) => {
  const { on, response } = (await voidings(t)).byId;
  await controlAccepts(t, 'voiding a card by its ID', response);
  expectStatus(await voidById(t, unknownIdLike(on.id)), 404, 'voiding an unknown ID');
});
