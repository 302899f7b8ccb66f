import { isObject, type Json, type JsonObject } from '../document.ts';
import type { Plan } from './plan.ts';
import { schemaName } from './schemas.ts';

/** From a value as the contract has it to the same as the wire has it, or back. */
export type Translate = (value: unknown) => unknown;

type Values = Record<string, unknown>;

/**
 * Makes translators for the schemas of a document that still has the contract's own names. Where no row touches anything below a schema there is
 * none, and the value is told as it is.
 */
export class Translator {
  readonly #schemas: JsonObject;
  readonly #places: Plan['places'];

  constructor(document: JsonObject, plan: Plan) {
    this.#schemas = (document.components as JsonObject).schemas as JsonObject;
    this.#places = plan.places;
  }

  /** For values going out; those of the schemas in `told` have been translated already and are left alone. */
  outward(schema: Json | undefined, told: ReadonlySet<string> = new Set()): Translate | undefined {
    return this.#translate(schema, outwardObject, told);
  }

  /** For values coming in; of an object that is put together anew, only what the contract knows is taken over. */
  inward(schema: Json | undefined): Translate | undefined {
    return this.#translate(schema, inwardObject, new Set());
  }

  /** The same, with what the contract does not know left where it stands. */
  readBack(schema: Json | undefined): Translate | undefined {
    return this.#translate(schema, readBackObject, new Set());
  }

  #translate(schema: Json | undefined, ofObject: OfObject, told: ReadonlySet<string>): Translate | undefined {
    if (!isObject(schema)) return undefined;
    const name = schemaName(schema.$ref);
    if (name !== undefined) {
      if (told.has(name)) return undefined;
      // Within its own definition a schema would be left alone; the contract has none that holds itself.
      return this.#object(this.#schemas[name], ofObject, new Set([...told, name]), this.#places.get(name));
    }
    if (Array.isArray(schema.allOf)) {
      const parts = schema.allOf.flatMap((part) => this.#translate(part, ofObject, told) ?? []);
      return parts.length === 0 ? undefined : (value) => parts.reduce((inner, part) => part(inner), value);
    }
    if (Array.isArray(schema.anyOf)) {
      const [only] = schema.anyOf.filter((part) => !isObject(part) || part.type !== 'null');
      return this.#translate(only, ofObject, told);
    }
    if (isObject(schema.items)) {
      const each = this.#translate(schema.items, ofObject, told);
      return each && ((value) => (Array.isArray(value) ? value.map(each) : value));
    }
    return this.#object(schema, ofObject, told, undefined);
  }

  #object(schema: Json | undefined, ofObject: OfObject, told: ReadonlySet<string>, places: Places | undefined) {
    if (!isObject(schema)) return undefined;
    if (!isObject(schema.properties))
      return schema.$ref || schema.items || schema.allOf || schema.anyOf ? this.#translate(schema, ofObject, told) : undefined;
    const members: Members = new Map();
    let touched = places !== undefined;
    for (const [name, property] of Object.entries(schema.properties)) {
      const inner = this.#translate(property, ofObject, told);
      touched ||= inner !== undefined;
      members.set(name, { inner, steps: places?.get(name) ?? [name] });
    }
    const translate = ofObject(members);
    return touched ? (value: unknown) => (isObject(value) ? translate(value as Values) : value) : undefined;
  }
}

type Places = ReadonlyMap<string, readonly string[]>;
type Members = Map<string, { readonly inner: Translate | undefined; readonly steps: readonly string[] }>;
type OfObject = (members: Members) => (value: Values) => Values;

const outwardObject: OfObject = (members) => (value) => {
  const told: Values = {};
  for (const [name, inside] of Object.entries(value)) {
    const member = members.get(name);
    if (inside === undefined) continue;
    put(told, member?.steps ?? [name], member?.inner ? member.inner(inside) : inside);
  }
  return told;
};

const inwardObject: OfObject = (members) => (value) => {
  const read: Values = {};
  for (const [name, { inner, steps }] of members) {
    const inside = at(value, steps);
    if (inside !== undefined) read[name] = inner ? inner(inside) : inside;
  }
  return read;
};

const readBackObject: OfObject = (members) => (value) => {
  const read = structuredClone(value);
  const found: Values = {};
  for (const [name, { inner, steps }] of members) {
    const inside = at(value, steps);
    if (inside === undefined) continue;
    takeOut(read, steps);
    found[name] = inner ? inner(inside) : inside;
  }
  return { ...found, ...read };
};

/** Takes away what stands where the steps lead, and the objects on the way that nothing else is left in. */
export function takeOut(whole: Values, [step = '', ...others]: readonly string[]): void {
  const inner = whole[step];
  if (others.length > 0 && isObject(inner)) takeOut(inner as Values, others);
  if (others.length === 0 || (isObject(inner) && Object.keys(inner).length === 0)) delete whole[step];
}

/** Puts a value where the steps lead, making the objects on the way. */
export function put(whole: Values, steps: readonly string[], value: unknown): void {
  let into = whole;
  for (const step of steps.slice(0, -1)) {
    if (!isObject(into[step])) into[step] = {};
    into = into[step] as Values;
  }
  into[steps.at(-1) as string] = value;
}

/** What stands where the steps lead; undefined where they lead nowhere. */
export function at(whole: unknown, steps: readonly string[]): unknown {
  let value = whole;
  for (const step of steps) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}
