import { spellings } from '../core/spellings.ts';

/**
 * Stable names for what must not be read in a report: keys never, and neither codes, ids of cards, links nor addresses.
 * Everything that leaves the suite as text goes through `mask`.
 */
export class Names {
  readonly #names = new Map<string, string>();
  /** In values that the run made up, and in no others. */
  #mark: string | undefined;
  #target = '';
  readonly #found = { address: new Map<string, string>(), link: new Map<string, string>(), other: new Map<string, string>() };
  /** Secrets that are too short to be looked for within words. */
  readonly #short = new Map<string, string>();
  /** How long values are that begin so, the longest first, so that a text is gone through once however many there are. */
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

  /** What stands in every value that the run makes up, in whatever case. */
  get mark(): string | undefined {
    return this.#mark;
  }

  /** The same, before anything is made up. */
  learnMark(mark: string): void {
    this.#mark = mark;
    this.learn(mark, '«run»');
  }

  /** Links to the target itself may be read. */
  learnTarget(url: string): void {
    this.#target = new URL(url).origin;
  }

  /** Ids of cards whose code has a name, wherever they stand in an answer. */
  learnIds(json: unknown): void {
    if (typeof json !== 'object' || json === null) return;
    const { code, id, customField1: mark } = json as { code?: unknown; id?: unknown; customField1?: unknown };
    if (typeof code === 'string') {
      // One that an event has issued is known by its recipient.
      const issued = Object.values(json).map(
        (value) => /^(card#\d+)\.recipient$/.exec(this.#names.get(value as string) ?? '')?.[1],
      );
      const of = issued.find((each) => each !== undefined);
      if (of !== undefined && !this.#names.has(code)) this.learn(code, of);
      // A card whose code the service has chosen is known by a mark until then.
      const marked = typeof mark === 'string' ? this.#names.get(mark)?.replace(/\.mark$/, '') : undefined;
      if (marked !== undefined && !this.#names.has(code)) this.learn(code, marked);
      const name = this.#names.get(code);
      if (name !== undefined && (typeof id === 'string' || typeof id === 'number') && !this.#names.has(String(id)))
        this.learn(String(id), `${name}.id`);
    }
    for (const inner of Object.values(json)) this.learnIds(inner);
  }

  /** Whether the run made the value up, or knows it of a card that it made. */
  isOwn(value: unknown): boolean {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    const text = String(value);
    return this.#isMarked(text) || /^card#|«run»/.test(this.#names.get(text) ?? '');
  }

  mask(text: string): string {
    const told = this.#standingAlone(this.#named(text))
      .replace(recordPaths, (whole, path: string, value: string) =>
        this.#isNamed(value) ? whole : path + this.#name('other', value),
      )
      .replace(links, (url) => (this.#mayBeRead(url) ? url : this.#name('link', url)));
    // The expression takes long over a long word, and without the sign there is no address.
    if (!/@|%40/.test(told)) return told;
    return told.replace(addresses, (address) =>
      ownAddress.test(address) || this.#isMarked(address) ? address : this.#name('address', address),
    );
  }

  /** The text with names in the place of the values that have one, the longest where several begin. */
  #named(text: string): string {
    let [done, from] = ['', 0];
    for (let at = 0; at + shortest <= text.length; at += 1) {
      const lengths = this.#lengths.get(text.slice(at, at + shortest));
      const value = lengths?.map((length) => text.slice(at, at + length)).find((each) => this.#names.has(each));
      const name = value === undefined ? undefined : this.#names.get(value);
      if (value === undefined || name === undefined) continue;
      // A secret is hidden wherever it may stand, and an ID only where it stands for itself.
      if (name.endsWith('.id') && isFigures(value) && isWithinNumber(text, at, value.length)) continue;
      done += text.slice(from, at) + name;
      from = at + value.length;
      at = from - 1;
    }
    return done + text.slice(from);
  }

  /** Short secrets where they are all that is between quotes or the signs of a URL. */
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

  /** A segment of a path that has a name already, or that was made up. */
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

/** What is a part of a longer number is another number: an amount, a count. */
const isWithinNumber = (text: string, at: number, length: number) =>
  /\d/.test(text[at - 1] ?? '') || /\d/.test(text[at + length] ?? '');

/** Shorter values would be found where they are not meant. */
const shortest = 4;

const alone = /(?<=")[^"\\]{1,3}(?=\\?")|(?<=[/=])[^"/=?&#\\\s]{1,3}(?=\\?"|[/?&#\s,]|$)/g;

/** Where a request names a card or a record. */
const recordPaths =
  /(\/api\/[\w/]*?\/(?:GetByCode|GetById|VoidByCode|VoidById|ListAdjustmentsByGiftCard(?:Code|Id)|Delete)\/)([^\s/?"]+)/gi;
/** Without what ends a part of a sentence. */
const links = /\bhttps?:\/\/[^\s"'<>\\)\]},;]+(?<![.:!?])/gi;
const addresses = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g;
/** Addresses of nobody, under which the suite sends. */
const ownAddress = /^(recipient|buyer|nobody|conformance)[\w.+-]*(@|%40)example\.com$/i;
