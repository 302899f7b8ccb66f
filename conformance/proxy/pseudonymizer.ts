import { createHmac } from 'node:crypto';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { clauseTexts } from '../core/contract.ts';
import { cardStatuses } from '../core/spec-constants.ts';
import { instantOf } from '../http/structure.ts';

/**
 * Puts names in the place of what must not be read, the same name for the same value, so that what is judged by comparing values comes to the same. What is
 * kept as it is: numbers, moments, words of the contract, and what is blank; but no figures as text, of which nobody knows whether they are an amount or a code. Names are made with a salt that nobody keeps.
 */
export class Veil {
  readonly #salt: string;
  /** What was seen in the place of a code, which may be a word like the name of a property. */
  readonly #codes = new Set<string>();

  /** Of what has passed lately, since a name takes long to make and the same values pass again and again. */
  readonly #made = new Map<string, string>();

  constructor(salt: string) {
    this.#salt = salt;
  }

  key(key: string | undefined): string | undefined {
    return key === undefined || key === '' ? undefined : `key-${this.#nameFor(key)}`;
  }

  /** What stands in a path or a query where a code stands. */
  code(text: string): string {
    return this.text(text, 'code');
  }

  /** A value of JSON with everything in it. */
  json(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((each) => this.json(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(
        Object.entries(value).map(([inner, each]) => [
          freeNames.test(name) ? this.#likeIt(inner) : this.name(inner),
          this.json(each, inner),
        ]),
      );
    if (typeof value === 'number' && !Number.isFinite(value)) return 'infinite';
    if (typeof value === 'number') return isNumbered(value, name) ? this.#figure(String(value)) : value;
    return typeof value === 'string' ? this.text(value, name) : value;
  }

  /** A text by the name that it stands under. */
  text(text: string, name: string): string {
    if (codeNames.test(name)) this.#codes.add(text);
    const trimmed = text.trim();
    if (isId(name) && canonical.test(text)) return String(this.#figure(text));
    if (trimmed === '' || words.has(text) || isMoment(text)) return text;
    const [before = '', after = ''] = [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]];
    return `${before}${this.#nameFor(trimmed)}${after}`;
  }

  #nameFor(text: string): string {
    const known = this.#made.get(text);
    if (known !== undefined) return known;
    if (this.#made.size >= mostMade) this.#made.clear();
    const name = this.#likeIt(text);
    this.#made.set(text, name);
    return name;
  }

  /** A number in the place of one that is no amount, the same whether it was written as a number or as text. */
  #figure(digits: string): number {
    return leastFigure + Number.parseInt(this.#of(digits), 16);
  }

  /** A name with the look of the value: what is a URL, an address or a GUID, is one still. */
  #likeIt(text: string): string {
    if (guid.test(text)) {
      const own = this.#of(looseOf(text), 20);
      return `${own.slice(0, 8)}-${own.slice(8, 12)}-4${own.slice(13, 16)}-a${own.slice(17, 20)}-${this.#of(text)}`;
    }
    if (/^https?:\/\//i.test(text) && URL.canParse(text)) return `${text.split(':', 1)[0]}://veiled.invalid/${this.#of(text)}`;
    if (emailLike.test(text)) return `a${this.#of(text.toLowerCase())}${this.#of(text, 4)}@veiled.example`;
    return `text-${this.#of(looseOf(text), 10)}-${this.#of(text)}${isFigure(text) ? '-figure' : ''}`;
  }

  /** Names of properties and parameters say what an exchange is like; one that is rather a value, and not made of words, is veiled like one. */
  name(name: string): string {
    const isName = stated.has(name) || (wordlike.test(name) && !codelike.test(name) && !this.#codes.has(name));
    return isName ? name : this.#likeIt(name.trim() || 'blank');
  }

  #of(text: string, length = 12): string {
    return createHmac('sha256', this.#salt).update(text).digest('hex').slice(0, length);
  }
}

/** What two names have in common whose values a service may take for the same one. */
export function foldOf(name: string): string {
  const trimmed = name.trim();
  const ofText = /^text-([0-9a-f]{10})-/.exec(trimmed)?.[1];
  if (ofText !== undefined) return ofText;
  if (guid.test(trimmed)) return trimmed.replaceAll('-', '').slice(0, 10);
  if (/^\d{15}$/.test(trimmed)) return (Number(trimmed) - leastFigure).toString(16).padStart(12, '0').slice(0, 10);
  return looseOf(trimmed);
}

/** Without letter case, blanks, dashes and braces, and zeros before a number. */
const looseOf = (text: string): string => {
  const plain = text.normalize('NFKC').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]/gu, '').replace(/^0+(?=\d+$)/, '') || plain;
};

/** Whether it is the name of a text that may tell an amount. */
export const isFigureName = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*text-[0-9a-f-]+-figure\s*$/.test(value);

/** What the names of two GUIDs have in common that differ in nothing but letter case, and are one as an ID; undefined for what is none. */
export const guidFold = (name: string): string | undefined => (guid.test(name.trim()) ? name.trim().slice(0, 23) : undefined);

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** With what stands in quotes before it and in brackets behind it, which is as good an address. */
const emailLike = /^(?:[^\s@"]+|"(?:[^"\\\r\n]|\\.)+")@(?:[^\s@[\]]+|\[[^\s[\]]+\])$/;
const mostMade = 20_000;
const leastFigure = 1e14;
const isFigure = (text: string) => /^[+-]?\d+(\.\d+)?$/.test(text);
const codeNames = /code$/i;
const wordlike = /^[A-Za-z_$][\w$]{0,39}$/;
const codelike = /\d{3}|[A-Z]{5}|\d\D+\d/;
/** What its properties are called is the client's own affair. */
const freeNames = /^(api_?event_?)?properties$/i;
const canonical = /^(0|[1-9]\d{0,18})$/;
/** Names the record of something; what a client gives as a unique value is a text like others. */
const isId = (name: string) => /(^id|Id|ID|_id)$/.test(name) && !/^unique/i.test(name);
const amounts = /(balance|amount|value|total|count|size)/i;
const isNumbered = (value: number, name: string) =>
  Number.isInteger(value) &&
  value >= 0 &&
  (isId(name) ||
    /(code|card_?number)$/i.test(name) ||
    // An amount may be called so as well as a card.
    (value >= 1e5 && /(?<!^page)number$/i.test(name)) ||
    (value >= 1e10 && !amounts.test(name)));
const isMoment = (text: string) => text.length <= 40 && instantOf(text) !== undefined && /^[\dTZ:.+ -]+$/i.test(text);

const behaviors = [...clauseTexts.values()].flatMap(({ behaviors = {} }) => Object.keys(behaviors));

/** Names of the contract: a card with such a code is not hidden by hiding them. */
const stated = new Set(namesIn(standardDocument.components));

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { properties } = value as { properties?: object };
  return [...Object.keys(properties ?? {}), ...Object.values(value).flatMap(namesIn)];
}

/** Texts that say nothing of anybody. */
const words = new Set<string>([
  ...cardStatuses,
  ...Intl.supportedValuesOf('currency'),
  ...behaviors.filter((reading) => /^[a-zA-Z-]+$/.test(reading)),
  ...['true', 'false', 'null', 'TopUp', 'Redemption', 'Created', 'SkippedIdempotent', 'SkippedUsageLimit', 'infinite'],
]);
