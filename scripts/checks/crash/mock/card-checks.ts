import { isDeepStrictEqual } from 'node:util';
import type { MockClient } from './client.ts';
import type { ExpectedEffects } from './effects.ts';
import { ACCOUNT, type BalanceChange, cardPathOf, type ExpectedCard, KEY } from './expected-card.ts';

/** The number of requests whose journal entries are checked. The journal keeps more. */
const RECENT = 100;

interface History {
  readonly giftCard: { readonly id: string; readonly balance: number; readonly status: string };
  readonly adjustments: readonly { readonly notes: string; readonly amount: number }[];
}

/** Checks that the journal has exactly one successful request with each of these unique values. */
export async function checkJournal(mock: MockClient, acknowledged: readonly string[]): Promise<string[]> {
  const { entries } = await mock.get(`/__mock/accounts/${ACCOUNT}/journal?status=200&limit=1000`);
  const counts = new Map<string, number>();
  for (const { request } of entries) {
    const { uniqueId, uniqueAdjustmentId } = JSON.parse(request.body ?? '{}');
    const name = uniqueId ?? uniqueAdjustmentId;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return acknowledged.slice(-RECENT).flatMap((name) => {
    const count = counts.get(name) ?? 0;
    return count === 1 ? [] : [`the journal has ${count} successful requests with ${name}, which was acknowledged once`];
  });
}

/**
 * Finds out whether the requests about a card that got no response have happened, and repeats them if they have a unique value. The repeat must be
 * refused if the request has happened, and must succeed otherwise. Afterwards, everything about the card is known.
 */
export async function repeatLostRequests(mock: MockClient, card: ExpectedCard): Promise<string[]> {
  const violations: string[] = [];
  const { code, uniqueId } = card.request;
  const before = await historyOf(mock, code);
  if (card.id === undefined) {
    const { status, body } = await mock.read('POST', '/api/GiftCard/Create', card.request, KEY);
    if (status !== (before ? 400 : 200)) violations.push(`${code}: a repeated create with ${uniqueId} returned ${status}`);
    card.id = before?.giftCard.id ?? body.id;
  }
  if (card.voiding === 'sent') card.voiding = before?.giftCard.status === 'Voided' ? 'acknowledged' : 'none';
  for (const [name, change] of card.changes) {
    if (change.isAcknowledged) continue;
    change.isAcknowledged = before?.adjustments.some(({ notes }) => notes === name) ?? false;
    violations.push(...(await repeatAdjustment(mock, card, name, change)));
    if (!change.isAcknowledged) card.changes.delete(name);
  }
  return violations;
}

async function repeatAdjustment(mock: MockClient, card: ExpectedCard, name: string, change: BalanceChange): Promise<string[]> {
  const { adjustment, isAcknowledged: wasMade } = change;
  if (!adjustment) return [];
  const { status, body } = await mock.read('POST', cardPathOf(adjustment), adjustment, KEY);
  change.isAcknowledged ||= status === 200;
  const saysUsed = status === 400 && /already been created/.test(body);
  // Without the first request, the card may still refuse the adjustment: it is voided, or its balance is too small.
  const isRight = wasMade ? saysUsed : !saysUsed;
  return isRight ? [] : [`${card.request.code}: the repeated ${name}, made before: ${wasMade}, returned ${status}: ${body}`];
}

/** Compares a card with what the client expects. All requests have a response, and all deliveries have ended. */
export async function checkCard(mock: MockClient, card: ExpectedCard, effects: ExpectedEffects): Promise<string[]> {
  const { request, id = '', isNotified, voiding, changes } = card;
  const history = await historyOf(mock, request.code);
  if (!history) return [`${request.code}: the acknowledged card is missing`];
  const { giftCard, adjustments } = history;
  const isVoided = voiding === 'acknowledged';
  const amounts = Array.from(changes.values(), ({ amount }) => amount);
  const balance = amounts.reduce((sum, amount) => sum + amount, request.balance);
  const orders = [...changes.values()].filter(({ adjustment }) => !adjustment).length;
  const lasting = effects.webhooks.filter(({ url }) => !url.endsWith('/failing')).map(() => 1);
  return differences(request.code, {
    id: [giftCard.id, id],
    isVoided: [giftCard.status === 'Voided', isVoided],
    balance: [giftCard.balance, isVoided ? 0 : balance],
    changes: [
      adjustments.map(({ notes, amount }) => `${notes} ${amount}`).sort(),
      Array.from(changes, ([name, { amount }]) => `${name} ${amount}`).sort(),
    ],
    'deliveries of giftcard/updated': [
      effects.deliveries(id, 'giftcard/updated'),
      lasting.map((each) => each * (isNotified ? 1 + orders : 0)),
    ],
    'deliveries of giftcard/voided': [effects.deliveries(id, 'giftcard/voided'), lasting.map((each) => (isVoided ? each : 0))],
    'emails about the card': [effects.emails(id, 'gift-card'), isNotified ? 1 : 0],
    'emails about orders': [effects.emails(id, 'balance-change'), isNotified ? orders : 0],
  });
}

async function historyOf(mock: MockClient, code: string): Promise<History | undefined> {
  const path = `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`;
  const { status, body } = await mock.read('GET', path, undefined, KEY);
  return status === 200 ? body : undefined;
}

/** Returns a violation for each pair whose values are not equal. */
export function differences(
  what: string,
  compared: Readonly<Record<string, readonly [found: unknown, expected: unknown]>>,
): string[] {
  return Object.entries(compared).flatMap(([name, [found, expected]]) =>
    isDeepStrictEqual(found, expected)
      ? []
      : [`${what}: ${name} must be ${JSON.stringify(expected)}, got ${JSON.stringify(found)}`],
  );
}
