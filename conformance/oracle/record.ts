import { instantOf } from '../http/json-search.ts';
import { amountIn, type KnownAccount, type KnownCard } from './account.ts';
import {
  byOf,
  type CardNames,
  cardNameIn,
  cardNamesIn,
  type Fields,
  fieldsOf,
  type ObservedCall,
  overlaps,
  textIn,
} from './call.ts';

/** Records the cards in a response, the operation, and the unique values of the request. */
export function recordResponse(call: ObservedCall, account: KnownAccount): void {
  const { span, operation, outcome, request = {}, response } = call;
  for (const value of [request.uniqueId, request.uniqueAdjustmentId]) {
    const unique = textIn(value);
    if (unique !== undefined) account.timesSent.set(unique, (account.timesSent.get(unique) ?? 0) + 1);
  }
  if (outcome !== 'accepted') return;
  if (!account.accepted.has(operation)) account.accepted.set(operation, span);
  for (const fields of cardsIn(response)) recordCard(call, account, fields);
}

/** Returns all objects in a response that have a balance, a code and an ID. */
function cardsIn(json: unknown): Fields[] {
  if (typeof json !== 'object' || json === null) return [];
  const fields = fieldsOf(json);
  const inner = Object.values(json).flatMap(cardsIn);
  return fields && 'balance' in fields && cardNamesIn(fields) ? [fields, ...inner] : inner;
}

function recordCard({ span, operation, parameters }: ObservedCall, account: KnownAccount, fields: Fields): void {
  const names = cardNamesIn(fields) as CardNames;
  const hasOtherHolder =
    operation === 'createGiftCard' && !account.cardById(names.id) && account.holdersOf(names.code).length > 0;
  const card = account.findOrAdd(names, span);
  // Two cards now have the code, so a request with the code may mean either card.
  if (hasOtherHolder) card.uncertainChanges.push(span);
  if (!card.statuses.has(fields.status)) card.statuses.set(fields.status, span);
  // With includeAll, the list may show deleted cards, and a service need not find a deleted card. So such a list does not count as a proof that the card can be found.
  const mayBeDeleted = operation === 'listGiftCards' && Object.keys(parameters).some((name) => /^includeAll$/i.test(name));
  if (!mayBeDeleted) card.firstExchange ??= span;
  if (typeof fields.currency === 'string') account.currency ??= fields.currency;
}

export function recordCreate(call: ObservedCall, account: KnownAccount): void {
  const { outcome, request = {}, response } = call;
  const code = textIn(request.code);
  if (outcome === 'unknown' && code !== undefined) account.addUncertainCreate(code);
  const names = cardNamesIn(response);
  const card = outcome === 'accepted' && names ? account.cardById(names.id) : undefined;
  // If the card has a creation, the service returned a card that existed before.
  if (!card || card.creation) return;
  card.creation = call;
  addUse(account.uniqueIds, request.uniqueId, call);
  if (amountIn(request.balance, account.decimals) !== undefined) recordLookup(call, account);
}

export function recordLookup({ span, outcome, response }: ObservedCall, account: KnownAccount): void {
  const names = cardNamesIn(response);
  const { balance, status } = fieldsOf(response) ?? {};
  if (outcome === 'accepted' && names && typeof balance === 'number')
    account.cardById(names.id)?.lookUps.push({ span, balance, status });
}

/** Returns the card that a write certainly changed. If the card or the effect is uncertain, records an uncertain change and returns undefined. */
function changedCard(call: ObservedCall, account: KnownAccount, isExecuted: boolean): KnownCard | undefined {
  const { span } = call;
  const [by, name] = [byOf(call), cardNameIn(call)];
  const card = account.onlyCard(by, name);
  const isCreatedMeanwhile = card?.creation && overlaps(card.creation.span, span);
  if (card && isExecuted && !isCreatedMeanwhile) return card;
  account.addUncertainChange({ span, by, name, hasResponse: isExecuted });
  return undefined;
}

export function recordAdjustment(call: ObservedCall, account: KnownAccount): void {
  const { span, outcome, request = {}, response } = call;
  const actionedAt = exactInstantOf(request.actionedAtUtc);
  const change = { span, amount: amountIn(request.adjustmentAmount, account.decimals), actionedAt };
  if (outcome === 'refused') {
    account.onlyCard(byOf(call), cardNameIn(call))?.refusedAdjustments.push(change);
    return;
  }
  const isExecuted = outcome === 'accepted' && response === true;
  changedCard(call, account, isExecuted)?.adjustments.push(change);
  if (isExecuted) addUse(account.uniqueAdjustmentIds, request.uniqueAdjustmentId, call);
}

export function recordVoid(call: ObservedCall, account: KnownAccount): void {
  if (call.outcome === 'refused') return;
  changedCard(call, account, call.outcome === 'accepted')?.voids.push(call);
}

function addUse(uses: Map<string, ObservedCall[]>, value: unknown, call: ObservedCall): void {
  const unique = textIn(value);
  if (unique !== undefined) uses.set(unique, [...(uses.get(unique) ?? []), call]);
}

/** Returns the time in milliseconds since 1970. Returns undefined for a time without a zone. */
export const exactInstantOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? instantOf(value) : undefined;
