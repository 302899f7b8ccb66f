import type { Exchange, TargetResponse } from './exchange.ts';
import type { Redactor } from './redactor.ts';
import type { Sent } from './transport.ts';

type ParsedResponse = Omit<TargetResponse, 'exchange'>;

/** Prepares an exchange for reports: masks secrets and cuts long bodies. Removes headers and bodies of out-of-band requests. */
export function redactExchange(
  sent: Sent,
  response: ParsedResponse | undefined,
  redactor: Redactor,
): Omit<Exchange, 'at' | 'ms'> {
  const { method, text, elsewhere, outside } = sent;
  return {
    method,
    path: redactor.mask(visiblePath(sent)),
    ...(elsewhere === undefined ? {} : { elsewhere: redactor.mask(elsewhere) }),
    requestHeaders: outside ? {} : redactHeaders(sent.headers, redactor),
    ...(text === undefined || outside ? {} : { requestBody: redactor.mask(cut(text)) }),
    status: response?.status ?? 0,
    contentType: redactor.mask(response?.contentType ?? ''),
    body: outside || !response ? '' : cut(evidence(response, redactor)),
  };
}

export const visiblePath = ({ outside, path }: Sent): string => (outside ? (path.split(/[?#]/)[0] ?? '') : path);

/** Number of characters. A page of a list with all fields is shorter, so `compare` sees whole pages. */
const LONGEST_BODY = 50_000;

const cut = (text: string): string =>
  text.length > LONGEST_BODY ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text;

/** Headers that belong to a connection, and a header that says nothing about the test. */
const omitted = ['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'accept'];

function redactHeaders(headers: Sent['headers'], redactor: Redactor): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !omitted.includes(name.toLowerCase()));
  const masked = (name: string, value: string) =>
    name.toLowerCase() === 'x-api-key' ? (redactor.of(value) ?? '«another key»') : redactor.mask(value);
  return Object.fromEntries(shown.map(([name, value]) => [name, masked(name, String(value))]));
}

/** Returns the body that a report shows. For records of other clients, shows only types: {"code":"«string»","balance":"«number»"}. */
export function evidence({ status, body, json }: Pick<ParsedResponse, 'status' | 'body' | 'json'>, redactor: Redactor): string {
  // A refusal is about the run's own request, so its body is shown.
  if (status < 200 || status >= 300) return redactor.mask(body);
  if (json === undefined) return body.length <= 200 ? redactor.mask(body) : `(${body.length} characters, not JSON)`;
  if (typeof json !== 'object' || json === null) return redactor.mask(body);
  const kept = JSON.stringify(redactRecords(json, redactor));
  return redactor.mask(kept === JSON.stringify(json) ? body : kept);
}

function redactRecords(json: unknown, redactor: Redactor): unknown {
  if (Array.isArray(json)) return json.map((each) => redactRecords(each, redactor));
  if (valuesIn(json).some((value) => redactor.isOwn(value))) return json;
  if (json === null) return null;
  if (typeof json !== 'object') return `«${typeof json}»`;
  // A number next to a list is the number of its records, which is not a secret.
  const hasList = Object.values(json).some(Array.isArray);
  const entries = Object.entries(json).map(([name, value]) => {
    const isCount = hasList && typeof value === 'number';
    return [name, isCount ? value : redactRecords(value, redactor)];
  });
  return Object.fromEntries(entries);
}

/** Returns the values of a record and of nested objects. Omits arrays, because their elements are other records. */
function valuesIn(json: unknown): unknown[] {
  if (Array.isArray(json)) return [];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(valuesIn) : [json];
}
