import { customFieldNames } from '../core/spec-constants.ts';
import { issueTime } from '../http/structure.ts';
import { cardFieldIn } from '../proxy/operations.ts';
import { amountIn, cardIn, type Fields, fieldsOf, hasPlans, type Read, textIn } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import type { Change, SeenCard } from './card.ts';
import { onlyListIn } from './entries.ts';
import { addressesIn } from './mailing.ts';
import { exactInstantOf } from './moments.ts';
import { overlap, type Span } from './span.ts';

/** What an exchange shows to have happened, written down before anything is judged by it. */
export function learn(read: Read, account: SeenAccount, decimals: number): void {
  const { seen, accepted, told } = read;
  if (accepted && !account.worked) account.worked = seen;
  account.currency.learn(read);
  account.hooks.learn(read);
  account.events.learn(read);
  learnStir(read, account);
  for (const name of ['uniqueId', 'uniqueAdjustmentId']) {
    const unique = textIn(read.asked?.[name]);
    if (unique !== undefined) account.send(unique);
  }
  if (accepted)
    eachCard(told, ({ code, id }, status) => {
      const card =
        read.operation === 'createGiftCard'
          ? account.created(code, id)
          : account.shown(code, id, status === 'Voided' || status === 'Expired');
      if (!card.shownAs.has(status)) card.shownAs.set(status, seen);
      if (showsDeleted(read)) card.maybeDeleted ||= card.known === undefined;
      else knownSince(card, read);
    });
  if (read.operation === 'createGiftCard') learnCreate(read, account, decimals);
  else if (isAdjustment(read)) learnAdjustment(read, account, decimals);
  else if (isVoid(read)) learnVoid(read, account);
  else if (isHistory(read) && accepted) learnHistory(read, account);
  else if (isLookup(read) && accepted) learnLook(read, account);
  else if (isLookup(read) && read.status === 404) cardOf(read, account)?.missed.push({ span: seen, by: wayOf(read) });
}

const mostStirs = 3_000;

/** An event may run several automations. */
function learnStir({ seen, operation, refused, accepted, inDoubt }: Read, account: SeenAccount): void {
  if (refused || !(accepted || inDoubt)) return;
  const isEvent = operation === 'createAutomationTriggerEvent';
  if (!isEvent && !/^(create|void)GiftCard|^addAdjustment/.test(operation)) return;
  if (inDoubt) account.inDoubt = seen;
  account.stirs.push(...Array.from({ length: isEvent ? 3 : 1 }, () => seen));
  if (account.stirs.length > mostStirs) account.stirs.splice(0, mostStirs / 2);
}

export const isAdjustment = ({ operation }: Read) =>
  operation === 'addAdjustmentByGiftCardCode' || operation === 'addAdjustmentByGiftCardId';
export const isVoid = ({ operation }: Read) => operation === 'voidGiftCardByCode' || operation === 'voidGiftCardById';
export const isLookup = ({ operation }: Read) => operation === 'getGiftCardByCode' || operation === 'getGiftCardById';
export const isHistory = ({ operation }: Read) =>
  operation === 'listAdjustmentsByGiftCardCode' || operation === 'listAdjustmentsByGiftCardId';

/** Whether the operation names its card by code or by id. */
export const wayOf = ({ operation }: Read): 'code' | 'ID' => (/Id$/.test(operation) ? 'ID' : 'code');

/** The card that a request names, where it does so in a way that everybody reads alike. */
export function cardOf(read: Read, account: SeenAccount): SeenCard | undefined {
  const by = wayOf(read);
  const value = isAdjustment(read)
    ? namedIn(read)
    : Object.entries(read.parameters).find(([name]) => /^(code|id|giftCardId)$/.test(name))?.[1];
  return value === undefined || read.seen.doubtful ? undefined : account.named(by, value);
}

