import { DEEPEST, isDeeperThan } from '../../openapi/input/depth.ts';

// The specification does not give all property names. The suite finds a property by its value, such as a code that the run chose.

export interface Leaf {
  path: string;
  value: unknown;
}

export function leaves(json: unknown, path = ''): Leaf[] {
  if (typeof json !== 'object' || json === null) return [{ path, value: json }];
  return Object.entries(json).flatMap(([name, value]) => leaves(value, `${path}/${name}`));
}

export function mentions(json: unknown, value: unknown): boolean {
  return leaves(json).some((leaf) => leaf.value === value);
}

/** Reports whether a string of the response contains the text. The target may add text before or after. */
export function containsText(json: unknown, text: string | undefined): boolean {
  return text !== undefined && leaves(json).some(({ value }) => typeof value === 'string' && value.includes(text));
}

/** Returns the array elements that contain the value. The arrays may be at any depth. */
export function recordsWith(json: unknown, value: unknown): unknown[] {
  return arrays(json)
    .flat()
    .filter((element) => typeof element === 'object' && mentions(element, value));
}

export const recordWith = (json: unknown, value: unknown): unknown => recordsWith(json, value).at(-1);

/** Returns the ID of a record, or undefined if the ID is uncertain. The suite deletes records by ID, so it does not guess: a number counts only under a name such as `id`. */
export function certainIdOf(record: unknown): string | number | undefined {
  const all = leaves(record).filter(({ value }) => typeof value === 'string' || typeof value === 'number');
  const named = all.filter(({ path }) => /id$/i.test(path));
  const own = named.find(({ path }) => path.toLowerCase() === '/id');
  const words = all.filter(({ path }) => /\/(key|ref|reference|guid|uuid|identifier|handle)$/i.test(path));
  const looks = all.filter(({ value }) => typeof value === 'string' && looksLikeId.test(value) && instantOf(value) === undefined);
  const [first, ...others] = own ? [own] : ([named, words, looks].find(({ length }) => length > 0) ?? []);
  return others.length > 0 ? undefined : (first?.value as string | number | undefined);
}

const looksLikeId = /^(?=.*\d)[\w-]{8,64}$/;

/** Reports whether a value may be the code or the ID of a card. Both may have blanks and signs. URLs, email addresses and times are neither. */
export const looksLikeName = (value: unknown): boolean =>
  Number.isInteger(value) ||
  (typeof value === 'string' && /^(?!.*:\/\/)[^@\n]{1,64}$/.test(value) && instantOf(value) === undefined);

export function namesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const own = Array.isArray(json) ? [] : Object.keys(json);
  return [...own, ...Object.values(json).flatMap(namesIn)];
}

/** Returns the names of all properties. Omits a key such as "Active" or "USD", because it is a value and not a name. */
export function spelledNamesIn(json: unknown, ...known: unknown[]): string[] {
  const values = new Set(leaves([json, known]).map(({ value }) => String(value)));
  return namesIn(json).filter((name) => !values.has(name) && !currencies.has(name));
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

type Matches = (object: Record<string, unknown>) => boolean;

/** Returns the outermost matching object that is not in a list, with its path. */
export function findObject(json: unknown, matches: Matches, path = ''): { path: string; object: object } | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  if (matches(json as Record<string, unknown>)) return { path, object: json };
  return Object.entries(json)
    .map(([name, value]) => findObject(value, matches, `${path}/${name}`))
    .find((found) => found !== undefined);
}

export const placeOf = (json: unknown, matches: Matches): string | undefined => findObject(json, matches)?.path;

/** Returns all arrays in the response with their paths, the outermost first. */
export function arraysIn(json: unknown, path = ''): { path: string; items: unknown[] }[] {
  if (typeof json !== 'object' || json === null) return [];
  const inner = Object.entries(json).flatMap(([name, value]) => arraysIn(value, `${path}/${name}`));
  return Array.isArray(json) ? [{ path, items: json }, ...inner] : inner;
}

export const arrays = (json: unknown): unknown[][] => arraysIn(json).map(({ items }) => items);

