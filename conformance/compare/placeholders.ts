/**
 * Values that are bound to a run: its cards, unique values, links, times, ports, and ids that a target gave. What stands for the same on both sides is
 * paired where it first stands in the same place of the same step, and from then on the one is the other.
 */
export class Bound {
  readonly #a = new Map<string, Symbols>();
  readonly #b = new Map<string, Symbols>();
  readonly #counts = new Map<string, number>();

  /** Takes whatever differs in two texts of the same build for the same; false where they are built differently. */
  bind(a: string, b: string): boolean {
    const [one, other] = [taken(a), taken(b)];
    if (one.build !== other.build) return false;
    one.tokens.forEach((token, index) => {
      const partner = other.tokens[index];
      if (partner !== undefined && !this.#arePaired(token, partner)) this.#pair(token, partner);
    });
    return true;
  }

  /** Whether two texts say the same. What neither side has shown before is paired. */
  same(a: string, b: string): boolean {
    const [one, other] = [taken(a), taken(b)];
    if (one.build !== other.build) return false;
    return one.tokens.every((token, index) => this.#fits(token, other.tokens[index] as Token));
  }

  /** Whether two texts of the same build hold something that is known to be the same. */
  share(a: string, b: string): boolean {
    const others = taken(b).tokens;
    return taken(a).tokens.some((token) => token.kind !== 'time' && others.some((other) => this.#arePaired(token, other)));
  }

  /** An id that looks like nothing in particular, in a place where such a one stands on both sides. */
  samePlain(a: string, b: string): boolean {
    return this.#fits({ kind: 'id', value: a }, { kind: 'id', value: b });
  }

  /** The text with symbols. */
  symbols(text: string, side: 'a' | 'b'): string {
    const known = side === 'a' ? this.#a : this.#b;
    const ids = [...known.values()].filter(({ token }) => token.kind === 'id' && token.value.length >= 6);
    const told = text.replace(tokens, (value) => {
      const token = tokenOf(value);
      if (token.kind === 'time') return '«time»';
      if (token.kind === 'port') return value.replace(/\d+$/, '«port»');
      const symbols = known.get(keyOf(token)) ?? this.#named(token, known);
      return symbols.name;
    });
    return ids.reduce((whole, { token, name }) => whole.replaceAll(standing(token.value), name), told);
  }

  #fits(one: Token, other: Token): boolean {
    if (one.kind === 'time' || one.kind === 'port') return true;
    const [known, partner] = [this.#a.get(keyOf(one)), this.#b.get(keyOf(other))];
    if (known?.partners.has(other.value)) return true;
    if (known || partner) return false;
    this.#pair(one, other);
    return true;
  }

  #arePaired(one: Token, other: Token): boolean {
    return this.#a.get(keyOf(one))?.partners.has(other.value) ?? false;
  }

  #pair(one: Token, other: Token): void {
    const known = this.#a.get(keyOf(one)) ?? this.#named(one, this.#a);
    known.partners.add(other.value);
    const partner = this.#b.get(keyOf(other)) ?? { token: other, name: known.name, partners: new Set() };
    partner.partners.add(one.value);
    this.#b.set(keyOf(other), partner);
  }

  #named(token: Token, known: Map<string, Symbols>): Symbols {
    const number = (this.#counts.get(token.kind) ?? 0) + 1;
    this.#counts.set(token.kind, number);
    const name =
      token.kind === 'unique' ? `«unique#${number}»` : token.kind === 'id' ? `«id#${number}»` : `${token.kind}#${number}`;
    const symbols = { token, name, partners: new Set<string>() };
    known.set(keyOf(token), symbols);
    return symbols;
  }
}

interface Token {
  /** What has a symbol of its own; a time and a port have none. */
  readonly kind: 'unique' | 'id' | 'time' | 'port' | Masked;
  readonly value: string;
}

/** What a run has masked. */
type Masked = 'card' | 'link' | 'address' | 'other';

interface Symbols {
  readonly token: Token;
  readonly name: string;
  /** Values of the other side. */
  readonly partners: Set<string>;
}

const time = String.raw`\d{4}-\d\d-\d\d[T ]\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(?:Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?`;
const uuid = String.raw`\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b`;
const tokens = new RegExp(
  String.raw`«run»\d*|\b(?:card|link|address|other)#\d+|(?:127\.0\.0\.1|localhost):\d+|${time}|${uuid}|\b[\da-f]{24,}\b`,
  'gi',
);

function tokenOf(value: string): Token {
  if (value.startsWith('«run»')) return { kind: 'unique', value };
  const masked = /^(card|link|address|other)#/.exec(value);
  if (masked) return { kind: masked[1] as Masked, value };
  if (/:\d+$/.test(value) && !/^\d{4}-/.test(value)) return { kind: 'port', value };
  return { kind: /^\d{4}-\d\d-\d\d[T ]/.test(value) ? 'time' : 'id', value };
}

/** A value where it stands for itself, and not within a word or a number. */
const standing = (value: string): RegExp =>
  new RegExp(
    String.raw`(?:(?<![\da-zA-Z]|\d\.)|(?<=%[\da-fA-F]{2}))${value.replaceAll(/[^\w-]/g, String.raw`\$&`)}(?![\da-zA-Z]|\.\d)`,
    'g',
  );

const keyOf = ({ kind, value }: Token): string => `${kind} ${value}`;

/** How a text is built, with the kind of each bound value in its place, and these values. */
function taken(text: string): { build: string; tokens: Token[] } {
  const found: Token[] = [];
  const build = text.replace(tokens, (value) => {
    const token = tokenOf(value);
    found.push(token);
    return `\u0000${token.kind === 'time' ? formOf(value) : token.kind}\u0000`;
  });
  return { build, tokens: found };
}

/** A text as it is built, which is the same for every run. */
export const buildOf = (text: string): string => taken(text).build;

/** A text with symbols of its own, in the order in which its values come. */
export const wordsOf = (text: string): string => new Bound().symbols(text, 'a');

/** How a time is written; the last zeros of a second may be left out. */
const formOf = (value: string): string => value.replace(/\.\d+/, '.f').replace(/\d/g, '9');
