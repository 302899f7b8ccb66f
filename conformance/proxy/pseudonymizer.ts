import { createHmac } from 'node:crypto';
import { lists } from '../../openapi/generated/lists.ts';
import { serviceOperations } from '../core/operations.ts';
import type { ObservedExchange } from '../http/exchange.ts';
import { instantOf, parseJson } from '../http/json-search.ts';
import { decompress } from '../http/transport.ts';
import { cardFieldIn, fieldsOf, findOperation, splitTarget } from '../oracle/call.ts';
import type { ForwardedExchange } from './forwarder.ts';

/** Replaces all values except times, words of the contract, and numbers that are not IDs. Equal values get equal pseudonyms. If values differ only in letter case, so do their pseudonyms. */
export class Pseudonymizer {
  readonly #salt: string;

  /** `salt` must be random and secret. A reader who knows the salt can guess values. */
  constructor(salt: string) {
    this.#salt = salt;
  }

  key(key: string): string {
    return `key-${this.#word(key)}`;
  }

  target(method: string, target: string): string {
    const [path, query] = splitTarget(target);
    const route = findOperation(method, path);
    const { prefix, parameter } = route?.operation ?? {};
    const shown = parameter === undefined ? (prefix ?? unknownPath(path)) : prefix + this.#segment(route?.value ?? '', parameter);
    const pairs = [...query].map(([name, value]): [string, string] => [this.#name(name), this.#query(name, value)]);
    return pairs.length === 0 ? shown : `${shown}?${new URLSearchParams(pairs)}`;
  }

  body(value: unknown, operation: string | undefined): unknown {
    const fields = operation === 'addAdjustmentByGiftCardId' ? fieldsOf(value) : undefined;
    const idField = fields && cardFieldIn(fields);
    const shown = this.#json(value, '');
    // The specification does not name the field with the card's ID. So the value of this field is replaced like the value of `id`.
    return idField === undefined ? shown : { ...fieldsOf(shown), [this.#name(idField)]: this.#json(fields?.[idField], 'id') };
  }

  #json(value: unknown, name: string, depth = 0): unknown {
    if (depth > maximumDepth) return null;
    if (Array.isArray(value)) return value.map((each) => this.#json(each, name, depth + 1));
    const fields = fieldsOf(value);
    if (fields) {
      const nameOf = (inner: string) => (freeNames.test(name) ? this.#text(inner, '') : this.#name(inner));
      const pairs = Object.entries(fields).map(([inner, each]) => [nameOf(inner), this.#json(each, inner, depth + 1)]);
      return Object.fromEntries(pairs);
    }
    if (typeof value === 'number') return isIdentifier(value, name) ? this.#number(String(value)) : value;
    return typeof value === 'string' ? this.#text(value, name) : value;
  }

  #text(text: string, name: string): string {
    const trimmed = text.trim();
    const isPlain = words.has(text) || isTime(text) || /^[+-]?\d+\.\d{1,4}$/.test(text);
    if (trimmed === '' || (isPlain && !isNameOfId(name))) return text;
    if (isIdentifier(Number(text), name) && /^(0|[1-9]\d{0,18})$/.test(text)) return String(this.#number(text));
    return text.replace(trimmed, () => this.#like(trimmed));
  }

  /** Returns a pseudonym with the form of the text, because the proxy checks the form of URLs, addresses and GUIDs. */
  #like(text: string): string {
    if (guid.test(text)) {
      const hex = this.#digest(text.toLowerCase()).toString('hex');
      const shown = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
      return text === text.toLowerCase() ? shown : shown.toUpperCase();
    }
    if (/^https?:\/\//i.test(text)) return `${text.split(':', 1)[0]}://hidden.invalid/${this.#word(text)}`;
    return /^[^\s@]+@[^\s@]+$/.test(text) ? `${this.#word(text)}@hidden.example` : `text-${this.#word(text)}`;
  }

  #segment(segment: string, parameter: string): string {
    try {
      const plain = decodeURIComponent(segment);
      // Services decode a plus sign or an escaped percent sign in different ways. The pseudonym contains such a sign, so that the oracle sees the same uncertainty.
      return /[%+]/.test(plain) ? `${this.#word(plain)}%25` : encodeURIComponent(this.#text(plain, parameter));
    } catch {
      return `${this.#word(segment)}%25`;
    }
  }

  #query(name: string, value: string): string {
    const isPlain = /^(page(Size|Number)|includeAll)$/i.test(name) && /^([+-]?\d{1,6}|true|false|yes|no|on|off)$/i.test(value);
    return isPlain ? value : this.#text(value, name);
  }

  /** Returns the name of a property. Replaces a name that may be data of a customer. */
  #name(name: string): string {
    const isKept = /^[A-Za-z_$][\w$]{0,39}$/.test(name) && !/\d{3}|[A-Z]{5}|\d\D+\d/.test(name);
    return isKept ? name : this.#like(name.trim() || 'blank');
  }

  /** Returns sixteen letters, which depend only on the text and the salt. */
  #word(text: string): string {
    const lower = text.toLowerCase();
    const letters = [...this.#digest(lower).subarray(0, 16)].map((byte) => String.fromCharCode(97 + (byte % 26)));
    if (text === lower) return letters.join('');
    const casing = this.#digest(text);
    return letters.map((letter, at) => ((casing[at] ?? 0) % 2 === 0 ? letter : letter.toUpperCase())).join('');
  }

  #number(digits: string): number {
    return 1e14 + this.#digest(digits).readUIntBE(0, 5);
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#salt).update(text).digest();
  }
}

/** Number of nested levels of JSON. Deeper values are replaced by null. */
const maximumDepth = 200;

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Objects whose property names are data of the client. */
const freeNames = /^(api_?event_?)?properties$/i;

const isNameOfId = (name: string): boolean =>
  /(^id|Id|ID|_id|[Cc]ode|card_?[Nn]umber)$/.test(name) && !/(currency|country|status)_?code$/i.test(name);

/** Guesses whether a number identifies a record. */
const isIdentifier = (value: number, name: string): boolean =>
  Number.isInteger(value) &&
  value >= 0 &&
  (isNameOfId(name) ||
    (value >= 1e5 && /(?<!page)number$/i.test(name)) ||
    (value >= 1e10 && !/(balance|amount|value|total|count|size)/i.test(name)));

const isTime = (text: string): boolean => text.length <= 40 && instantOf(text) !== undefined && /^[\dTZ:.+ -]+$/i.test(text);

/** Hides the path segments that the contract does not contain, because they may be codes. */
const unknownPath = (path: string): string => path.replace(/[^/]+/g, (segment) => (pathWords.has(segment) ? segment : '…'));

const pathWords = new Set(['__mock', ...serviceOperations.flatMap(({ prefix }) => prefix.split('/'))]);

/** Words of the contract, which need no pseudonyms. */
const words = new Set<string>([...Object.values(lists).flat(), ...Intl.supportedValuesOf('currency'), 'true', 'false', 'null']);

/** Returns the exchange for the oracle, the record and the reports, with pseudonyms for keys, codes, links, addresses and texts. */
export function pseudonymize(
  { at, ms, method, target, headers, body, response, loss }: ForwardedExchange,
  pseudonymizer: Pseudonymizer,
): ObservedExchange {
  const operation = findOperation(method, splitTarget(target)[0])?.operation.id;
  const key = headers['x-api-key'];
  const { 'content-type': type = '', date } = response?.headers ?? {};
  const text = (bytes: Buffer | undefined, encoding: string | undefined) =>
    readableText(bytes, encoding ?? '', (json) => pseudonymizer.body(json, operation));
  return {
    at,
    ms,
    method,
    target: pseudonymizer.target(method, target),
    headers: {
      ...(key ? { 'x-api-key': pseudonymizer.key(String(key)) } : {}),
      ...(headers.authorization === undefined ? {} : { authorization: 'hidden' }),
    },
    body: text(body, headers['content-encoding']),
    response: response && {
      status: response.status,
      headers: { 'content-type': type, ...(date === undefined ? {} : { date }) },
      body: text(response.body, response.headers['content-encoding']),
    },
    ...(loss?.reason === 'unreachable' ? { isUnsent: true } : {}),
  };
}

const maximumUnpacked = 32 * 1_048_576;

/** Returns JSON with pseudonyms, "(text)" for other text, or undefined for a body that cannot be read. */
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
