import { isObject } from '../../openapi/document.ts';
import type { Spoken } from './normalized.ts';
import { type Bound, buildOf } from './placeholders.ts';

/** One thing in which two exchanges differ. */
export interface Parting {
  readonly operation: string;
  /** See Unexplained; what was sent begins with "sent". */
  readonly place: string;
  readonly how: 'value' | 'kind' | 'order' | 'items' | 'status' | 'header';
  readonly a: string;
  readonly b: string;
}

/** What is known to differ from one run to the next, by what names a parting. */
export type Volatile = ReadonlySet<string>;

/** By which partings that are the same are told to be: a value by its place, anything else by what it is on both sides. */
export const keyOf = ({ operation, place, how, a, b }: Parting): string =>
  [
    operation,
    place,
    how,
    ...(how === 'value' || how === 'items' ? [] : how === 'header' ? [a === absent, b === absent] : [a, b]),
  ].join(' ');

/** The same, with words that say which of a few things it is told apart. */
export const groupOf = (parting: Parting): string =>
  parting.how === 'value' && isWord(parting.a) && isWord(parting.b)
    ? `${keyOf(parting)} ${parting.a} ${parting.b}`
    : keyOf(parting);

const isWord = (text: string): boolean => /^("[a-z-]{1,24}"|true|false)$/i.test(text);

const absent = 'absent';

/** Where two exchanges differ: what was sent and what came back, but for what is bound to the run. Pairs in `bound` what stands for the same. */
export function partings(a: Spoken, b: Spoken, bound: Bound, volatile: Volatile): Parting[] {
  bound.bind(a.exchange.path, b.exchange.path);
  const sent = new Pair(a.operation, bound, volatile, true);
  sent.hold(a.request.query, b.request.query, 'sent ?');
  sent.hold(a.request.body, b.request.body, 'sent ');
  const came = new Pair(a.operation, bound, volatile, false);
  const [one, other] = [a.exchange.status, b.exchange.status];
  if (one !== other) came.say('status', 'status', String(one), String(other));
  // Of a success and a refusal, that is all there is to say.
  const isComparable = one === other || Math.floor(one / 100) === Math.floor(other / 100);
  if (isComparable) came.headers(a.headers, b.headers);
  if (isComparable && a.isWhole && b.isWhole) came.hold(a.answer, b.answer, one >= 200 && one < 300 ? '' : `${one} `);
  return [...sent.found, ...came.found];
}

/** Of the way and not of the service, or different each time by what they are. */
const unheld = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'age']);

class Pair {
  readonly found: Parting[] = [];
  readonly #operation: string;
  readonly #bound: Bound;
  readonly #volatile: Volatile;
  /** The suite has chosen it, in the same way on both sides. */
  readonly #isOwn: boolean;

  constructor(operation: string, bound: Bound, volatile: Volatile, isOwn: boolean) {
    this.#operation = operation;
    this.#bound = bound;
    this.#volatile = volatile;
    this.#isOwn = isOwn;
  }

  say(place: string, how: Parting['how'], a: string, b: string): void {
    const parting = { operation: this.#operation, place: /^(\d+ )?$/.test(place) ? `${place}body` : place, how, a, b };
    if (!this.#volatile.has(keyOf(parting))) this.found.push(parting);
  }

  headers(a: Spoken['headers'], b: Spoken['headers']): void {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [one, other] = [a[name], b[name]];
      if (unheld.has(name) || one === other) continue;
      const place = `header ${name}`;
      if (one === undefined || other === undefined) this.say(place, 'header', one ?? absent, other ?? absent);
      else if (!this.#same(one, other)) this.say(place, 'value', one, other);
    }
  }

  hold(a: unknown, b: unknown, place: string): void {
    const [one, other] = [kindOf(a), kindOf(b)];
    if (one !== other) this.say(place, 'kind', one, other);
    else if (Array.isArray(a) && Array.isArray(b)) this.#items(a, b, place);
    else if (isObject(a) && isObject(b)) this.#properties(a, b, place);
    else if (typeof a === 'string' && typeof b === 'string' ? !this.#same(a, b) : a !== b)
      this.say(place, 'value', told(a), told(b));
  }

  #properties(a: Record<string, unknown>, b: Record<string, unknown>, place: string): void {
    const [ours, theirs] = [Object.keys(a), Object.keys(b)];
    for (const name of new Set([...ours, ...theirs])) {
      const inner = `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!Object.hasOwn(b, name)) this.say(inner, 'kind', kindOf(a[name]), absent);
      else if (!Object.hasOwn(a, name)) this.say(inner, 'kind', absent, kindOf(b[name]));
      else this.hold(a[name], b[name], inner);
    }
    const [one, other] = [ours.filter((name) => Object.hasOwn(b, name)), theirs.filter((name) => Object.hasOwn(a, name))];
    const first = one.findIndex((name, index) => name !== other[index]);
    if (first >= 0)
      this.say(`${place}/`, 'order', `${one[first]} before ${other[first]}`, `${other[first]} before ${one[first]}`);
  }

  /** Of lists only what the run has made can be told to be the same; what others made stands in them by chance. */
  #items(a: readonly unknown[], b: readonly unknown[], place: string): void {
    const [ours, theirs] = [a, b].map((all) => all.map((each) => JSON.stringify(each) ?? ''));
    const isOwn = (texts: readonly string[] = []) => texts.every((text) => text !== buildOf(text));
    const left = b.map((_, index) => index);
    const pairs: [number, number][] = [];
    for (const index of a.keys()) {
      const known = left.findIndex((other) => this.#bound.share(ours?.[index] ?? '', theirs?.[other] ?? ''));
      if (known >= 0) pairs.push([index, ...(left.splice(known, 1) as [number])]);
    }
    const taken = new Set(pairs.map(([index]) => index));
    for (const index of a.keys()) {
      const next = taken.has(index) ? undefined : left.shift();
      if (next !== undefined) pairs.push([index, next]);
    }
    if (isOwn(ours) && isOwn(theirs)) {
      if (a.length !== b.length) this.say(`${place}/*`, 'items', `${a.length} of the run's`, `${b.length} of the run's`);
      else if (pairs.some(([index, other]) => index !== other))
        this.say(`${place}/*`, 'items', 'in one order', 'in another order');
    }
    for (const [index, other] of pairs) this.hold(a[index], b[other], `${place}/*`);
  }

  #same(a: string, b: string): boolean {
    if (this.#isOwn ? this.#bound.bind(a, b) : this.#bound.same(a, b)) return true;
    return looksRandom(a) && looksRandom(b) && this.#bound.samePlain(a, b);
  }
}

/** Letters and figures in no order that a word or a name would have. */
const looksRandom = (text: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w-]{10,}$/i.test(text) || /^\d{8,}$/.test(text);

function kindOf(value: unknown): string {
  if (value === undefined) return absent;
  if (value === null) return 'null';
  return Array.isArray(value) ? 'list' : typeof value;
}

function told(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : isObject(value)
      ? 'object'
      : Array.isArray(value)
        ? 'list'
        : String(value);
}
