import { expectStatus, expectThat, objectIn } from '../core/expect.ts';
import { rule } from '../core/rule.ts';
import { Blocked } from '../core/verdict.ts';
import { leaves, mentions } from '../http/json-search.ts';
import { createCard, type TestCard } from '../scenarios/cards.ts';
import { businessProfile, currencyPath, profileHasCurrency, showsAnyCurrency, timeZonePath } from '../scenarios/currency.ts';
import { plainCard } from '../scenarios/shared-cards.ts';

/** Describes a response by the names of its properties, because a report must not contain data of a business. */
const shape = (json: unknown) => {
  const names = leaves(json).map(({ path }) => path.slice(1));
  return `a response with ${names.join(', ') || 'nothing'}`;
};

rule('company.profile-succeeds', {}, async (t) => {
  t.doesNotCheck('the names of the properties (open)');
  const response = await t.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' });
  const profile = objectIn(response, 'the business profile');
  const [zone, currency] = [timeZonePath(profile), currencyPath(profile)];
  expectThat(zone !== undefined, 'the time zone of the account', shape(profile));
  // The profile may show the currency in a form that the suite does not know. The suite then looks in the profile for the currency code of a card.
  const hasCurrency = showsAnyCurrency(profile) || mentions(profile, currencyOf(await plainCard(t)));
  expectThat(hasCurrency, 'the currency of the account', shape(profile));
  const details = leaves(profile).filter(
    ({ path, value }) => typeof value === 'string' && value !== '' && path !== zone && path !== currency,
  );
  expectThat(details.length > 0, 'details of the business besides time zone and currency', shape(profile));
});

function currencyOf(on: TestCard): string {
  const { currency } = on.response.json as { currency?: unknown };
  if (typeof currency !== 'string') throw new Blocked('creating a card: the response has no currency');
  return currency;
}

rule('company.profile-currency-is-of-cards', {}, async (t) => {
  t.doesNotCheck('the format of the currency in the profile (open)');
  profileHasCurrency(await businessProfile(t), currencyOf(await plainCard(t)), 'the cards');
  const { secondKey } = t.run.profile;
  if (secondKey === undefined) return;
  const other = currencyOf(await createCard(t, {}, secondKey));
  const request = { method: 'GET', path: '/api/Company/Profile', key: secondKey } as const;
  const response = await t.send('GET the business profile of the second account', request);
  expectStatus(response, 200, 'the business profile of the second account');
  profileHasCurrency(response.json, other, 'the cards of the second account');
});
