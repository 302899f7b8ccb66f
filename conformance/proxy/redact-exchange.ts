import { parseJson } from '../http/json-search.ts';
import { decompress } from '../http/transport.ts';
import { findOperation, splitTarget } from '../oracle/call.ts';
import type { ObservedExchange } from '../oracle/oracle.ts';
import type { ForwardedExchange } from './forwarder.ts';
import type { Pseudonymizer } from './pseudonymizer.ts';

/** The exchange for the oracle, the record and the reports. It has pseudonyms in place of keys, codes, links, addresses and texts. */
export function redactExchange(
  { at, ms, method, target, headers, body, answer, loss }: ForwardedExchange,
  pseudonymizer: Pseudonymizer,
): ObservedExchange {
  const operation = findOperation(method, splitTarget(target)[0])?.operation.id;
  const key = headers['x-api-key'];
  const { 'content-type': type = '', date } = answer?.headers ?? {};
  const text = (bytes: Buffer | undefined, encoding: string | undefined) =>
    readableText(bytes, encoding ?? '', (json) => pseudonymizer.body(json, operation));
  return {
    at,
    ms,
    method: /^[A-Z]{1,12}$/.test(method) ? method : 'OTHER',
    target: pseudonymizer.target(method, target),
    headers: {
      ...(key ? { 'x-api-key': pseudonymizer.key(String(key)) } : {}),
      ...(headers.authorization === undefined ? {} : { authorization: 'hidden' }),
    },
    body: text(body, headers['content-encoding']),
    answer: answer && {
      status: answer.status,
      headers: {
        'content-type': type.split(';', 1)[0]?.trim().slice(0, 60) ?? '',
        ...(date === undefined ? {} : { date: date.slice(0, 40) }),
      },
      body: text(answer.body, answer.headers['content-encoding']),
    },
    ...(loss?.reason === 'unreachable' ? { isUnsent: true } : {}),
  };
}

const maximumUnpacked = 32 * 1_048_576;

/** JSON with pseudonyms, or "(text)"; undefined for a body that cannot be read. */
function readableText(bytes: Buffer | undefined, encoding: string, hidden: (json: unknown) => unknown): string | undefined {
  const plain = bytes && decompress(bytes, encoding, maximumUnpacked);
  if (plain === undefined) return undefined;
  const text = new TextDecoder().decode(plain);
  if (text.trim() === '') return '';
  const json = parseJson(text);
  if (json !== undefined) return JSON.stringify(hidden(json));
  const isPacked = plain === bytes && !/^\s*(identity\s*)?$/i.test(encoding);
  return isPacked ? undefined : '(text)';
}
