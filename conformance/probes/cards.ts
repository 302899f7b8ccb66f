import { setTimeout as pause } from 'node:timers/promises';
import { probe, somethingElse } from '../core/clause.ts';
import { accepted, giftCard } from '../core/expect.ts';
import { cardNames, customFieldNames } from '../core/spec-constants.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arraysIn, instantOf, type Leaf, leaves } from '../http/structure.ts';
import { rowAt } from '../learn/rows.ts';
import { booked, history } from '../scenarios/adjustments.ts';
import { getByCode, getById } from '../scenarios/card-requests.ts';
import { type Card, card } from '../scenarios/cards.ts';
import { deletedCard } from '../scenarios/fixtures.ts';
import { furtherRows } from '../scenarios/further-properties.ts';
import { fullCard, plainCard, plainFields } from '../scenarios/shared-cards.ts';
import { calledAt } from './names.ts';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The plain card as it is looked up, on a target that finds no others by codes that no card has. */
async function shownCard(t: Trial, isWanted: typeof plainCard = plainCard): Promise<{ on: Card; answer: Answer }> {
  await isWanted(t);
  return t.shared('plain card, looked up', async (shared) => {
    const on = await plainCard(shared);
    const answer = arranged(await getByCode(shared, on.code), 'looking the card up');
    const none = await getByCode(shared, shared.run.ledger.fresh('GCSNONE'));
    if (none.status === 200) throw new Untested('control-failed', 'a code that no card has finds one');
    return { on, answer };
  });
}

probe('gift-card.response.id-form', {}, async (t) => {
  const { id } = (await shownCard(t)).on;
  await t.control('the ID finds the card', async () => accepted(await getById(t, id), 'it'));
  if (typeof id === 'number') return 'number';
  return guid.test(id) ? 'guid' : 'other-string';
});

interface Changed {
  on: Card;
  before: Leaf[];
  after: Leaf[];
  /** The card itself, at its creation and after the change. */
  json: [unknown, unknown];
}

/** A card as it is created, and as it is once its balance has gone up and down and its time of update has moved. */
function changed(t: Trial): Promise<Changed> {
  return t.shared('card before and after a change', async (shared) => {
    const on = await card(shared, { balance: 0.75 });
    const before = leaves(on.answer.json);
    let answer = on.answer;
    // Up by more than down, so that the initial value is neither the balance nor all that was ever loaded.
    for (const ms of [20, 1_100]) {
      await pause(ms);
      await booked(shared, on, 0.14);
      await booked(shared, on, -0.11);
      answer = await getByCode(shared, on.code);
      if (updated(before, leaves(answer.json)).length > 0) break;
    }
    return { on, before, after: leaves(answer.json), json: [on.answer.json, giftCard(answer)] };
  });
}

/** Times that moved; those within arrays belong to what is listed there. */
function updated(before: readonly Leaf[], after: readonly Leaf[]): Leaf[] {
  return after.filter(({ path, value }) => {
    const was = instantOf(before.find((leaf) => leaf.path === path)?.value);
    return !/\/\d+\//.test(path) && was !== undefined && instantOf(value) !== undefined && instantOf(value) !== was;
  });
}

probe('gift-card.response.initial-value-name', {}, async (t) => {
  const { after } = await changed(t);
  return calledAt(after.find(({ value }) => value === 0.75)?.path, ['initialValue', 'originalValue', 'initialBalance']);
});

probe('gift-card.response.expiry-name', {}, async (t) => {
  const { answer } = await shownCard(t, fullCard);
  const wanted = instantOf(plainFields.expiresAtUtc);
  const shown = leaves(answer.json).find(({ value }) => instantOf(value) === wanted);
  return calledAt(shown?.path, ['expiresAtUtc', 'expiresAt', 'expiryDate']);
});

probe('gift-card.response.updated-name', {}, async (t) => {
  const { before, after } = await changed(t);
  return calledAt(updated(before, after)[0]?.path, ['updatedAtUtc', 'updatedAt', 'lastUpdatedAtUtc']);
});

