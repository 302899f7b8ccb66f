import { isDateTime } from '../../openapi/date-time.ts';
import { formats } from '../../openapi/formats.ts';
import { Misfit } from './misfit.ts';

/** Answers a value as what it is to be, or throws a Misfit. */
export interface Shape<T> {
  (value: unknown): T;
  /** Never there: it makes the shape of a wider type another type, so that a record whose property takes more than before does not compile. */
  readonly takes?: (value: T) => void;
}

/** Looks whether a value is what it is to be, and throws a Misfit when it is not. */
export type Look = (value: unknown) => unknown;

const [FIRST, LAST] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const GUID = formats.uuid as RegExp;

/** The shape of every property; one that is missing here does not compile. */
type Properties<T> = { readonly [K in keyof T]-?: Shape<T[K]> };

export const text: Shape<string> = (value) => (typeof value === 'string' ? value : no('a text', value));
export const truth: Shape<boolean> = (value) => (typeof value === 'boolean' ? value : no('true or false', value));
export const number: Shape<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : no('a number', value);
export const whole: Shape<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : no('a whole number', value));

/** A whole number from 0. */
export const count: Shape<number> = such(whole, (value) => (value < 0 ? 'a number from 0' : undefined));
/** A text that says something. */
export const some: Shape<string> = such(text, (value) => (value === '' ? 'a text that is not empty' : undefined));
export const guid: Shape<string> = such(text, (value) => (GUID.test(value) ? undefined : 'a GUID'));
export const address: Shape<string> = such(text, (value) => (URL.canParse(value) ? undefined : 'an address such as https://…'));
/** Milliseconds since 1970, within the years that times of the wire can name. */
export const moment: Shape<number> = such(whole, (value) =>
  value < FIRST || value > LAST ? 'a moment in milliseconds since 1970, from the year 0 to 9999' : undefined,
);
/** The same as a text. */
export const momentText: Shape<string> = such(text, (value) =>
  isDateTime(value) ? undefined : 'a moment such as 2027-01-31T00:00:00Z',
);

/** What has the shape and is such as it must be; `wanted` says what belongs there instead. */
export function such<T>(shape: Shape<T>, wanted: (value: T) => string | undefined): Shape<T> {
  return (given) => {
    const value = shape(given);
    const other = wanted(value);
    return other === undefined ? value : no(other, given);
  };
}

/** What has the shape and no `objection`, a sentence. */
export function unless<T>(shape: Shape<T>, objection: (value: T) => string | undefined): Shape<T> {
  return (given) => {
    const value = shape(given);
    const sentence = objection(value);
    if (sentence !== undefined) throw new Misfit(sentence);
    return value;
  };
}

export function orNull<T>(shape: Shape<T>): Shape<T | null> {
  return (value) => (value === null ? null : shape(value));
}

/** Undefined is what JSON does not write. */
export function optional<T>(shape: Shape<T>): Shape<T | undefined> {
  return (value) => (value === undefined ? undefined : shape(value));
}

/** One of these names; each of the type's has to be there. */
export function oneOf<T extends string>(choices: { readonly [K in T]: true }): Shape<T> {
  return (value) =>
    typeof value === 'string' && Object.hasOwn(choices, value) ? (value as T) : no(Object.keys(choices).join(' or '), value);
}

/** The names that are the properties of something. */
export function nameIn<T extends string>(things: { readonly [K in T]: unknown }): Shape<T> {
  return oneOf(Object.fromEntries(Object.keys(things).map((name) => [name, true])) as { readonly [K in T]: true });
}

/** One of these kinds of objects, told by the property that only it has; the last where none of them is there. */
export function byProperty<T extends object>(shapes: Readonly<Record<string, (value: unknown) => T>>): Shape<T> {
  const names = Object.keys(shapes);
  return (value) => {
    const given = known(value);
    const name = names.find((each) => Object.hasOwn(given, each)) ?? (names.at(-1) as string);
    return (shapes[name] as (value: unknown) => T)(value);
  };
}

export function list<T>(shape: Shape<T>): Shape<readonly T[]> {
  return (value) => (Array.isArray(value) ? value.map((item, index) => within(index, shape, item)) : no('a list', value));
}

/** A list of which each place has a shape of its own. */
export function tuple<T extends readonly unknown[]>(...shapes: { readonly [K in keyof T]: Shape<T[K]> }): Shape<Readonly<T>> {
  return (value) => {
    if (!Array.isArray(value) || value.length !== shapes.length) return no(`a list of ${shapes.length}`, value);
    return shapes.map((shape, index) => within(index, shape as Look, value[index])) as unknown as T;
  };
}

/** Texts by name, or whatever the shape says. */
export function byName<T>(shape: Shape<T>): Shape<Readonly<Record<string, T>>> {
  return (value) => Object.fromEntries(Object.entries(known(value)).map(([name, each]) => [name, within(name, shape, each)]));
}

/** An object of these properties and no others. */
export function object<T extends object>(properties: Properties<T>): Shape<T> {
  const names = Object.keys(properties) as (keyof T & string)[];
  return (value) => {
    const given = known(value);
    const stranger = Object.keys(given).find((name) => !Object.hasOwn(properties, name));
    if (stranger !== undefined) throw new Misfit(`"${stranger}" is not known here.`);
    const read: Partial<T> = {};
    // In the order in which they are given, so that what is put back is written like what was taken.
    for (const name of [...(Object.keys(given) as typeof names), ...names.filter((each) => !Object.hasOwn(given, each))]) {
      const each = within(name, properties[name] as (value: unknown) => T[typeof name], given[name]);
      if (each !== undefined) read[name] = each;
    }
    return read as T;
  };
}

/** An object of which these properties are looked at, and that may have others. */
export function withAtLeast<T extends object>(properties: { readonly [K in keyof T]?: Look }): Shape<T> {
  return (value) => {
    const given = known(value);
    for (const [name, shape] of Object.entries(properties)) within(name, shape as Look, given[name]);
    return given as T;
  };
}

function known(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : no('an object', value);
}

function within<T>(step: string | number, shape: (value: unknown) => T, value: unknown): T {
  try {
    return shape(value);
  } catch (error) {
    throw Misfit.at(step, error);
  }
}

function no(wanted: string, value: unknown): never {
  const given = value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value));
  throw new Misfit(`${wanted} belongs here, not ${given.length > 60 ? `${given.slice(0, 60)}…` : given}.`);
}
