import { probe, unlisted } from '../core/clause.ts';
import { expectThat } from '../core/expect.ts';
import { arraysIn, placeOf } from '../http/json-search.ts';
import { usedAfterVoid } from '../scenarios/card-views.ts';
import type { Card } from '../scenarios/cards.ts';
import { otherBody } from './responses.ts';

/** The path of the card in the response. */
const cardPath = (json: unknown, on: Card) => placeOf(json, ({ id, code }) => id === on.id && code === on.code);

probe('gift-card.void.body', {}, async (t) => {
  const { on, voidedByCode } = await usedAfterVoid(t);
  const { json, body } = voidedByCode;
  if (json === true) return 'true';
  if (body.trim() === '') return 'empty';
  const path = cardPath(json, on);
  return path === '' ? 'the-card' : otherBody(json, path);
});

probe('gift-card.void.again', {}, async (t) => {
  const { againByCode, againById } = await usedAfterVoid(t);
  const statuses = [againByCode.status, againById.status];
  const isAnswer = statuses.every((status) => status < 500 && status !== 401);
  expectThat(isAnswer, 'voiding a voided card accepted or rejected', statuses.join(' and '));
  const options: Partial<Record<number, 'accepted' | 'refused' | 'not-found'>> = {
    200: 'accepted',
    400: 'refused',
    404: 'not-found',
  };
  const [byCode, byId] = statuses.map((status) => options[status]);
  return byCode !== undefined && byCode === byId ? byCode : unlisted(`answers ${statuses.join(' by code and ')} by ID`);
});

probe('gift-card.void.in-history', {}, async (t) => {
  const { on, historyBefore, historyAfter } = await usedAfterVoid(t);
  const [before = 0, after = 0] = [historyBefore, historyAfter].map(({ json }) => {
    // The card in the response may have arrays of its own.
    const path = cardPath(json, on);
    const lists = arraysIn(json).filter((each) => !path || !each.path.startsWith(`${path}/`));
    return lists.reduce((sum, { items }) => sum + items.length, 0);
  });
  if (after === before) return 'no';
  return after === before + 1 ? 'yes' : unlisted(`${before} entries before the void, ${after} after it`);
});
