import { evidence } from '../safety/evidence.ts';
import type { Exchange } from './exchange.ts';
import type { Names } from './redactor.ts';
import type { Received, Sent } from './transport.ts';

/** An exchange for reports: secrets have placeholders, long bodies are cut. Requests outside the service keep no headers or bodies. `key`: the run's key. */
export function redactExchange(
  sent: Sent,
  answer: Received & { json: unknown },
  names: Names,
  key: string,
): Omit<Exchange, 'at' | 'ms'> {
  const { method, text, own, outside } = sent;
  return {
    method,
    path: names.mask(visiblePath(sent)),
    ...(own ? {} : { elsewhere: names.mask(sent.base) }),
    requestHeaders: outside ? {} : redactHeaders(sent.headers, names, key),
    ...(text === undefined || outside ? {} : { requestBody: names.mask(shortened(text)) }),
    status: answer.status,
    contentType: names.mask(answer.contentType),
    body: outside ? '' : redactBody(sent, answer, names),
  };
}

export const redactAnswerHeaders = (headers: Readonly<Record<string, string>>, names: Names): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, names.mask(value)]));

/** Without query and fragment for requests outside the service. */
export const visiblePath = ({ outside, path }: Sent): string => (outside ? (path.split(/[?#]/)[0] ?? '') : path);

/** Longest body of an answer in a report, in characters: lists repeat often. */
const LONGEST_BODY = 4_000;

function redactBody({ own, path }: Sent, answer: Received & { json: unknown }, names: Names): string {
  const text = own && path.startsWith('/api/') ? evidence(answer, names) : names.mask(answer.body);
  return text.length > LONGEST_BODY ? `${text.slice(0, LONGEST_BODY / 2)}… (${text.length} characters)` : text;
}

function redactHeaders(headers: Sent['headers'], names: Names, key: string): Record<string, string> {
  const redacted = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (lower === 'accept') return [];
    if (lower === 'x-api-key') return [[name, value === key ? '«key»' : (names.of(value) ?? '«another key»')]];
    return [[name, names.mask(value)]];
  });
  return Object.fromEntries(redacted);
}

/** Cuts a request body that is large on purpose. */
function shortened(text: string): string {
  return text.length > 20_000 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}
