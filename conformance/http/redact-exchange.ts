import type { Exchange } from './exchange.ts';
import type { Redactor } from './redactor.ts';
import type { Received, Sent } from './transport.ts';

/** An exchange for reports: secrets have placeholders, long bodies are cut. Requests outside the service keep no headers or bodies. `key`: the run's key. */
export function redactExchange(
  sent: Sent,
  answer: Received & { json: unknown },
  redactor: Redactor,
  key: string,
): Omit<Exchange, 'at' | 'ms'> {
  const { method, text, own, outside } = sent;
  const shown = own && sent.path.startsWith('/api/') ? evidence(answer, redactor) : redactor.mask(answer.body);
  return {
    method,
    path: redactor.mask(visiblePath(sent)),
    ...(own ? {} : { elsewhere: redactor.mask(sent.base) }),
    requestHeaders: outside ? {} : redactHeaders(sent.headers, redactor, key),
    ...(text === undefined || outside ? {} : { requestBody: redactor.mask(cut(text, 20_000)) }),
    status: answer.status,
    contentType: redactor.mask(answer.contentType),
    body: outside ? '' : cut(shown, 4_000),
  };
}

/** Without query and fragment for requests outside the service. */
export const visiblePath = ({ outside, path }: Sent): string => (outside ? (path.split(/[?#]/)[0] ?? '') : path);

/** The beginning of a text that is longer than `longest` characters: lists repeat often, and some request bodies are large on purpose. */
const cut = (text: string, longest: number): string =>
  text.length > longest ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;

function redactHeaders(headers: Sent['headers'], redactor: Redactor, key: string): Record<string, string> {
  const redacted = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const lower = name.toLowerCase();
    if (lower === 'accept') return [];
    if (lower === 'x-api-key') return [[name, value === key ? '«key»' : (redactor.of(value) ?? '«another key»')]];
    return [[name, redactor.mask(value)]];
  });
  return Object.fromEntries(redacted);
}

/**
 * The part of an answer that a report shows. Records that the run did not create are kept as shapes only: {"code":"string","balance":"number"}.
 * The run's own records are kept, with placeholders for codes and ids.
 */
export function evidence({ status, body, json }: { status: number; body: string; json: unknown }, redactor: Redactor): string {
  // A refusal is about the run's own request.
  if (status < 200 || status >= 300) return redactor.mask(body);
  if (json === undefined) return body.length <= 200 ? redactor.mask(body) : `(${body.length} characters, not JSON)`;
  if (typeof json !== 'object' || json === null) return redactor.mask(body);
  const kept = JSON.stringify(redactRecords(json, (value) => redactor.isOwn(value)));
  return redactor.mask(kept === JSON.stringify(json) ? body : kept);
}

function redactRecords(json: unknown, isOwn: (value: unknown) => boolean): unknown {
  if (Array.isArray(json)) return json.map((each) => redactRecords(each, isOwn));
  if (typeof json !== 'object' || json === null) return isOwn(json) ? json : shape(json);
  if (valuesIn(json).some(isOwn)) return json;
  // A number next to a list counts records.
  const hasList = Object.values(json).some(Array.isArray);
  const entries = Object.entries(json).map(([name, value]) => {
    const isCount = hasList && typeof value === 'number';
    return [name, isCount ? value : redactRecords(value, isOwn)];
  });
  return Object.fromEntries(entries);
}

/** The values of a record and of its nested objects. Elements of its arrays are records of their own. */
function valuesIn(json: unknown): unknown[] {
  if (Array.isArray(json)) return [];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(valuesIn) : [json];
}

const shape = (value: unknown): unknown => (value === null ? null : typeof value);
