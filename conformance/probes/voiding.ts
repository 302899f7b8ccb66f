import { probe, somethingElse } from '../core/clause.ts';
import { holds } from '../core/expect.ts';
import { otherBody } from '../core/form.ts';
import { arraysIn, placeOf } from '../http/structure.ts';
import type { Card } from '../scenarios/cards.ts';
import { voidedThenTried } from '../scenarios/voided.ts';

probe('gift-card.void.body', {}, async (t) => {
  const { on, voidedByCode: answer } = await voidedThenTried(t);
  const { json, body } = answer;
  if (json === true) return 'true';
  if (body.trim() === '') return 'empty';
  const { id, code } = (json ?? {}) as { id?: unknown; code?: unknown };
  return id === on.id && code === on.code ? 'the-card' : otherBody(json, cardPart(json, on));
});

/** Where the answer has the card as such, if it has. */
function cardPart(json: unknown, on: Card): { schema: string; path: string } | undefined {
  const path = placeOf(json, ({ id, code }) => id === on.id && code === on.code);
  return path === undefined ? undefined : { schema: 'GiftCard', path };
}

probe('gift-card.void.again', {}, async (t) => {
  const { againByCode, againById } = await voidedThenTried(t);
  const statuses = [againByCode.status, againById.status];
  holds(
    statuses.every((status) => status < 500 && status !== 401),
    'voiding a voided card accepted or refused',
    statuses.join(' and '),
  );
  const behaviors = { '200': 'accepted', '400': 'refused', '404': 'not-found' } as const;
  const [first, second] = statuses.map((status) => behaviors[String(status) as keyof typeof behaviors]);
  return first !== undefined && first === second ? first : somethingElse(`answers ${statuses.join(' by code and ')} by ID`);
});

probe('gift-card.void.in-history', {}, async (t) => {
  const { on, historyBefore, historyAfter } = await voidedThenTried(t);
  const [before, after] = [historyBefore, historyAfter].map(({ json }) => {
    // What happened to the card may stand in the card, too.
    const card = placeOf(json, ({ id, code }) => id === on.id && code === on.code);
    const lists = arraysIn(json).filter(({ path }) => !card || !path.startsWith(`${card}/`));
    return lists.reduce((sum, { items }) => sum + items.length, 0);
  });
  if (after === before) return 'no';
  return after === (before ?? 0) + 1 ? 'yes' : somethingElse(`${before} entries before the void, ${after} after it`);
});