probe('gift-card.response.created-name', {}, async (t) => {
  const { before, after } = await changed(t);
  const moved = updated(before, after);
  const start = instantOf(before.find(({ path }) => path === moved[0]?.path)?.value);
  const stayed = after.filter(
    ({ path, value }) => !moved.some((leaf) => leaf.path === path) && instantOf(value) !== undefined && !/\/\d+\//.test(path),
  );
  // Where the time of update is shown, the time of creation is what that was at first, and needs no name to be known by.
  const created = stayed.find(({ path, value }) =>
    start === undefined ? /creat|issu/i.test(path) : Math.abs((instantOf(value) ?? 0) - start) < 5_000,
  );
  return calledAt(created?.path, ['createdAtUtc', 'createdAt', 'issuedAtUtc']);
});

probe('gift-card.response.recipient-nesting', {}, async (t) => {
  const card = leaves((await shownCard(t, fullCard)).answer.json);
  const paths = [plainFields.recipientName, plainFields.recipientEmailAddress].map(
    (given) => card.find(({ value }) => value === given)?.path,
  );
  const shown = paths.join(' and ');
  if (shown === '/recipientName and /recipientEmailAddress') return 'flat';
  if (shown === '/recipient/name and /recipient/emailAddress') return 'nested';
  const properties = ['GiftCard.recipientName', 'GiftCard.recipientEmailAddress'];
  const rows = properties.flatMap((property, index) => rowAt(property, paths[index]));
  return somethingElse(shown === ' and ' ? 'not shown' : `at ${shown}`, { rows });
});

const statedProperties: readonly string[] = [...cardNames, ...customFieldNames];

probe('gift-card.response.further-properties', {}, async (t) => {
  const answer = giftCard((await shownCard(t, fullCard)).answer);
  const further = Object.keys(answer).filter((name) => !statedProperties.includes(name));
  // What happened to it is a question of its own.
  if (further.every((name) => Array.isArray(answer[name]))) return 'named-only';
  const { recipientName, recipientEmailAddress, buyerName, buyerEmailAddress, giftMessage } = plainFields;
  const given = [recipientName, recipientEmailAddress, buyerName, buyerEmailAddress, giftMessage];
  const shown = new Set(leaves(answer).map(({ value }) => value));
  const rows = await furtherRows(t, await fullCard(t));
  if (!given.every((value) => shown.has(value))) return somethingElse(further.join(', '), { rows });
  return rows.length === 0 ? 'those-of-the-request' : { reading: 'those-of-the-request', shown: { rows } };
});

/** What shows the plain card's notes: the text in which they stand. */
async function notesShown(t: Trial): Promise<{ inCard: string | undefined; inHistory: string | undefined }> {
  const { on, answer } = await shownCard(t, fullCard);
  const texts = (json: unknown) => leaves(json).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const shownIn = (json: unknown) => texts(json).find((text) => text.includes(plainFields.notes));
  return { inCard: shownIn(answer.json), inHistory: shownIn((await history(t, on.code)).json) };
}

probe('gift-card.notes-shown-where', {}, async (t) => {
  const { inCard, inHistory } = await notesShown(t);
  if (inCard !== undefined) return 'in-the-answer';
  return inHistory === undefined ? 'nowhere' : somethingElse('in the history of adjustments');
});

probe('gift-card.notes-origin-and-own-text', {}, async (t) => {
  const { inCard } = await notesShown(t);
  if (inCard === undefined) throw new Untested('fact-missing', 'the answer does not show the card’s notes');
  const [before, after] = inCard.split(plainFields.notes).map((text) => text.trim());
  if (before === '' && after === '') return somethingElse('without a record of the origin');
  if (before !== '' && after !== '') return somethingElse('the own text in the middle');
  return before === '' ? 'own-text-first' : 'origin-first';
});

/** A list that has something in it when the card is created, and more after it was used. */
probe('gift-card.timeline-shown-where', {}, async (t) => {
  const { json } = await changed(t);
  const [before, after] = json.map((card) => arraysIn(card));
  const grew = after?.some(({ path, items }) => {
    const was = before?.find((each) => each.path === path)?.items.length ?? 0;
    return was > 0 && items.length > was;
  });
  return grew ? 'in-the-answer' : 'nowhere';
});

/** Of a card that was Active when it was deleted. */
probe('gift-card.deleted-shown-as', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  const { id, record } = await deletedCard(t, deletedCode);
  const answer = await getById(t, id);
  const shown = (answer.status === 200 ? answer.json : record) as { status?: unknown };
  if (shown.status === 'Voided') return 'Voided';
  return shown.status === 'Active' ? 'as-it-was' : somethingElse(String(shown.status ?? 'not shown'));
});
