import { accepted, giftCard, hasStatus, holds, same } from '../../core/expect.ts';
import type { Answer } from '../../http/exchange.ts';
import { issueTime } from '../../http/structure.ts';
import { history as historyByCode, historyById } from '../../scenarios/adjustments.ts';
import { getByCode, getById, voidByCode, voidById } from '../../scenarios/card-requests.ts';
import { create as createCard } from '../../scenarios/cards.ts';
import { adjust, adjustAgain, send } from './adjusting.ts';
import { list, listPages, listSince } from './listing.ts';
import { holdsBalance, look, refusedWith } from './look.ts';
import type { ModelCard } from './model.ts';
import type { By, Step } from './steps.ts';
import { history } from './telling.ts';
import { states, type Walker } from './walker.ts';

/** Takes one step and holds what comes of it against what is known. A step for which there is no card is left out. Throws Contradiction. */
export async function take(walker: Walker, step: Step): Promise<void> {
  const { model } = walker;
  switch (step.does) {
    case 'create':
      return create(walker, step.amount);
    case 'list':
      return list(walker);
    case 'list-pages':
      return listPages(walker, step.size);
    case 'top-up':
      return on(model.living(step.card), (card) => adjust(walker, card, way(walker, step.by), step.amount));
    case 'redeem':
      return on(model.living(step.card), (card) => adjust(walker, card, way(walker, step.by), -step.amount));
    case 'redeem-whole':
      return on(model.living(step.card), async (card) => {
        const amount = -(card.balance + step.more);
        // What an adjustment of nothing does is open.
        if (amount !== 0) await adjust(walker, card, way(walker, step.by), amount);
      });
    case 'adjust-again':
      return on(model.living(step.card), async (card) => {
        const earlier = model.earlier(step.earlier);
        if (earlier) await adjustAgain(walker, card, way(walker, step.by), earlier, step.amount);
      });
    case 'create-again':
      return on(model.living(step.card), (card) => createAgain(walker, card, step.with));
    case 'void':
      return on(model.card(step.card), (card) => voidCard(walker, card, step.by));
    case 'get':
      return on(model.card(step.card), async (card) => {
        walker.tell(`look ${card.name} up by ${step.by}`);
        await look(walker, card, step.by);
      });
    case 'history':
      return on(model.card(step.card), (card) => history(walker, card, step.by));
    case 'list-since':
      return on(model.card(step.card), (card) => listSince(walker, card));
    case 'with-key':
      return on(model.living(step.card), (card) => meddle(walker, card, step));
  }
}

const on = async (card: ModelCard | undefined, act: (card: ModelCard) => Promise<void>) => card && act(card);

/** By ID only where the field that names the card is known. */
const way = ({ canById }: Walker, by: By): By => (canById ? by : 'code');

async function create(walker: Walker, units: number): Promise<void> {
  const { model, t } = walker;
  const name = `card#${model.cards.length + 1}`;
  const uniqueId = t.run.ledger.unique('GCS-U');
  const { code, answer } = await createCard(t, { balance: walker.amount(units), uniqueId });
  walker.tell(`create ${name} with ${walker.money(units)} → ${answer.status}`);
  const what = `${name}, as its create answers it,`;
  states('gift-card.create.answers-200', () => accepted(answer, `creating ${name}`));
  const { id, ...shown } = states('gift-card.create.returns-the-card', () => giftCard(answer, what));
  states('gift-card.create.keeps-given-code', () =>
    holds(shown.code === code, `${what} with the code that was asked for`, 'another'),
  );
  states('gift-card.create.starts-with-given-balance', () => holdsBalance(walker, shown.balance, { name, balance: units }));
  states('gift-card.create.starts-active', () => same(shown.status, 'Active', `the status of ${what}`));
  if (typeof id !== 'string' && typeof id !== 'number')
    return states('gift-card.response.has-named-fields', () => holds(false, `${what} with an id`, JSON.stringify(id)));
  const card = model.add({ name, code, uniqueId, id, issuedAt: issueTime(answer.json), balance: units });
  await look(walker, card, 'code', 'gift-card.create.starts-with-given-balance');
}

async function createAgain(walker: Walker, card: ModelCard, what: 'code' | 'uniqueId'): Promise<void> {
  const { answer } = await createCard(walker.t, { balance: walker.amount(1), [what]: card[what] });
  const words = `create a card with the ${what} of ${card.name}`;
  walker.tell(`${words} → ${answer.status}`);
  const clause = what === 'code' ? 'gift-card.create.refuses-taken-code' : 'idempotency.create.refuses-repeat';
  await refusedWith(walker, answer, 400, words, clause, card);
}

async function voidCard(walker: Walker, card: ModelCard, by: By): Promise<void> {
  const again = card.voided;
  const answer = by === 'ID' ? await voidById(walker.t, card.id) : await voidByCode(walker.t, card.code);
  const words = `void ${card.name}${again ? ' once more' : ''} by ${by}`;
  walker.tell(`${words} → ${answer.status}`);
  const clause = by === 'ID' ? 'gift-card.void.by-id-voids' : 'gift-card.void.by-code-voids';
  // What a second void is answered with is open.
  if (!again) states(clause, () => accepted(answer, words));
  walker.model.void(card);
  await look(walker, card, 'code');
}

/** Whatever is tried with a key of another account finds nothing, with a key of nobody is not let in, and changes nothing. */
async function meddle(walker: Walker, card: ModelCard, step: Extract<Step, { does: 'with-key' }>): Promise<void> {
  const { key, what } = step;
  const by = what === 'top-up' ? way(walker, step.by) : step.by;
  const { profile, ledger } = walker.t.run;
  const used = key === 'second' ? profile.secondKey : `wrong-${ledger.fresh()}`;
  if (used === undefined) return;
  const answer = await meddling(walker, card, what, by, used);
  const words = `${tried[what](card.name)} by ${by} with ${key === 'second' ? 'the key of another account' : 'a key that nobody has'}`;
  walker.tell(`${words} → ${answer.status}`);
  const [status, clause] =
    key === 'second'
      ? ([404, 'authentication.foreign-record-is-404'] as const)
      : ([401, 'authentication.wrong-key-is-401'] as const);
  states(clause, () => hasStatus(answer, status, words));
  await look(walker, card, 'code', clause);
}

const tried = {
  get: (card: string) => `look ${card} up`,
  'top-up': (card: string) => `top ${card} up`,
  void: (card: string) => `void ${card}`,
  history: (card: string) => `look at the history of ${card}`,
};

function meddling(walker: Walker, card: ModelCard, what: keyof typeof tried, by: By, key: string): Promise<Answer> {
  const { t } = walker;
  if (what === 'get') return by === 'ID' ? getById(t, card.id, key) : getByCode(t, card.code, key);
  if (what === 'void') return by === 'ID' ? voidById(t, card.id, key) : voidByCode(t, card.code, key);
  if (what === 'history') return by === 'ID' ? historyById(t, card.id, key) : historyByCode(t, card.code, key);
  const asked = walker.adjustment(1);
  walker.model.refusedNotes.push(asked.notes);
  return send(walker, card, by, asked, key);
}
