import { customFieldNames } from '../core/contract.ts';
import { arrays, arraysIn, instantOf, issueTime, mentions } from '../http/json-search.ts';
import type { Account, Use } from './account.ts';
import { byOf, type Call, cardIn, cardNameIn, type Fields, fieldsOf, textIn } from './call.ts';
import { amountIn, type KnownCard } from './card.ts';
import { overlaps } from './span.ts';

/** Notes what an exchange shows to have happened, before any check uses it. */
export function record(call: Call, account: Account): void {
  const { span, operation, outcome, request = {}, answer } = call;
  if (outcome === 'unsent') return;
  for (const value of [request.uniqueId, request.uniqueAdjustmentId]) {
    const unique = textIn(value);
    if (unique !== undefined) account.timesSent.set(unique, (account.timesSent.get(unique) ?? 0) + 1);
  }
  if (isWrite(operation) && outcome !== 'refused') {
    account.writes.push(span);
    if (account.writes.length > 3_000) account.writes.splice(0, 1_000);
    if (outcome === 'unknown') account.lastDoubt = span;
  }
  if (outcome === 'accepted') {
    if (!account.accepted.has(operation)) account.accepted.set(operation, span);
    for (const shown of cardsIn(answer)) recordShown(call, account, shown);
  }
  if (operation === 'createGiftCard') recordCreate(call, account);
  else if (isAdjustment(operation)) recordAdjustment(call, account);
  else if (isVoid(operation)) recordVoid(call, account);
  else if (isLookup(operation) && outcome === 'accepted') recordLook(call, account);
  else recordOthers(call, account);
}

export const isAdjustment = (operation: string) => operation.startsWith('addAdjustment');
export const isVoid = (operation: string) => operation.startsWith('voidGiftCard');
export const isLookup = (operation: string) => operation === 'getGiftCardByCode' || operation === 'getGiftCardById';
export const isHistory = (operation: string) => operation.startsWith('listAdjustments');
const isWrite = (operation: string) =>
  isAdjustment(operation) || isVoid(operation) || operation === 'createGiftCard' || operation === 'createAutomationTriggerEvent';

/** The cards anywhere in an answer, by their stated names. */
function cardsIn(json: unknown): Fields[] {
  if (typeof json !== 'object' || json === null) return [];
  const fields = fieldsOf(json);
  const inner = Object.values(json).flatMap(cardsIn);
  return fields && 'balance' in fields && cardIn(fields) ? [fields, ...inner] : inner;
}

function recordShown({ span, operation, parameters }: Call, account: Account, shown: Fields): void {
  const { code, id } = cardIn(shown) as { code: string; id: string };
  const card = operation === 'createGiftCard' ? account.created(code, id, span) : account.shown(code, id);
  if (!card.statuses.has(shown.status)) card.statuses.set(shown.status, span);
  // Whether a deleted card is found outside of such a list is open.
  const mayBeDeleted = operation === 'listGiftCards' && Object.keys(parameters).some((name) => /^includeAll$/i.test(name));
  if (!mayBeDeleted) card.known ??= span;
  if (typeof shown.currency === 'string') account.currency ??= { span, code: shown.currency };
}

function recordCreate({ span, outcome, request = {}, answer }: Call, account: Account): void {
  const code = textIn(request.code);
  if (outcome === 'unknown' && code !== undefined) account.perhapsCreated(code, span);
  const names = cardIn(answer);
  const card = outcome === 'accepted' && names ? account.byId(names.id) : undefined;
  // A create that returns a card that existed before has created none.
  if (!card || !names || card.creation) return;
  const { balance, status } = fieldsOf(answer) ?? {};
  const customFields = customFieldNames.flatMap((name): [string, string][] => {
    const text = textIn(request[name]);
    return text === undefined ? [] : [[name, text]];
  });
  card.creation = {
    ...{ span, code: names.code, balance, customFields: Object.fromEntries(customFields) },
    issuedAt: exactInstantOf(issueTime(answer)),
    isTimed: (request.expiresAtUtc ?? request.giftScheduledForUtc ?? undefined) !== undefined,
  };
  noteUse(account.uniqueIds, request.uniqueId, { span, card, operation: 'createGiftCard', request: JSON.stringify(request) });
  if (typeof balance === 'number' && amountIn(request.balance, account.decimals) !== undefined)
    card.addLook({ span, balance, status });
}

