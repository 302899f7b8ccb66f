import { shortList } from '../core/card-list.ts';
import type { Trial } from '../core/trial.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { adjustment, topUp } from './bodies.ts';
import { balanceOf } from './card-requests.ts';
import type { Card } from './cards.ts';
import { everyEndpoint, orUnknown, sendNoted } from './endpoints.ts';
import { beyond, burst, freshMinute, isExcess, LIMIT } from './rate.ts';
import { plainCard, purse } from './shared-cards.ts';

/** What a minute with more requests than the limit is like. */
export interface Excess {
  /** The answers to as many as the limit admits, sent to several endpoints. */
  within: Answer[];
  /** The first 429, if one came. */
  refusal: Answer | undefined;
  /** How many were answered before it, and how many of all those to the list, where it came. */
  answered: number;
  atList: number;
  /** What every endpoint answers then, and what the list answers after them. */
  endpoints: [string, Answer][];
  still: Answer | undefined;
  /** An adjustment that is malformed, and a list with a deleted key where the profile has one. */
  malformed: Answer | undefined;
  withDeletedKey: Answer | undefined;
  /** The balance that the adjustments among all these were not to change, before and after. */
  balances: [number, number];
  /** The same request a minute later, some times over: the first that was not answered, if any was not. */
  later: Answer;
}

/** Such a minute, once for all checks that look at one. */
export function excess(t: Trial): Promise<Excess> {
  return t.shared('more requests than the limit', async (shared) => {
    const [on, other] = [await purse(shared), await plainCard(shared)];
    const before = await balanceOf(shared, on.code);
    let seen = await minute(shared, on, other);
    // A minute that ended in between, as minutes of a clock do, is no longer in the way of the next try.
    if (sharing(seen) === undefined) seen = await minute(shared, on, other);
    await freshMinute(shared);
    const afterwards = await burst(shared, 'list a minute later', [shortList], 20);
    const later = afterwards.find(({ status }) => status !== 200) ?? (afterwards[0] as Answer);
    // Whoever is let in no more cannot look; that a minute helps is the control of all that look at balances.
    return { ...seen, later, balances: [before, isExcess(later) ? before : await balanceOf(shared, on.code)] };
  });
}

/**
 * Whether requests to all endpoints count together or those to each by themselves, where it is one of the two: the first is refused after as many as
 * the limit to all of them, or after as many to its own.
 */
export function sharing({ answered, atList, refusal }: Pick<Excess, 'answered' | 'atList' | 'refusal'>) {
  if (refusal === undefined) return undefined;
  if (answered <= LIMIT) return 'together';
  return atList === LIMIT ? 'each-endpoint' : undefined;
}

async function minute(t: Trial, on: Card, other: Card): Promise<Omit<Excess, 'later' | 'balances'>> {
  const get = (path: string): Ask => ({ method: 'GET', path: `/api/${path}` });
  const named = encodeURIComponent(other.code);
  const various = [
    shortList,
    get(`GiftCard/GetByCode/${named}`),
    get('Company/Profile'),
    get(`GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${named}`),
    get('Webhook/List'),
  ];
  const all = await everyEndpoint(t, on.code, on.id);
  await freshMinute(t);
  const within = await burst(t, 'ask five endpoints in turn', various, LIMIT);
  const more = within.some(isExcess) ? [] : await burst(t, 'list', [shortList], LIMIT + 1, isExcess);
  const answered = [...within, ...more].findIndex(isExcess);
  const toList = [...within.filter((_, index) => index % various.length === 0), ...more];
  const atList = toList.filter(({ status }) => status === 200).length;
  const refusal = [...within, ...more].find(isExcess);
  if (!refusal)
    return {
      within,
      refusal,
      answered: within.length + more.length,
      atList,
      endpoints: [],
      still: undefined,
      malformed: undefined,
      withDeletedKey: undefined,
    };
  const endpoints: [string, Answer][] = [];
  const doubtful: [string, Answer][] = [];
  for (const ask of all) {
    const what = `${ask.method} ${ask.path.split('/').slice(0, 4).join('/')}`;
    const answer = await sendNoted(t, ask, (noted) => beyond(t, `${what} beyond the limit`, noted));
    if (answer.status === ask.otherwise) doubtful.push([what, answer]);
    else endpoints.push([what, answer]);
  }
  const created = await orUnknown(cardBeyond(t));
  if (created) endpoints.push(['POST /api/GiftCard/Create', created]);
  const body = { ...topUp(t, on), adjustmentAmount: 'many' };
  const malformed = await beyond(t, 'a malformed adjustment beyond the limit', { ...adjustment, body, odd: true });
  const unknown = get(`GiftCard/GetByCode/${t.run.ledger.fresh('GCSNONE')}`);
  const absent = await beyond(t, 'look up a code that no card has beyond the limit', unknown);
  // Which refusal wins is open, and a target is to keep to what it does elsewhere.
  endpoints.push(...doubtful.filter(([, { status }]) => isExcess(status === 404 ? absent : malformed)));
  const { deletedKey } = t.run.profile;
  const withDeletedKey =
    deletedKey === undefined
      ? undefined
      : await beyond(t, 'list with a deleted key beyond the limit', { ...shortList, key: deletedKey });
  const still = await beyond(t, 'list beyond the limit');
  return { within, refusal, answered, atList, endpoints, still, malformed, withDeletedKey };
}

/** What is let in although it should not be is voided like anything else. */
async function cardBeyond(t: Trial): Promise<Answer> {
  const { ledger } = t.run;
  const code = ledger.fresh();
  const entry = ledger.open(code, undefined);
  const body = { balance: 0.5, code, uniqueId: ledger.unique('GCS-U'), disableEmails: true };
  const ask: Ask = { method: 'POST', path: '/api/GiftCard/Create', body, entry };
  const answer = await beyond(t, 'create a card beyond the limit', ask);
  ledger.settle(entry, answer);
  return answer;
}
