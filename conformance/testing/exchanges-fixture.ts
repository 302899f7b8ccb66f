import type { OperationId } from '../../openapi/generated/validators.js';
import { type EndpointOperation, serviceOperations } from '../core/operations.ts';
import type { Finding } from '../oracle/findings.ts';
import { Oracle } from '../oracle/oracle.ts';

export interface ExchangeRow {
  readonly operation: OperationId;
  readonly name?: string;
  readonly request?: Record<string, unknown>;
  readonly status?: number;
  readonly response?: unknown;
  readonly key?: string | null;
  readonly isLost?: true;
  readonly query?: Record<string, string>;
  /** Milliseconds since the previous exchange. */
  readonly after?: number;
}

/** Returns the findings of an oracle about a table of exchanges. If a row is a list, its exchanges overlap. */
export function observeAll(rows: readonly (ExchangeRow | readonly ExchangeRow[])[], isOnlyClient = false): Finding[] {
  const oracle = new Oracle({ isOnlyClient });
  const findings: Finding[] = [];
  let at = Date.UTC(2026, 0, 1);
  for (const row of rows) {
    const group = [row].flat() as ExchangeRow[];
    at += group[0]?.after ?? 100;
    const tickets = group.map(() => oracle.begin());
    for (const [index, each] of group.entries())
      findings.push(...oracle.observe({ ...exchangeFrom(each), ticket: tickets[index] ?? 0, at, ms: 1 }));
  }
  return [...findings, ...oracle.end()];
}

export function exchangeFrom(row: ExchangeRow) {
  const { operation: id, name, request, status = 200, response, key = 'key-1', isLost, query } = row;
  const operation = serviceOperations.find((each) => each.id === id) as EndpointOperation;
  const value = operation.parameter === undefined ? '' : encodeURIComponent(name ?? 'a%b');
  const isText = status >= 400 && response === undefined;
  const body = isText ? 'Refused.' : response === undefined ? '' : JSON.stringify(response);
  return {
    method: operation.method,
    target: `${operation.prefix}${value}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: key === null ? {} : { 'x-api-key': key },
    body: request ? JSON.stringify(request) : '',
    response: isLost ? undefined : { status, headers: { 'content-type': isText ? 'text/plain' : 'application/json' }, body },
  };
}

type Fields<T = unknown> = Record<string, T>;

const link = 'https://a.example/';
export const cardJson = (code: string, balance: number, status = 'Active', more = {}) => {
  const links = { viewBalanceUrl: link, appleWalletUrl: link, googleWalletUrl: link };
  return { id: `id-${code}`, code, balance, currency: 'EUR', status, ...links, ...more };
};

export function createRow(code: string, balance: number, more: Fields = {}, row: Partial<ExchangeRow> = {}): ExchangeRow {
  return { operation: 'createGiftCard', request: { code, balance, ...more }, response: cardJson(code, balance), ...row };
}

export function get(code: string, balance: number, status?: string): ExchangeRow {
  return { operation: 'getGiftCardByCode', name: code, response: cardJson(code, balance, status) };
}

let adjustments = 0;
const adjustment = (amount: number) => {
  adjustments += 1;
  return { adjustmentAmount: amount, actionedAtUtc: '2025-12-01T00:00:00Z', uniqueAdjustmentId: `u${adjustments}` };
};

const adjusting =
  (operation: OperationId, nameOf: (code: string) => Fields) =>
  (code: string, amount: number, more: Fields = {}, row: Partial<ExchangeRow> = {}): ExchangeRow => {
    return { operation, request: { ...nameOf(code), ...adjustment(amount), ...more }, response: true, ...row };
  };

export const adjustRow = adjusting('addAdjustmentByGiftCardCode', (code) => ({ giftCardCode: code }));
export const adjustByIdRow = adjusting('addAdjustmentByGiftCardId', (code) => ({ giftCardId: `id-${code}` }));

export const voidRow = (code: string): ExchangeRow => ({ operation: 'voidGiftCardByCode', name: code });

export function listRow(giftCards: readonly unknown[], query: Fields<string> = {}, totalCount = giftCards.length): ExchangeRow {
  return { operation: 'listGiftCards', query, response: { giftCards, totalCount } };
}
