import type { Behaviors } from '../../../openapi/generated/clauses.ts';
import type { Asked } from '../../pipeline/context.ts';
import type { Answer } from '../../pipeline/exchange.ts';
import { windowOf } from '../../pipeline/precedence.ts';

/** Gives an answer the headers that behaviors add, and takes away what they leave out. */
export type Dress = (answer: Answer, asked: Asked) => Answer;

type Headers = Record<string, string>;
type Change = (headers: Headers, status: number, asked: Asked) => void;

/** Undefined where the behaviors leave the headers as they are. */
export function dressOf(behaviors: Behaviors): Dress | undefined {
  const changes: Change[] = [];
  if (behaviors['errors.rejection-charset'] === 'none') changes.push(withoutCharset);
  if (behaviors['limits.retry-after'] === 'seconds') changes.push(retryAfter);
  if (behaviors['limits.rate-headers'] === 'x-rate-limit') changes.push(rate);
  if (behaviors['http.cross-origin'] === 'always') changes.push(crossOrigin);
  if (changes.length === 0) return undefined;
  return (answer, asked) => {
    const headers: Headers = { ...answer.headers };
    for (const change of changes) change(headers, answer.status, asked);
    return { ...answer, headers };
  };
}

const withoutCharset: Change = (headers, status) => {
  const type = headers['content-type'];
  if (status === 400 && type !== undefined) headers['content-type'] = type.split(';', 1)[0] as string;
};

const retryAfter: Change = (headers, status, asked) => {
  if (status === 429) headers['retry-after'] = String(secondsLeft(asked));
};

/** limits.rate-headers: the limit, what is left of it, and the seconds until more of it is free; nothing where no request is ever refused. */
const rate: Change = (headers, _, asked) => {
  const window = windowOf(asked);
  if (!asked.holder || window.limit === Number.POSITIVE_INFINITY) return;
  headers['x-ratelimit-limit'] = String(window.limit);
  headers['x-ratelimit-remaining'] = String(window.limit - window.used(asked.now, asked.behaviors['limits.rate-window']));
  headers['x-ratelimit-reset'] = String(secondsLeft(asked));
};

const crossOrigin: Change = (headers) => {
  headers['access-control-allow-origin'] = '*';
};

function secondsLeft(asked: Asked): number {
  return Math.ceil(windowOf(asked).until(asked.now, asked.behaviors['limits.rate-window']) / 1000);
}