function recordLook({ span, answer }: Call, account: Account): void {
  const names = cardIn(answer);
  const { balance, status } = fieldsOf(answer) ?? {};
  if (names && typeof balance === 'number') account.shown(names.code, names.id).addLook({ span, balance, status });
}

/** The cards that a call may have changed; all, if nobody can say which one it names. */
const affected = (call: Call, account: Account): readonly KnownCard[] => {
  const name = cardNameIn(call);
  return name === undefined ? account.cards : account.meant(byOf(call), name);
};

/** Whether the effect is certain: on one card only, which was not created while the request was under way. */
const isCertain = ({ span, outcome }: Call, [card, ...others]: readonly KnownCard[]): boolean =>
  outcome === 'accepted' && others.length === 0 && !(card?.creation && overlaps(card.creation.span, span));

function recordAdjustment(call: Call, account: Account): void {
  const { span, operation, outcome, request = {}, answer } = call;
  const cards = affected(call, account);
  const [amount, notes] = [amountIn(request.adjustmentAmount, account.decimals), textIn(request.notes)];
  if (outcome === 'refused') {
    for (const card of cards) card.refusals.push({ span, amount, notes });
    return;
  }
  const [card] = cards;
  if (!card || cardNameIn(call) === undefined || answer !== true || !isCertain(call, cards)) {
    for (const each of cards) each.doubts.push(span);
    return;
  }
  card.changes.push({ span, amount, notes, actionedAt: exactInstantOf(request.actionedAtUtc) });
  noteUse(account.uniqueAdjustmentIds, request.uniqueAdjustmentId, { span, card, operation, request: JSON.stringify(request) });
}

function recordVoid(call: Call, account: Account): void {
  if (call.outcome === 'refused') return;
  const cards = affected(call, account);
  const isSure = cardNameIn(call) !== undefined && isCertain(call, cards);
  for (const card of cards) {
    if (isSure) card.voids.push({ span: call.span, by: byOf(call) });
    else card.doubts.push(call.span);
  }
}

function recordOthers({ span, operation, outcome, request = {}, answer, parameters }: Call, account: Account): void {
  if (operation === 'deleteWebhook' && outcome !== 'refused') account.deletions.push(span);
  if (outcome !== 'accepted') return;
  const [url, key] = [textIn(request.url), textIn(request.idempotency_key)];
  if (operation === 'createWebhook' && url !== undefined)
    account.registrations.push({ span, url, isEchoed: mentions(answer, url) });
  if (operation === 'deleteWebhook' && parameters.id !== undefined) account.deletedWebhooks.push({ span, id: parameters.id });
  if (key !== undefined && hasRun(answer) && !account.events.has(key))
    account.events.set(key, { span, request: JSON.stringify(request) });
}

/** Whether the answer to an event has a record with the status of an automation that ran. */
export const hasRun = (answer: unknown): boolean =>
  arrays(answer)
    .flat()
    .some((each) => mentions(each, 'Created'));

function noteUse(uses: Map<string, Use[]>, value: unknown, use: Use): void {
  const unique = textIn(value);
  if (unique !== undefined) uses.set(unique, [...(uses.get(unique) ?? []), use]);
}

/** In milliseconds since 1970; undefined without a zone. */
export const exactInstantOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? instantOf(value) : undefined;

/** The only list in an answer that is not part of another one; undefined if there are several. */
export function onlyListIn(answer: unknown): readonly unknown[] | undefined {
  const [list, ...others] = arraysIn(answer).filter(({ path }) => !/\/\d+(\/|$)/.test(path));
  return others.length === 0 ? list?.items : undefined;
}
