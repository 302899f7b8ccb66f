import { evidence } from '../safety/evidence.ts';
import type { Exchange } from './exchange.ts';
import type { Names } from './redactor.ts';
import type { Received, Sent } from './transport.ts';

/** An exchange as reports show it: secrets have names, and what is long is cut. Of what goes beside the service neither headers nor bodies are told. `key` is that of the run. */
export function toldExchange(
  sent: Sent,
  answer: Received & { json: unknown },
  names: Names,
  key: string,
): Omit<Exchange, 'at' | 'ms'> {
  const { method, text, own, outside } = sent;
  return {
    method,
    path: names.mask(toldPath(sent)),
    ...(own ? {} : { elsewhere: names.mask(sent.base) }),
    requestHeaders: outside ? {} : toldHeaders(sent.headers, names, key),
    ...(text === undefined || outside ? {} : { requestBody: names.mask(shortened(text)) }),
    status: answer.status,
    contentType: names.mask(answer.contentType),
    body: outside ? '' : toldBody(sent, answer, names),
  };
}

export const masked = (headers: Readonly<Record<string, string>>, names: Names): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, names.mask(value)]));

/** Of what goes beside the service, neither query nor fragment. */
export const toldPath = ({ outside, path }: Sent): string => (outside ? (path.split(/[?#]/)[0] ?? '') : path);

/** A list is asked for many times, and nobody reads the fiftieth of its cards: where a clause needs them, it says what it found. */
const longestTold = 4_000;

function toldBody({ own, path }: Sent, answer: Received & { json: unknown }, names: Names): string {
  const told = own && path.startsWith('/api/') ? evidence(answer, names) : names.mask(answer.body);
  return told.length > longestTold ? `${told.slice(0, longestTold / 2)}… (${told.length} characters)` : told;
}

function toldHeaders(headers: Sent['headers'], names: Names, key: string): Record<string, string> {
  const told = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (lower === 'accept') return [];
    if (lower === 'x-api-key') return [[name, value === key ? '«key»' : (names.of(value) ?? '«another key»')]];
    return [[name, names.mask(value)]];
  });
  return Object.fromEntries(told);
}

/** A body that is large on purpose need not fill the report. */
function shortened(text: string): string {
  return text.length > 20_000 ? `${text.slice(0, 500)}… (${text.length} characters)` : text;
}
