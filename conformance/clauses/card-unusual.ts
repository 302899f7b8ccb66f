import { clause } from '../core/clause.ts';
import { accepted, giftCard, holds, same, sameAmount } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { entriesWith } from '../http/structure.ts';
import { adjustFunctions, byCode, history } from '../scenarios/adjustments.ts';
import { cardViews, valuesIn } from '../scenarios/card-views.ts';
import { type Card, cardOf, create, getByCode, getById, voidByCode } from '../scenarios/cards.ts';
import { pastCard, plainCard, zeroCard } from '../scenarios/shared-cards.ts';

/** What is stated of cards that are unlike others: whether a target takes them is open, and where it does, the same holds of them. */

/** Untested where a target refuses what it may refuse. */
function wasTaken(answer: Answer, what: string): void {
  if (answer.status === 400 || answer.status === 422)
    throw new Untested('fact-missing', `${what} is refused here, which it may be`);
  arranged(answer, what);
}

clause('gift-card.create.active-when-empty-or-expired', {}, async (t) => {
  await t.control('a plain create', async () => accepted((await plainCard(t)).answer, 'it'));
  const created = [
    ['a balance of zero', await zeroCard(t)],
    ['an expiry in the past', await pastCard(t)],
  ] as const;
  const judged = created.filter(([, { answer }]) => answer.status === 200);
  for (const [what, { answer }] of judged) same(giftCard(answer).status, 'Active', `status of a card created with ${what}`);
  if (judged.length === 0) for (const [what, { answer }] of created) wasTaken(answer, `a card with ${what}`);
});

/** Letters that are more than one, or more than two bytes, and lines. */
const oddFields = {
  customField1: 'gift 🎁, Cafe\u0301',
  customField2: 'first line\nsecond line',
  customField3: 'ORDER-0042-0043-0044-0045-0046-0047-0048-0049-0050-0051-0052-0053',
};

const letters = 'of many letters '.repeat(7);
const longFields = {
  customField1: `${oddFields.customField1} ${letters}.`,
  customField2: `${oddFields.customField2} ${letters}.`,
  customField3: `${oddFields.customField3} ${letters}.`,
};

clause('gift-card.custom-fields.unchanged-for-good', {}, async (t) => {
  const long = await create(t, { balance: 0.5, ...longFields });
  const isLongTaken = long.answer.status === 200;
  if (!isLongTaken) t.doesNotCheck('texts of more than a hundred letters, which the target refuses');
  const created = isLongTaken ? long : await create(t, { balance: 0.5, ...oddFields });
  const fields = isLongTaken ? longFields : oddFields;
  wasTaken(created.answer, 'a card with letters beyond ASCII, a new line and 64 letters in its custom fields');
  const on = cardOf(created);
  const keeps = (answer: Answer, when: string) => {
    const card = giftCard(answer);
    for (const [name, value] of Object.entries(fields)) same(card[name], value, `${name} ${when}`);
  };
  keeps(on.answer, 'in the answer to its creation');
  keeps(await getByCode(t, on.code), 'by code');
  arranged(await byCode(t, on, -0.1), `adjusting ${on.name}`);
  keeps(await getByCode(t, on.code), 'after an adjustment');
  arranged(await voidByCode(t, on.code), `voiding ${on.name}`);
  keeps(await getById(t, on.id), 'by ID, after a void');
});

/** Given, added and taken away: a float of four bytes does not hold what they make. */
const [given, added, taken] = [1234.57, 234567.83, 2345.68];

clause('gift-card.amounts-large', { needs: ['playMoney'] }, async (t) => {
  const byLast = (await adjustFunctions(t)).at(-1) ?? byCode;
  const created = await create(t, { balance: given });
  wasTaken(created.answer, `a card of ${given}`);
  const on = cardOf(created);
  await holdsInFull(t, on, given);
  wasTaken(await byCode(t, on, added), `a top-up of ${added}`);
  await holdsInFull(t, on, given + added);
  wasTaken(await byLast(t, on, -taken), `a redemption of ${taken}`);
  await holdsInFull(t, on, given + added - taken);
  const told = arranged(await history(t, on.code), 'the history').json;
  holds(entriesWith(told, [added, taken]) !== undefined, `entries of ${added} and of ${taken}`, JSON.stringify(told));
});

async function holdsInFull(t: Trial, on: Card, balance: number): Promise<void> {
  for (const { how, value } of valuesIn(await cardViews(t, on), 'balance')) sameAmount(value, balance, `balance ${how}`);
}
