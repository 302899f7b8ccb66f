/**
 * Replaces secrets by stable placeholders: keys, codes, card ids, links and addresses. Every text that leaves the suite goes through `mask`.
 */
export class Redactor {
  readonly #names = new Map<string, string>();
  /** Part of every value that the run makes up, and of no others. */
  #mark: string | undefined;
  #target = '';
  readonly #found = { address: new Map<string, string>(), link: new Map<string, string>(), other: new Map<string, string>() };
  /** Secrets too short to be replaced inside words. */
  readonly #short = new Map<string, string>();
  /** Lengths of values by their first characters, longest first: one pass over a text finds them all. */
  readonly #lengths = new Map<string, number[]>();

  learn(value: string, name: string): void {
    if (value.length < shortest && value !== '' && name.startsWith('«')) this.#short.set(value, name);
    for (const spelling of spellings(value)) this.#learnAs(spelling, name);
  }

  #learnAs(value: string, name: string): void {
    if (value.length < shortest) return;
    const lengths = this.#lengths.get(value.slice(0, shortest)) ?? [];
    if (!lengths.includes(value.length))
      this.#lengths.set(
        value.slice(0, shortest),
        [...lengths, value.length].sort((a, b) => b - a),
      );
    this.#names.set(value, name);
  }

  of(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** Part of every value that the run makes up, in any letter case. */
  get mark(): string | undefined {
    return this.#mark;
  }

  /** Sets the mark, before any value is made up. */
  learnMark(mark: string): void {
    this.#mark = mark;
    this.learn(mark, '«run»');
  }

  /** Links to the target itself stay readable. */
  learnTarget(url: string): void {
    this.#target = new URL(url).origin;
  }

  /** Learns the ids of cards whose code has a placeholder, anywhere in an answer. */
  learnIds(json: unknown): void {
    if (typeof json !== 'object' || json === null) return;
    const { code, id, customField1: mark } = json as { code?: unknown; id?: unknown; customField1?: unknown };
    if (typeof code === 'string') {
      // A card issued by an event is known by its recipient.
      const issued = Object.values(json).map(
        (value) => /^(card#\d+)\.recipient$/.exec(this.#names.get(value as string) ?? '')?.[1],
      );
      const of = issued.find((each) => each !== undefined);
      if (of !== undefined && !this.#names.has(code)) this.learn(code, of);
      // A card whose code the service chose is known by its mark.
      const marked = typeof mark === 'string' ? this.#names.get(mark)?.replace(/\.mark$/, '') : undefined;
      if (marked !== undefined && !this.#names.has(code)) this.learn(code, marked);
      const name = this.#names.get(code);
      if (name !== undefined && (typeof id === 'string' || typeof id === 'number') && !this.#names.has(String(id)))
        this.learn(String(id), `${name}.id`);
    }
    for (const inner of Object.values(json)) this.learnIds(inner);
  }

  /** Whether the value is the run's own: made up by it, or of a card that it created. */
  isOwn(value: unknown): boolean {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    const text = String(value);
    return this.#isMarked(text) || /^card#|«run»/.test(this.#names.get(text) ?? '');
  }

  mask(text: string): string {
    const masked = this.#standingAlone(this.#named(text))
      .replace(recordPaths, (whole, path: string, value: string) =>
        this.#isNamed(value) ? whole : path + this.#name('other', value),
      )
      .replace(links, (url) => (this.#mayBeRead(url) ? url : this.#name('link', url)));
    // The expression is slow on long words.
    if (!/@|%40/.test(masked)) return masked;
    return masked.replace(addresses, (address) =>
      ownAddress.test(address) || this.#isMarked(address) ? address : this.#name('address', address),
    );
  }

  /** Replaces known values; the longest wins where several start at the same place. */
  #named(text: string): string {
    let [done, from] = ['', 0];
    for (let at = 0; at + shortest <= text.length; at += 1) {
      const lengths = this.#lengths.get(text.slice(at, at + shortest));
      const value = lengths?.map((length) => text.slice(at, at + length)).find((each) => this.#names.has(each));
      const name = value === undefined ? undefined : this.#names.get(value);
      if (value === undefined || name === undefined) continue;
      // A secret is replaced everywhere; a numeric id only if it is not part of a longer number.
      if (name.endsWith('.id') && isFigures(value) && isWithinNumber(text, at, value.length)) continue;
      done += text.slice(from, at) + name;
      from = at + value.length;
      at = from - 1;
    }
    return done + text.slice(from);
  }

  /** Replaces short secrets that fill the space between quotes or URL delimiters. */
  #standingAlone(text: string): string {
    if (this.#short.size === 0) return text;
    return text.replace(alone, (value) => this.#short.get(value) ?? value);
  }

  #mayBeRead(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const { origin, hostname, pathname } = new URL(text);
    if (origin === this.#target) return pathname === '/' || pathname.startsWith('/api/');
    return hostname === 'conformance.invalid' || hostname === '127.0.0.1' || hostname === 'localhost';
  }

  /** Whether a path segment has a placeholder already, or was made up by the run. */
  #isNamed(value: string): boolean {
    return /[«#]/.test(value) || this.#isMarked(value);
  }

  #isMarked(value: string): boolean {
    return this.#mark !== undefined && value.toUpperCase().includes(this.#mark);
  }

  #name(kind: 'address' | 'link' | 'other', value: string): string {
    const known = this.#found[kind];
    const name = known.get(value) ?? `${kind}#${known.size + 1}`;
    known.set(value, name);
    return name;
  }
}

const isFigures = (text: string) => /^\d+$/.test(text);

/** A part of a longer number is another number: an amount, a count. */
const isWithinNumber = (text: string, at: number, length: number) =>
  /\d/.test(text[at - 1] ?? '') || /\d/.test(text[at + length] ?? '');

/** Shorter values would be found by accident. */
const shortest = 4;

const alone = /(?<=")[^"\\]{1,3}(?=\\?")|(?<=[/=])[^"/=?&#\\\s]{1,3}(?=\\?"|[/?&#\s,]|$)/g;

/** Paths that name a card or a record. */
const recordPaths =
  /(\/api\/[\w/]*?\/(?:GetByCode|GetById|VoidByCode|VoidById|ListAdjustmentsByGiftCard(?:Code|Id)|Delete)\/)([^\s/?"]+)/gi;
/** Without trailing punctuation. */
const links = /\bhttps?:\/\/[^\s"'<>\\)\]},;]+(?<![.:!?])/gi;
const addresses = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g;
/** The suite's own addresses. */
const ownAddress = /^(recipient|buyer|nobody|conformance)[\w.+-]*(@|%40)example\.com$/i;

/** All encodings of a value in a URL, a form, a JSON text or a page; itself first. A redacted value must not appear in any of them. */
export function spellings(value: string): string[] {
  if (/^[\w.-]*$/.test(value)) return [value];
  const percent = /\p{Cs}/u.test(value) ? value : encodeURIComponent(value);
  const form = new URLSearchParams({ '': value }).toString().slice(1);
  const json = JSON.stringify(value).slice(1, -1);
  const escapes = value.replace(/[^ -~]|[<>&'"+`\\]/g, (c) =>
    c === '\\' ? '\\\\' : `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const page = value.replace(/[&<>"'+]/g, (c) => entities[c] ?? c);
  const all = [value, percent, form, percent.replace(/%20/g, '+'), json, escapes, page];
  return [...new Set(all.flatMap((each) => [each, ...otherHex(each)]))];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '+': '&#43;',
};

/** With hexadecimal digits of the other letter case. */
const otherHex = (text: string): string[] => [
  text.replace(/%[\dA-Fa-f]{2}/g, (hex) => hex.toLowerCase()),
  text.replace(/\\u[\dA-Fa-f]{4}/g, (hex) => `\\u${hex.slice(2).toUpperCase()}`),
];