export const at = (json: unknown, path: string): unknown => leaves(json).find((leaf) => leaf.path === path)?.value;

/** Joins the names of a path by dots. Returns undefined for a path through a list. */
export function stepsTo(path: string): string | undefined {
  const steps = path.split('/').slice(1);
  return steps.some((step) => /^\d+$/.test(step)) ? undefined : steps.join('.');
}

/** Returns the entries of a history that have the amounts. Returns undefined if an amount is missing. Ignores signs, because a target may write 5 with a type such as "redeem" for -5. */
export function entriesWith(json: unknown, amounts: readonly number[]): { amount: number; entry: unknown }[] | undefined {
  for (const array of arrays(json)) {
    const found = array.flatMap((entry) => {
      const mentioned = amountsIn(entry);
      const amount = amounts.find((wanted) => mentioned.has(amountOf(wanted)));
      return amount === undefined ? [] : [{ amount, entry }];
    });
    if (amounts.every((wanted) => found.filter(({ amount }) => amount === wanted).length === 1)) return found;
  }
  return undefined;
}

/** Returns the numbers of the response, also those in texts, in the form that `amountOf` returns. */
export const amountsIn = (json: unknown): Set<number | undefined> => new Set(leaves(json).map(({ value }) => amountOf(value)));

/** Returns a number or a text as an amount without sign, rounded to six decimals. */
export function amountOf(value: unknown): number | undefined {
  const amount = typeof value === 'string' && decimal.test(value) ? Number(value) : value;
  return typeof amount === 'number' ? Number(Math.abs(amount).toFixed(6)) : undefined;
}

const decimal = /^[+-]?\d+(\.\d+)?$/;
const dateTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/;
/** Range of this century, in seconds since 1970. Times in milliseconds are outside this range. */
const [firstSecond, lastSecond] = [946_684_800, 4_102_444_800];

const httpDate = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} (GMT|UTC|[+-]\d{4})$/;

/** Returns the instant of an ISO 8601 text, of an HTTP date, or of a number of seconds or milliseconds within this century. */
export function instantOfAny(value: unknown): number | undefined {
  if (typeof value === 'string' && httpDate.test(value)) return Date.parse(value);
  if (typeof value !== 'number') return instantOf(value);
  const isOfCentury = (seconds: number) => seconds >= firstSecond && seconds < lastSecond;
  if (isOfCentury(value)) return Math.round(value * 1_000);
  return isOfCentury(value / 1_000) ? value : undefined;
}

/** Returns the instant of a string that looks like a date and time. Default zone: UTC. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || !dateTime.test(value)) return undefined;
  const instant = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? value : `${value}Z`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Returns the time of issue of a card: the only time under a name that contains "creat" or "issu". */
export function issueTime(card: unknown): string | undefined {
  const candidates = leaves(card).filter(({ path, value }) => /creat|issu/i.test(path) && instantOf(value) !== undefined);
  const distinct = new Set(candidates.map(({ value }) => value as string));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

/** Returns an ID that no record has. It has the type and form of the given ID. */
export function unknownIdLike(id: string | number): string | number {
  const large = 2_000_000_000 + Math.floor(Math.random() * 100_000_000);
  if (typeof id === 'number') return large;
  if (/^\d+$/.test(id)) return String(large);
  if (!/[a-z0-9]/i.test(id)) return `${id}a`;
  const oneOf = (characters: string) => characters[Math.floor(Math.random() * characters.length)] as string;
  const otherThan = (c: string) => oneOf(/\d/.test(c) ? '0123456789' : /[A-Z]/.test(c) ? 'ABCDEF' : 'abcdef');
  // A prefix such as card_ or a suffix such as == may be fixed, so only the last group of letters and digits is replaced.
  const other = id.replace(/[a-z0-9]+(?=[^a-z0-9]*$)/i, (run) => run.replace(/./g, otherThan));
  return other === id ? unknownIdLike(id) : other;
}

/** Returns undefined if the text is not JSON, or if its value is nested so deeply that recursive functions would exceed the stack. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isDeeperThan(DEEPEST, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
