import { clause } from '../core/clause.ts';
import { giftCard, hasStatus, holds } from '../core/expect.ts';
import { Blocked } from '../core/verdict.ts';
import { leaves, mentions } from '../http/structure.ts';
import { type Card, card } from '../scenarios/cards.ts';
import { agrees, currencyLeaf, profile, zoneLeaf } from '../scenarios/company.ts';
import { plainCard } from '../scenarios/shared-cards.ts';

/** A shape only: what an account's business is called is nobody's affair here. */
const shape = (json: unknown) =>
  `an answer with ${
    leaves(json)
      .map(({ path }) => path.slice(1))
      .join(', ') || 'nothing'
  }`;

clause('company.profile-answers', {}, async (t) => {
  t.doesNotCheck('the names of the properties (open)');
  const asked = await t.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' });
  const told = giftCard(asked, 'the business profile');
  const zone = zoneLeaf(told);
  // A currency that is written in no known way is known by the cards.
  const currency = currencyLeaf(told) ?? [currencyOf(await plainCard(t))].find((own) => mentions(told, own));
  holds(zone !== undefined, 'the time zone of the account', shape(told));
  holds(currency !== undefined, 'the currency of the account', shape(told));
  const details = leaves(told).filter(
    ({ value }) => typeof value === 'string' && value !== '' && value !== zone && value !== currency,
  );
  holds(details.length > 0, 'details of the business besides time zone and currency', shape(told));
});

function currencyOf(on: Card): string {
  const { currency } = on.answer.json as { currency?: unknown };
  if (typeof currency !== 'string') throw new Blocked('creating a card: the answer carries no currency');
  return currency;
}

clause('company.profile-currency-is-of-cards', {}, async (t) => {
  t.doesNotCheck('how the profile writes the currency (open)');
  const currency = currencyOf(await plainCard(t));
  agrees(await profile(t), currency, 'the cards');
  const { secondKey } = t.run.profile;
  if (secondKey === undefined) return;
  const other = currencyOf(await card(t, {}, secondKey));
  const answer = await t.send('GET the business profile of the second account', {
    method: 'GET',
    path: '/api/Company/Profile',
    key: secondKey,
  });
  hasStatus(answer, 200, 'the second account’s business profile');
  agrees(answer.json, other, 'its cards');
});
