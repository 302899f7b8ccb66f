import { isObject, type Json, type JsonObject } from '../document.ts';
import type { Plan } from './plan.ts';
import { schemaName } from './schemas.ts';

/** Translates a value from the contract's form to the wire's, or back. */
export type Translate = (value: unknown) => unknown;

type Values = Record<string, unknown>;

/**
 * Makes translators for the schemas of a document that still has the contract's own names. If no override changes anything below a schema, there is no
 * translator, and the value stays unchanged.
 */
export class Translator {
  readonly #schemas: JsonObject;
  readonly #places: Plan['places'];

  constructor(document: JsonObject, plan: Plan) {
    this.#schemas = (document.components as JsonObject).schemas as JsonObject;
    this.#places = plan.places;
  }

  /** For outgoing values. Values of the schemas in `rendered` are translated already. */
  outward(schema: Json | undefined, rendered: ReadonlySet<string> = new Set()): Translate | undefined {
    return this.#translate(schema, outwardObject, rendered);
  }

  /** For incoming values. Unknown properties of a changed object are dropped. */
  inward(schema: Json | undefined): Translate | undefined {
    return this.#translate(schema, inwardObject, new Set());
  }

  /** For incoming values. Unknown properties stay in their places. */
  readBack(schema: Json | undefined): Translate | undefined {
    return this.#translate(schema, readBackObject, new Set());
  }

  #translate(schema: Json | undefined, ofObject: OfObject, rendered: ReadonlySet<string>): Translate | undefined {
    if (!isObject(schema)) return undefined;
    const name = schemaName(schema.$ref);
    if (name !== undefined) {
      if (rendered.has(name)) return undefined;
      // A schema inside its own definition would not be translated; the contract has no recursive schema.
      return this.#object(this.#schemas[name], ofObject, new Set([...rendered, name]), this.#places.get(name));
    }
    if (Array.isArray(schema.allOf)) {
      const parts = schema.allOf.flatMap((part) => this.#translate(part, ofObject, rendered) ?? []);
      return parts.length === 0 ? undefined : (value) => parts.reduce((inner, part) => part(inner), value);
    }
    if (Array.isArray(schema.anyOf)) {
      const [only] = schema.anyOf.filter((part) => !isObject(part) || part.type !== 'null');
      return this.#translate(only, ofObject, rendered);
    }
    if (isObject(schema.items)) {
      const each = this.#translate(schema.items, ofObject, rendered);
      return each && ((value) => (Array.isArray(value) ? value.map(each) : value));
    }
    return this.#object(schema, ofObject, rendered, undefined);
  }

  #object(schema: Json | undefined, ofObject: OfObject, rendered: ReadonlySet<string>, places: Places | undefined) {
    if (!isObject(schema)) return undefined;
    if (!isObject(schema.properties))
      return schema.$ref || schema.items || schema.allOf || schema.anyOf
        ? this.#translate(schema, ofObject, rendered)
        : undefined;
    const members: Members = new Map();
    let isChanged = places !== undefined;
    for (const [name, property] of Object.entries(schema.properties)) {
      const inner = this.#translate(property, ofObject, rendered);
      isChanged ||= inner !== undefined;
      members.set(name, { inner, steps: places?.get(name) ?? [name] });
    }
    const translate = ofObject(members);
    return isChanged ? (value: unknown) => (isObject(value) ? translate(value as Values) : value) : undefined;
  }
}

type Places = ReadonlyMap<string, readonly string[]>;
type Members = Map<string, { readonly inner: Translate | undefined; readonly steps: readonly string[] }>;
type OfObject = (members: Members) => (value: Values) => Values;

const outwardObject: OfObject = (members) => (value) => {
  const rendered: Values = {};
  for (const [name, inside] of Object.entries(value)) {
    const member = members.get(name);
    if (inside === undefined) continue;
    put(rendered, member?.steps ?? [name], member?.inner ? member.inner(inside) : inside);
  }
  return rendered;
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

/** Removes the value at a path, and the objects of the path that are empty then. */
export function takeOut(whole: Values, [step = '', ...others]: readonly string[]): void {
  const inner = whole[step];
  if (others.length > 0 && isObject(inner)) takeOut(inner as Values, others);
  if (others.length === 0 || (isObject(inner) && Object.keys(inner).length === 0)) delete whole[step];
}

/** Sets the value at a path, and creates the objects of the path. */
export function put(whole: Values, steps: readonly string[], value: unknown): void {
  let into = whole;
  for (const step of steps.slice(0, -1)) {
    if (!isObject(into[step])) into[step] = {};
    into = into[step] as Values;
  }
  into[steps.at(-1) as string] = value;
}

/** The value at a path, or undefined. */
export function at(whole: unknown, steps: readonly string[]): unknown {
  let value = whole;
  for (const step of steps) {
    if (!isObject(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}
