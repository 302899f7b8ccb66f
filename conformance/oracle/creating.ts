import { customFieldNames } from '../core/spec-constants.ts';
import type { Docket } from '../proxy/finding.ts';
import { amountIn, cardIn, fieldsOf, type Read, textIn } from '../proxy/read.ts';
import { refusedOtherwise, tellsWhyIn } from '../proxy/rejection.ts';
import type { SeenAccount } from './account.ts';
import { isSame, type SeenCard } from './card.ts';
import { createdWith } from './learn.ts';
import { isBefore, overlap, type Span, withinDay } from './span.ts';

/** What is stated of creating a card, beside the form of the answer. */
export function judgeCreate(read: Read, account: SeenAccount, decimals: number, docket: Docket): void {
  judgeUniqueId(read, account, docket);
  judgeCode(read, account, docket);
  if (read.status === 200 && fieldsOf(read.told)) judgeCard(read, account, decimals, docket);
}

function judgeCard(read: Read, account: SeenAccount, decimals: number, docket: Docket): void {
  const { seen, asked = {}, told } = read;
  const { code, balance, status, ...shown } = fieldsOf(told) ?? {};
  const check = (holds: boolean, clause: Parameters<Docket['holds']>[0], what: string) =>
    holds ? docket.holds(clause) : docket.violates(clause, what, seen.n);
  const given = textIn(asked.code);
  if (given !== undefined && given.trim() === given && typeof code === 'string')
    check(code === given, 'gift-card.create.keeps-given-code', 'A card was created with a code and has another.');
  // A name that is not there is told by itself.
  if (read.asked && given === undefined && !asked.code && code !== undefined) {
    const clause = 'gift-card.create.generates-code';
    if (typeof code !== 'string' || code.trim() === '')
      docket.violates(clause, 'A card was created without a code, and got none.', seen.n);
    else if (isTaken(read, account, code))
      docket.contradicts(clause, 'A card was created without a code, and got that of another card.', seen.n);
    else docket.holds(clause);
  }
  const wanted = amountIn(asked.balance, decimals);
  if (wanted !== undefined && typeof balance === 'number')
    check(
      isSame(balance, wanted),
      'gift-card.create.starts-with-given-balance',
      `A card was created with ${wanted} and has ${balance}.`,
    );
  if (status !== undefined)
    check(status === 'Active', 'gift-card.create.starts-active', `A new card is answered as ${JSON.stringify(status)}.`);
  for (const name of customFieldNames) {
    const text = textIn(asked[name]);
    if (text === undefined) continue;
    check(shown[name] === text, 'gift-card.create.stores-custom-fields', `${name} did not come back as it was given.`);
  }
}

function judgeUniqueId(read: Read, account: SeenAccount, docket: Docket): void {
  const { seen, asked = {}, accepted, refused, status } = read;
  const uniqueId = textIn(asked.uniqueId);
  const uses = uniqueId === undefined ? [] : (account.uniqueIds.get(uniqueId) ?? []);
  // Whether the value is free again when its card is voided is open, and so is for how long it is remembered.
  const binding = uses.filter(({ span, card }) => span.n !== seen.n && withinDay(span, seen) && !account.mayBeGoneAt(card, seen));
  const before = binding.find(({ span }) => isBefore(span, seen));
  if (before) {
    const words = `The uniqueId with which ${before.card.name} was created in exchange ${before.span.n}`;
    const clause = 'idempotency.create.refuses-repeat';
    if (accepted) docket.contradicts(clause, `${words} created another card, answered with ${status}.`, before.span.n, seen.n);
    else if (status === 400) {
      docket.holds(clause);
      if (isOrdinary(read, account)) tellsWhyIn(read, docket);
    } else if (refused && !refusedOtherwise.has(status) && isOrdinary(read, account))
      docket.contradicts(clause, `${words} was refused a second time with ${status} and not with 400.`, before.span.n, seen.n);
    return;
  }
  const beside = binding.find(({ span }) => overlap(span, seen) && span.n < seen.n);
  if (!accepted || !beside) return;
  docket.contradicts(
    'idempotency.create.parallel-makes-one',
    `Two creates that came at once with one uniqueId were both accepted.`,
    beside.span.n,
    seen.n,
  );
}

/** Whether the code is that of another card, which was there before or was created at once. */
function isTaken({ seen, told }: Read, account: SeenAccount, code: string): boolean {
  const mine = cardIn(told)?.id;
  return account
    .holdersOf(code)
    .some(
      (card) => card.id !== mine && !account.mayBeGoneAt(card, seen) && (card.isKnownBefore(seen) || isMadeBeside(card, seen)),
    );
}

/** The card of a create that was under way at the same time and was judged before. */
const isMadeBeside = ({ made }: SeenCard, seen: Span) => made !== undefined && overlap(made.span, seen) && made.span.n < seen.n;

function judgeCode(read: Read, account: SeenAccount, docket: Docket): void {
  const { seen, asked = {}, accepted, refused, status } = read;
  const code = textIn(asked.code);
  const holder = code === undefined ? undefined : holderOf(read, account, code);
  if (code !== undefined && accepted) judgeBeside(read, account, code, docket);
  // Whether a code is free again when its card is voided is open.
  if (!holder || account.mayBeGoneAt(holder, seen)) return;
  const span = holder.made?.span ?? holder.known;
  if (!span || !isBefore(span, seen)) return;
  const words = `The code of ${holder.name}, seen in exchange ${span.n},`;
  const clause = 'gift-card.create.refuses-taken-code';
  if (accepted) docket.contradicts(clause, `${words} was given to another card.`, span.n, seen.n);
  else if (status === 400) {
    docket.holds(clause);
    if (isOrdinary(read, account)) tellsWhyIn(read, docket);
  } else if (refused && !refusedOtherwise.has(status) && isOrdinary(read, account))
    docket.contradicts(clause, `${words} was refused to another card with ${status} and not with 400.`, span.n, seen.n);
}

/**
 * Nothing is known that may be wrong with it but that its code or its uniqueId was used before: which of two faults is told is open. What was sent several times
 * may be under way still.
 */
function isOrdinary({ asked = {} }: Read, account: SeenAccount): boolean {
  const [code, uniqueId] = [textIn(asked.code), textIn(asked.uniqueId)];
  return (
    account.contents.has(createdWith(asked)) &&
    (asked.code === undefined || (code !== undefined && account.holdersOf(code).some(({ made }) => made?.code === code))) &&
    (asked.uniqueId === undefined ||
      (uniqueId !== undefined && account.uniqueIds.has(uniqueId) && account.timesSent(uniqueId) <= 2))
  );
}

/** The card that had the code when the create was sent: where it was accepted all the same, the code leads to the new one already. */
function holderOf({ seen, told, accepted }: Read, account: SeenAccount, code: string) {
  const mine = accepted ? cardIn(told)?.id : undefined;
  return account.holdersOf(code).find((card) => card.isKnownBefore(seen) && (mine === undefined || card.id !== mine));
}

function judgeBeside({ seen, told }: Read, account: SeenAccount, code: string, docket: Docket): void {
  const mine = cardIn(told)?.id;
  const beside = account
    .holdersOf(code)
    .find((card) => card.id !== mine && isMadeBeside(card, seen) && !account.mayBeGoneAt(card, seen));
  if (!beside?.made || mine === undefined) return;
  docket.contradicts(
    'gift-card.create.refuses-taken-code',
    'Two creates that came at once with one code were both accepted.',
    beside.made.span.n,
    seen.n,
  );
}
