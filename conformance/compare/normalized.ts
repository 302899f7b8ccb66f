import type { JsonObject } from '../../openapi/document.ts';
import type { Reader } from '../../openapi/effective/reader.ts';
import { operations } from '../core/operations.ts';
import type { RunResult } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';
import { jsonIn } from '../http/json-text.ts';

/** An exchange as it is held beside another: under the contract's own names, whatever the target calls things. */
export interface Spoken {
  readonly exchange: Exchange;
  /** The operation's ID in the contract; method and path for what is none. */
  readonly operation: string;
  /** Parameters, and the body. */
  readonly request: { readonly query: JsonObject; readonly body: unknown };
  /** As JSON; a text where it is none. */
  readonly answer: unknown;
  /** Reports keep the beginning of a long answer only, which says nothing about the rest. */
  readonly isWhole: boolean;
  readonly headers: Readonly<Record<string, string>>;
}

/** A run, with what its result does not tell. */
export interface Ran {
  readonly result: RunResult;
  readonly headersOf: (exchange: Exchange) => Readonly<Record<string, string>>;
  /** What stands in every value that it made up, in whatever case. */
  readonly mark: string | undefined;
}

/** Has one name for the mark of whichever run. */
export function unmarking({ mark }: Pick<Ran, 'mark'>): (text: string) => string {
  if (mark === undefined) return (text) => text;
  const pattern = new RegExp(mark, 'gi');
  return (text) => text.replace(pattern, '«run»');
}

export type Speaker = (exchange: Exchange) => Spoken;

/** Reads exchanges of one run through what it saw of the target's own names. */
export function speaker(reader: Reader, ran: Ran): Speaker {
  const unmarked = unmarking(ran);
  const known = new WeakMap<Exchange, Spoken>();
  return (exchange) => {
    const spoken = known.get(exchange) ?? spokenOf(bare(exchange, unmarked), reader, ran.headersOf(exchange));
    known.set(exchange, spoken);
    return spoken;
  };
}

const bare = (exchange: Exchange, unmarked: (text: string) => string): Exchange => ({
  ...exchange,
  path: unmarked(exchange.path),
  ...(exchange.requestBody === undefined ? {} : { requestBody: unmarked(exchange.requestBody) }),
  body: unmarked(exchange.body),
});

function spokenOf(exchange: Exchange, reader: Reader, headers: Spoken['headers']): Spoken {
  const { method, path, elsewhere, requestBody, status, body } = exchange;
  const [place = '', query = ''] = path.split('?');
  const found =
    elsewhere === undefined ? operations.find((each) => each.method === method && each.inAnyCase.test(place)) : undefined;
  const operation = found?.id ?? `${method} ${place}`;
  const entries = [...new URLSearchParams(query)].map(([name, value]) => [reader.parameter(operation, name), value]);
  const answer = jsonOrText(body);
  const succeeded = status >= 200 && status < 300;
  return {
    exchange,
    operation,
    request: {
      query: Object.fromEntries(entries),
      body: requestBody === undefined ? undefined : reader.request(operation, jsonOrText(requestBody)),
    },
    answer: succeeded ? reader.answer(operation, answer) : answer,
    isWhole: !/… \(\d+ characters\)$/.test(body) && !/^\(\d+ characters that are no JSON\)$/.test(body),
    headers,
  };
}

function jsonOrText(text: string): unknown {
  const json = jsonIn(text);
  return json === undefined ? text : json;
}