/** What names the card in the body of an adjustment. */
function namedIn({ operation, asked = {} }: Read): string | undefined {
  if (operation === 'addAdjustmentByGiftCardCode') return textIn(asked.giftCardCode);
  const name = cardFieldIn(asked);
  const value = name === undefined ? undefined : asked[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Whether a deleted card is found otherwise than in a list that asks for those is open; only that a list without them has it shows that it is there. */
function knownSince(card: SeenCard, { seen, operation }: Read): void {
  if (card.maybeDeleted && operation !== 'createGiftCard' && operation !== 'listGiftCards') return;
  card.maybeDeleted = false;
  card.known ??= seen;
}

/** A list that was asked, in whatever way, for deleted cards, too. */
export const showsDeleted = ({ operation, parameters, seen }: Read) =>
  operation === 'listGiftCards' &&
  (seen.doubtful === true || Object.entries(parameters).some(([name, value]) => /^includeAll$/i.test(name) && value !== 'false'));

/** Cards by their stated names, wherever they stand in an answer. */
function eachCard(json: unknown, found: (names: { readonly code: string; readonly id: string }, status: unknown) => void): void {
  if (typeof json !== 'object' || json === null) return;
  const card = fieldsOf(json) && 'balance' in json ? cardIn(json) : undefined;
  if (card) found(card, fieldsOf(json)?.status);
  for (const inner of Object.values(json)) eachCard(inner, found);
}

function learnCreate(read: Read, account: SeenAccount, decimals: number): void {
  const { seen, accepted, asked = {}, told } = read;
  const names = cardIn(told);
  const code = textIn(asked.code);
  if (read.inDoubt && code !== undefined) account.perhapsGiven(code, seen);
  if (!accepted || !names) return;
  const card = account.shown(names.code, names.id);
  const { balance, status } = fieldsOf(told) ?? {};
  const uniqueId = textIn(asked.uniqueId);
  if (!hasPlans(asked)) account.contents.add(createdWith(asked));
  // A create that is answered with a card that was there before has made none.
  const isRepeat = card.made !== undefined;
  if (!isRepeat) account.handOver(card, names.code, seen);
  card.made ??= {
    ...{ span: seen, code: names.code, customFields: customFieldsIn(asked), addresses: addressesIn(asked) },
    issuedAt: exactInstantOf(issueTime(told)),
    balance,
    hasPlans: hasPlans(asked),
  };
  if (uniqueId !== undefined && !isRepeat) use(account.uniqueIds, uniqueId, { span: seen, card, by: 'create', content: '' });
  if (typeof balance === 'number' && amountIn(asked.balance, decimals) !== undefined)
    card.addLook({ span: seen, balance, status });
}

function customFieldsIn(asked: Fields): Record<string, string> {
  const given = customFieldNames.flatMap((name): [string, string][] => {
    const text = textIn(asked[name]);
    return text === undefined ? [] : [[name, text]];
  });
  return Object.fromEntries(given);
}

function learnLook(read: Read, account: SeenAccount): void {
  const { seen, told } = read;
  const { balance, status } = fieldsOf(told) ?? {};
  const names = cardIn(told);
  if (!names || typeof balance !== 'number') return;
  account.shown(names.code, names.id).addLook({ span: seen, balance, status });
}

function learnHistory({ seen, told }: Read, account: SeenAccount): void {
  const { length } = onlyListIn(told) ?? [];
  if (length !== undefined && length > (account.longest?.length ?? 0)) account.longest = { span: seen, length };
}

function learnAdjustment(read: Read, account: SeenAccount, decimals: number): void {
  const { seen, accepted, refused, inDoubt, asked = {}, told } = read;
  const card = cardOf(read, account);
  if (!card) {
    // Something was moved, and nobody knows of which card.
    if (accepted || inDoubt) account.forget(seen.ended);
    return;
  }
  const [by, unique, notes] = [wayOf(read), textIn(asked.uniqueAdjustmentId), textIn(asked.notes)];
  if (refused) card.refusals.push({ span: seen, notes, amount: amountIn(asked.adjustmentAmount, decimals) });
  if (!accepted && !inDoubt) return;
  const others = by === 'code' ? account.othersMeant(card) : [];
  const change: Change = {
    span: seen,
    amount: asked.adjustmentAmount === undefined ? undefined : amountIn(asked.adjustmentAmount, decimals),
    inDoubt: inDoubt || told !== true || others.length > 0 || isMadeAtOnce(card, seen),
    notes,
    actionedAt: exactInstantOf(asked.actionedAtUtc),
  };
  for (const each of [card, ...others]) each.changes.push(change);
  if (change.inDoubt) return;
  if (!account.taken.has(read.operation)) account.taken.set(read.operation, seen);
  if (change.actionedAt !== undefined) account.latestTaken = Math.max(account.latestTaken, change.actionedAt - seen.at);
  knownSince(card, read);
  if (unique === undefined) return;
  use(account.uniqueAdjustmentIds, unique, { span: seen, card, by, content: contentOf(asked) });
}

/** What a create asks for, beside its code and its unique value. */
export const createdWith = ({ code, uniqueId, ...others }: Fields): string => JSON.stringify(Object.entries(others).toSorted());

/** What an adjustment asks for, beside its card and its unique value. */
export const contentOf = ({ adjustmentAmount, notes, actionedAtUtc }: Fields): string =>
  JSON.stringify([adjustmentAmount, notes, actionedAtUtc]);

/** What passes while a card is made may be of one before it, which a create without an answer has made. */
const isMadeAtOnce = ({ made }: SeenCard, seen: Span) => made !== undefined && overlap(made.span, seen);

function learnVoid(read: Read, account: SeenAccount): void {
  const { seen, accepted, inDoubt } = read;
  const card = cardOf(read, account);
  if (!card) {
    if (accepted || inDoubt) account.forget(seen.ended);
    return;
  }
  if (!accepted && !inDoubt) return;
  const others = wayOf(read) === 'code' ? account.othersMeant(card) : [];
  for (const each of [card, ...others])
    each.voids.push({ span: seen, by: wayOf(read), inDoubt: inDoubt || others.length > 0 || isMadeAtOnce(card, seen) });
  if (accepted) knownSince(card, read);
}

function use<T>(uses: Map<string, T[]>, value: string, one: T): void {
  const known = uses.get(value);
  if (known) known.push(one);
  else uses.set(value, [one]);
}
