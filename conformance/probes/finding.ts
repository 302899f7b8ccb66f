import { setTimeout as pause } from 'node:timers/promises';
import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted, told } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arraysIn, instantOf, issueTime, leaves } from '../http/structure.ts';
import { booked, historyById } from '../scenarios/adjustments.ts';
import { byEmail, getByCode, getById, holdsCard } from '../scenarios/card-requests.ts';
import type { Card } from '../scenarios/cards.ts';
import { bySource, sourceQuery } from '../scenarios/channel-cards.ts';
import { deletedCard } from '../scenarios/fixtures.ts';
import { type Sent, sentCards } from '../scenarios/sent-cards.ts';
import { plainCard, plainFields } from '../scenarios/shared-cards.ts';
import { answered, called, wrappedIn } from './names.ts';

probe('gift-card.get-by-id.malformed-id', {}, async (t) => {
  const { id } = await plainCard(t);
  await t.control('an ID that a card has', async () => accepted(await getById(t, id), 'it'));
  const statuses = [(await getById(t, 'no-id-at-all')).status, (await historyById(t, 'no-id-at-all')).status] as const;
  return statuses[0] === statuses[1]
    ? answered(statuses[0], ['400', '404'])
    : somethingElse(`a card's answers ${statuses[0]}, its history's ${statuses[1]}`);
});

const foundOrHidden = (status: number): 'found' | 'hidden' | SomethingElse => {
  if (status === 200) return 'found';
  return status === 404 ? 'hidden' : somethingElse(`answers ${status}`);
};

const liveIsFound = (t: Trial) =>
  t.control('a card that is not deleted is found', async () => {
    const on = await plainCard(t);
    accepted(await getByCode(t, on.code), 'by its code');
    accepted(await getById(t, on.id), 'by its ID');
  });

probe('gift-card.get-by-code.deleted-card', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  await liveIsFound(t);
  return foundOrHidden((await getByCode(t, deletedCode)).status);
});

probe('gift-card.get-by-id.deleted-card', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  await liveIsFound(t);
  return foundOrHidden((await getById(t, (await deletedCard(t, deletedCode)).id)).status);
});

/** What looking up their address answers, once both are in it. */
async function lookedUp(t: Trial): Promise<Sent & { answer: Answer }> {
  const sent = await sentCards(t);
  arranged(await byEmail(t, sent.address, sent.older), 'looking the address up');
  const answer = arranged(await byEmail(t, sent.address, sent.younger), 'looking the address up');
  if (!holdsCard(answer.json, sent.older) || !holdsCard(answer.json, sent.younger))
    throw new Untested('control-failed', `cards are not found by the address that they were sent to: ${told(answer)}`);
  return { ...sent, answer };
}

probe('gift-card.get-by-email.deleted-card', { needs: ['deletedCode', 'deletedRecipient'] }, async (t, supplied) => {
  await lookedUp(t);
  const on = await deletedCard(t, supplied.deletedCode);
  const { status, json } = await byEmail(t, supplied.deletedRecipient);
  if (status === 200 && holdsCard(json, on)) return 'found';
  return status === 200 || status === 404 ? 'hidden' : somethingElse(`answers ${status}`);
});

probe('gift-card.get-by-email.shape', {}, async (t) => {
  const { answer } = await lookedUp(t);
  if (Array.isArray(answer.json)) return 'array';
  return wrappedIn(arraysIn(answer.json)[0]?.path, ['giftCards']);
});

const holdsNothing = ({ json }: Answer) => arraysIn(json).every(({ items }) => items.length === 0);

probe('gift-card.get-by-email.no-match', {}, async (t) => {
  await lookedUp(t);
  const answer = await byEmail(t, `${t.run.ledger.fresh('nobody').toLowerCase()}@example.com`);
  if (answer.status === 200 && holdsNothing(answer)) return 'empty';
  return answered(answer.status, ['404']);
});

probe('gift-card.get-by-email.no-parameter', {}, async (t) => {
  await lookedUp(t);
  const ask = { method: 'GET', path: '/api/GiftCard/GetByEmail' } as const;
  const answer = await t.send('GET cards by no address', ask);
  if (answer.status === 200 && holdsNothing(answer)) return 'empty';
  return answer.status === 400 ? 'refused' : somethingElse(`answers ${answer.status}`);
});

