import { probe, somethingElse } from '../core/clause.ts';
import { giftCard } from '../core/expect.ts';
import { cardNames, customFieldNames } from '../core/spec-constants.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves } from '../http/structure.ts';
import { rowAt } from '../learn/rows.ts';
import { getByCode, getById } from '../scenarios/card-requests.ts';
import type { Card } from '../scenarios/cards.ts';
import { deletedCard } from '../scenarios/fixtures.ts';
import { furtherRows } from '../scenarios/further-properties.ts';
import { fullCard, plainCard, plainFields } from '../scenarios/shared-cards.ts';

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

/** Of a card that was Active when it was deleted. */
probe('gift-card.deleted-shown-as', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  const { id, record } = await deletedCard(t, deletedCode);
  const answer = await getById(t, id);
  const shown = (answer.status === 200 ? answer.json : record) as { status?: unknown };
  if (shown.status === 'Voided') return 'Voided';
  return shown.status === 'Active' ? 'as-it-was' : somethingElse(String(shown.status ?? 'not shown'));
});
