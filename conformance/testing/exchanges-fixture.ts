import type { OperationId } from '../../openapi/generated/validators.js';
import { type Operation, operations } from '../core/operations.ts';
import type { Finding } from '../oracle/findings.ts';
import { createOracle } from '../oracle/oracle.ts';

/** One exchange of a table; those of a row that is a list are under way at once. */
export interface Row {
  readonly does: OperationId;
  readonly named?: string;
  readonly asked?: Record<string, unknown>;
  readonly status?: number;
  readonly told?: unknown;
  readonly key?: string | null;
  readonly lost?: true;
  readonly query?: Record<string, string>;
  /** Milliseconds since the one before. */
  readonly after?: number;
}

/** Feeds an oracle with a table of exchanges and returns all that it finds, with how often each clause held. */
export function judged(rows: readonly (Row | readonly Row[])[], onlyClient = false) {
  const oracle = createOracle({ onlyClient });
  const findings: Finding[] = [];
  let at = Date.UTC(2026, 0, 1);
  for (const row of rows) {
    const group = [row].flat() as Row[];
    at += group[0]?.after ?? 100;
    const tickets = group.map(() => oracle.begin());
    for (const [index, each] of group.entries())
      findings.push(...oracle.observe({ ...observed(each), ticket: tickets[index] ?? 0, at, ms: 1 }));
  }
  findings.push(...oracle.end());
  return { findings, held: oracle.held };
}

function observed({ does, named, asked, status = 200, told, key = 'key-1', lost, query }: Row) {
  const operation = operations.find(({ id }) => id === does) as Operation;
  const value = operation.parameter === undefined ? '' : encodeURIComponent(named ?? 'a%b');
  const isText = status >= 400 && told === undefined;
  const body = isText ? 'Refused.' : told === undefined ? '' : JSON.stringify(told);
  return {
    method: operation.method,
    target: `${operation.prefix}${value}${query ? `?${new URLSearchParams(query)}` : ''}`,
    headers: key === null ? {} : { 'x-api-key': key },
    body: asked ? JSON.stringify(asked) : '',
    answer: lost ? undefined : { status, headers: { 'content-type': isText ? 'text/plain' : 'application/json' }, body },
  };
}

const links = {
  viewBalanceUrl: 'https://a.example/',
  appleWalletUrl: 'https://a.example/',
  googleWalletUrl: 'https://a.example/',
};
export const card = (code: string, balance: number, status = 'Active', more = {}) => ({
  id: `id-${code}`,
  code,
  balance,
  currency: 'EUR',
  status,
  ...links,
  ...more,
});
export const create = (code: string, balance: number, more: Record<string, unknown> = {}, answer: Partial<Row> = {}): Row => ({
  does: 'createGiftCard',
  asked: { code, balance, ...more },
  told: card(code, balance),
  ...answer,
});
export const get = (code: string, balance: number, status?: string): Row => ({
  does: 'getGiftCardByCode',
  named: code,
  told: card(code, balance, status),
});
let unique = 0;
export const adjust = (code: string, amount: number, more: Record<string, unknown> = {}, answer: Partial<Row> = {}): Row => {
  unique += 1;
  return {
    does: 'addAdjustmentByGiftCardCode',
    asked: {
      giftCardCode: code,
      adjustmentAmount: amount,
      actionedAtUtc: '2025-12-01T00:00:00Z',
      uniqueAdjustmentId: `u${unique}`,
      ...more,
    },
    told: true,
    ...answer,
  };
};
export const byId = (code: string, amount: number, more: Record<string, unknown> = {}, answer: Partial<Row> = {}): Row => {
  const { asked, ...row } = adjust(code, amount, more, answer);
  return { ...row, does: 'addAdjustmentByGiftCardId', asked: { ...asked, giftCardCode: undefined, giftCardId: `id-${code}` } };
};
export const voided = (code: string): Row => ({ does: 'voidGiftCardByCode', named: code });
export const list = (cards: readonly unknown[], query: Record<string, string> = {}, totalCount = cards.length): Row => ({
  does: 'listGiftCards',
  query,
  told: { giftCards: cards, totalCount },
});
