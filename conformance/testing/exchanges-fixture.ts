import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { Tally } from '../proxy/finding.ts';
import type { Body, Seen } from '../proxy/seen.ts';
import { Watch } from '../proxy/watch.ts';

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

export const json = (value: unknown): Body => (value === undefined ? { is: 'empty' } : { is: 'json', json: value, size: 100 });

export function judged(rows: readonly (Row | readonly Row[])[], onlyClient = false) {
  const tally = new Tally(onlyClient, () => {});
  const watch = new Watch(new Reader(standardDocument, []), tally);
  let [sequence, n, at] = [0, 0, Date.UTC(2026, 0, 1)];
  for (const row of rows) {
    const group = [row].flat() as Row[];
    at += group[0]?.after ?? 100;
    const began = group.map(() => {
      sequence += 1;
      watch.begun(sequence);
      return sequence;
    });
    for (const [index, { does, named, asked, status = 200, told, key = 'key-1', lost, query = {} }] of group.entries()) {
      sequence += 1;
      n += 1;
      const isText = status >= 400 && told === undefined;
      const seen: Seen = {
        ...{
          n,
          began: began[index] ?? 0,
          ended: sequence,
          at,
          ms: 1,
          method: asked ? 'POST' : /^void|^delete/.test(does) ? 'DELETE' : 'GET',
          path: does,
          own: true,
          operation: does,
        },
        parameters: {
          ...(named === undefined
            ? {}
            : { [/ListAdj.*Id$|^list.*Id$/.test(does) ? 'giftCardId' : /Id$/.test(does) ? 'id' : 'code']: named }),
          ...query,
        },
        ...(key === null ? {} : { key }),
        body: json(asked),
        ...(lost
          ? { lost: { why: 'broken off by the target', unsent: false, code: 'ECONNRESET' } as const }
          : { status, type: isText ? 'text/plain' : 'application/json' }),
        answer: lost ? { is: 'empty' } : isText ? { is: 'text' } : json(told),
      };
      watch.ended(seen);
    }
  }
  return tally;
}

export const found = (rows: readonly (Row | readonly Row[])[], onlyClient = false) =>
  judged(rows, onlyClient)
    .findings.filter(({ kind }) => kind !== 'open' && kind !== 'client')
    .map(({ kind, clause, exchanges }) => [kind, clause, exchanges]);

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
