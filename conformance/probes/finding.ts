import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted, told } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arraysIn, leaves } from '../http/structure.ts';
import { historyById } from '../scenarios/adjustments.ts';
import { byEmail, getByCode, getById, holdsCard } from '../scenarios/card-requests.ts';
import { sourceQuery } from '../scenarios/channel-cards.ts';
import { deletedCard } from '../scenarios/fixtures.ts';
import { type Sent, sentCards } from '../scenarios/sent-cards.ts';
import { plainCard } from '../scenarios/shared-cards.ts';
import { answered } from './names.ts';

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

const holdsNothing = ({ json }: Answer) => arraysIn(json).every(({ items }) => items.length === 0);

probe('gift-card.get-by-email.no-match', {}, async (t) => {
  await lookedUp(t);
  const answer = await byEmail(t, `${t.run.ledger.fresh('nobody').toLowerCase()}@example.com`);
  if (answer.status === 200 && holdsNothing(answer)) return 'empty';
  return answered(answer.status, ['404']);
});

/** No card, whatever that is wrapped in. */
const isNothing = ({ status, json }: Answer) =>
  status === 200 && json !== undefined && leaves(json).every(({ value }) => value === null);

probe('gift-card.get-by-source.unknown', { needs: ['channelCard'] }, async (t) => {
  const { unknown } = await sourceQuery(t);
  return isNothing(unknown) ? 'null' : answered(unknown.status, ['404']);
});