probe('gift-card.get-by-email.letter-case', {}, async (t) => {
  const { address, older } = await lookedUp(t);
  const { status, json } = await byEmail(t, address.toUpperCase());
  if (status === 200 && holdsCard(json, older)) return 'ignored';
  return status === 200 || status === 404 ? 'counts' : somethingElse(`answers ${status}`);
});

/** The plain card has an address and its emails switched off. */
probe('gift-card.get-by-email.which-cards', {}, async (t) => {
  await lookedUp(t);
  const unsent = await plainCard(t);
  const { status, json } = await byEmail(t, plainFields.recipientEmailAddress);
  if (status === 200 && holdsCard(json, unsent)) return 'all-with-the-address';
  return status === 200 || status === 404 ? 'delivered' : somethingElse(`answers ${status}`);
});

probe('gift-card.get-by-email.order', {}, async (t) => {
  const { address, older, younger } = await lookedUp(t);
  const order = async () => {
    const { json } = arranged(await byEmail(t, address, younger), 'looking the address up');
    const [first, second] = [older, younger].map(({ code, id }) =>
      leaves(json).findIndex(({ value }) => value === code || value === id),
    );
    return (first ?? 0) < (second ?? 0) ? 'older first' : 'younger first';
  };
  await booked(t, younger, 0.11);
  if ((await order()) === 'older first') return isOneMoment(older, younger) ? somethingElse('as it comes') : 'oldest-first';
  for (const ms of [0, 1_100]) {
    // Changes within one tick of the target's clock may stand in any order.
    await pause(ms);
    await booked(t, older, 0.11);
    if ((await order()) === 'older first') return 'last-updated-first';
  }
  return 'newest-first';
});

const isOneMoment = (...cards: Card[]) => {
  const [first, second] = cards.map(({ answer }) => instantOf(issueTime(answer.json)));
  return first !== undefined && first === second;
};

probe('gift-card.get-by-source.platform-parameter', { needs: ['channelCard'] }, async (t) =>
  called((await sourceQuery(t)).names.platform, ['accountPlatformId', 'platformId']),
);

probe('gift-card.get-by-source.source-parameter', { needs: ['channelCard'] }, async (t) =>
  called((await sourceQuery(t)).names.source, ['sourceId', 'giftCardSourceId']),
);

probe('gift-card.get-by-source.answer', { needs: ['channelCard'] }, async (t) => {
  const { found, on } = await sourceQuery(t);
  const { code, id } = found.json as Record<string, unknown>;
  if (code === on.code || id === on.id) return 'the-card';
  const [place] = leaves(found.json).filter(({ value }) => value === on.code || value === on.id);
  return wrappedIn(place?.path.replace(/\/[^/]*$/, ''), ['giftCard']);
});

probe('gift-card.get-by-source.missing-parameter', { needs: ['channelCard'] }, async (t) => {
  const { names, values } = await sourceQuery(t);
  const answers = [
    await bySource(t, { [names.platform]: values.platform }),
    await bySource(t, { [names.source]: values.source }),
  ];
  const statuses = answers.map(({ status }) => status);
  if (statuses.every((status) => status === 400)) return 'refused';
  return answers.every((answer) => answer.status === 404 || isNothing(answer))
    ? 'not-found'
    : somethingElse(`answers ${statuses[0]} without the ID, ${statuses[1]} without the channel`);
});

/** No card, whatever that is wrapped in. */
const isNothing = ({ status, json }: Answer) =>
  status === 200 && json !== undefined && leaves(json).every(({ value }) => value === null);

probe('gift-card.get-by-source.unknown', { needs: ['channelCard'] }, async (t) => {
  const { unknown } = await sourceQuery(t);
  return isNothing(unknown) ? 'null' : answered(unknown.status, ['404']);
});

probe(
  'gift-card.get-by-source.deleted-card',
  { needs: ['channelCard', 'deletedChannelCard', 'deletedCode'] },
  async (t, supplied) => {
    const { names } = await sourceQuery(t);
    const { sourceId, source } = supplied.deletedChannelCard;
    const on = await deletedCard(t, supplied.deletedCode);
    const answer = await bySource(t, { [names.platform]: source, [names.source]: sourceId });
    if (answer.status === 200 && holdsCard(answer.json, on)) return 'found';
    return answer.status === 404 || isNothing(answer) ? 'hidden' : somethingElse(told(answer));
  },
);
