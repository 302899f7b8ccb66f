import { spellings } from '../../openapi/spellings.ts';

/** Number of characters. Shorter values may appear in other texts by accident, so they are masked only in certain places. */
const SHORTEST = 4;

/** Replaces keys, codes, card IDs, links and addresses by stable placeholders. Every text that leaves the suite goes through `mask`. */
export class Redactor {
  readonly #names = new Map<string, string>();
  /** The lengths of known values by first character, so that one pass over a text finds all values. */
  readonly #lengths = new Map<string, Set<number>>();
  readonly #found = { address: new Map<string, string>(), link: new Map<string, string>(), other: new Map<string, string>() };
  /** A text that every value of the run contains, in upper or lower case. Values of other clients do not contain this text. */
  #mark: string | undefined;
  #target = '';

  learn(value: string, name: string): void {
    for (const spelling of spellings(value)) {
      const [first] = spelling;
      if (first === undefined || (spelling.length < SHORTEST && !name.startsWith('«'))) continue;
      this.#lengths.set(first, (this.#lengths.get(first) ?? new Set()).add(spelling.length));
      this.#names.set(spelling, name);
    }
  }

  of(value: string): string | undefined {
    return this.#names.get(value);
  }

  /** Learns the mark of a run. Must be called before the run generates a value. */
  learnMark(mark: string): void {
    this.#mark = mark;
    this.learn(mark, '«run»');
  }

  learnTarget(url: string): void {
    this.#target = url;
  }

  /** Learns the IDs of known cards in a response. If the service chose the code, the suite recognizes the card by its recipient or its mark. */
  learnIds(json: unknown): void {
    if (typeof json !== 'object' || json === null) return;
    const { code, id } = json as { code?: unknown; id?: unknown };
    if (typeof code === 'string') {
      const owners = Object.values(json).map((value) => this.#names.get(value)?.match(/^(card#\d+)\.(recipient|mark)$/)?.[1]);
      const owner = this.#names.get(code) ?? owners.find((each) => each !== undefined);
      if (owner !== undefined) this.#learnNew(code, owner);
      if (owner !== undefined) this.#learnNew(id, `${owner}.id`);
    }
    for (const inner of Object.values(json)) this.learnIds(inner);
  }

  /** Reports whether the run generated the value or created the card that has the value. */
  isOwn(value: unknown): boolean {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    const text = String(value);
    return this.#isMarked(text) || /^card#|«run»/.test(this.#names.get(text) ?? '');
  }

  mask(text: string): string {
    const masked = this.#replaceKnown(text)
      .replace(recordPaths, (whole, path: string, value: string) =>
        /[«#]/.test(value) || this.#isMarked(value) ? whole : path + this.#name('other', value),
      )
      .replace(links, (url) => (this.#isReadable(url) ? url : this.#name('link', url)));
    // Most texts have no address, and the search for one tries up to 64 characters at each place.
    if (!/@|%40/.test(masked)) return masked;
    return masked.replace(addresses, (address) =>
      ownAddress.test(address) || this.#isMarked(address) ? address : this.#name('address', address),
    );
  }

  #learnNew(value: unknown, name: string): void {
    if ((typeof value === 'string' || typeof value === 'number') && !this.#names.has(String(value)))
      this.learn(String(value), name);
  }

  #replaceKnown(text: string): string {
    let [done, from] = ['', 0];
    for (let at = 0; at < text.length; at += 1) {
      const value = this.#knownAt(text, at);
      if (value === undefined) continue;
      done += text.slice(from, at) + this.#names.get(value);
      from = at + value.length;
      at = from - 1;
    }
    return done + text.slice(from);
  }

  #knownAt(text: string, at: number): string | undefined {
    let longest: string | undefined;
    for (const length of this.#lengths.get(text[at] ?? '') ?? []) {
      const value = text.slice(at, at + length);
      if (value.length > (longest?.length ?? 0) && this.#names.has(value) && this.#isWhole(value, text, at)) longest = value;
    }
    return longest;
  }

  /** Reports whether a match is a whole value. Short values match only in quotes and URLs. Numeric IDs match only as whole numbers. */
  #isWhole(value: string, text: string, at: number): boolean {
    const [before = '', after = ''] = [text[at - 1], text[at + value.length]];
    if (value.length < SHORTEST) return /^"["\\]$|^[/=]["\\/?&#,\s]?$/.test(before + after);
    const isNumericId = /^\d+$/.test(value) && this.#names.get(value)?.endsWith('.id');
    return !(isNumericId && (/\d/.test(before) || /\d/.test(after)));
  }

  #isReadable(text: string): boolean {
    if (!URL.canParse(text)) return false;
    const { origin, hostname, pathname } = new URL(text);
    if (URL.canParse(this.#target) && origin === new URL(this.#target).origin)
      return pathname === '/' || text === this.#target || [origin, this.#target].some((base) => text.startsWith(`${base}/api/`));
    return ['conformance.invalid', '127.0.0.1', 'localhost'].includes(hostname);
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

// The text comes from a target. Each repetition that could begin at any character has a limit, so that no text takes more than linear time.
const recordPaths =
  /(\/api\/[\w/]{0,40}?\/(?:GetByCode|GetById|VoidByCode|VoidById|ListAdjustmentsByGiftCard(?:Code|Id)|Delete)\/)([^\s/?"]+)/gi;
/** Matches URLs without trailing punctuation. */
const links = /\bhttps?:\/\/[^\s"'<>\\)\]},;]+(?<![.:!?])/gi;
const addresses = /(?:[\w.+-]|%2B){1,64}(?:@|%40)[\w-]{1,63}(?:\.[\w-]{1,63})+/gi;
/** Matches the suite's own addresses. */
const ownAddress = /^(recipient|buyer|unknown|conformance)[\w.+-]*(@|%40)example\.com$/i;
