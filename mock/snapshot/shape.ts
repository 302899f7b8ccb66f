import { Misfit } from './misfit.ts';

/** Answers a value as what it is to be, or throws a Misfit. */
export interface Shape<T> {
  (value: unknown): T;
  /** Never there: it makes the shape of a wider type another type, so that a record whose property takes more than before does not compile. */
  readonly takes?: (value: T) => void;
}

/** Looks whether a value is what it is to be, and throws a Misfit when it is not. */
export type Look = (value: unknown) => unknown;

/** The shape of every property; one that is missing here does not compile. */
type Properties<T> = { readonly [K in keyof T]-?: Shape<T[K]> };

export const text: Shape<string> = (value) => (typeof value === 'string' ? value : no('a text', value));
export const truth: Shape<boolean> = (value) => (typeof value === 'boolean' ? value : no('true or false', value));
export const number: Shape<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : no('a number', value);
export const whole: Shape<number> = (value) => (Number.isSafeInteger(value) ? (value as number) : no('a whole number', value));

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
    for (const name of names) {
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
