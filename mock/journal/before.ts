import { createHash } from 'node:crypto';
import type { RefusalCode } from '../pipeline/problems.ts';
import type { Exchange } from './entry.ts';

/** An earlier request as a snapshot keeps it: enough to know it again, and nothing of what it said. */
export interface Before {
  /** On the account's clock. */
  readonly at: number;
  readonly refusal?: RefusalCode | undefined;
  readonly digest: string;
}

export function beforeOf(earlier: Exchange | Before | undefined): Before | null {
  if (earlier === undefined) return null;
  const { at, refusal } = earlier;
  return { at, ...(refusal === undefined ? {} : { refusal }), digest: digestOf(earlier) };
}

/** Whether the same was asked for again. */
export function isSame(earlier: Exchange | Before, exchange: Exchange): boolean {
  if ('digest' in earlier) return earlier.digest === digestOf(exchange);
  return earlier.method === exchange.method && earlier.target === exchange.target && earlier.body?.text === exchange.body?.text;
}

function digestOf(request: Exchange | Before): string {
  if ('digest' in request) return request.digest;
  const { method, target, body } = request;
  return createHash('sha1')
    .update(JSON.stringify([method, target, body?.text]))
    .digest('base64');
}
