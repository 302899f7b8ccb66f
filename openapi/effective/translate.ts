import { isObject, type Json, type JsonObject, schemasOf, valueAt } from '../document.ts';
import type { OverridePlan } from './plan.ts';
import { schemaName } from './schemas.ts';

/** Translates a value from the contract's form to the form on the wire, or back. */
export type Translate = (value: unknown) => unknown;

type Values = Record<string, unknown>;

/**
 * Makes translators for the schemas of a document that still has the contract's own names. If no override changes a schema or its inner schemas, its
 * translator is undefined, and its values stay unchanged.
 */
export class Translator {
  readonly #schemas: JsonObject;
  readonly #places: OverridePlan['places'];

  constructor(document: JsonObject, plan: OverridePlan) {
    this.#schemas = schemasOf(document);
    this.#places = plan.places;
  }

  /** Returns a translator of outgoing values. Skips values of the schemas in `rendered`, because they already have the form on the wire. */
  outward(schema: Json | undefined, rendered: ReadonlySet<string> = new Set()): Translate | undefined {
    return this.#translate(schema, outwardObject, rendered);
  }

  /** Returns a translator of incoming values. If an object is translated, its unknown properties are dropped. */
  inward(schema: Json | undefined): Translate | undefined {
    return this.#translate(schema, inwardObject(nothing));
  }

  /** Returns a translator of incoming values that keeps unknown properties in their places. */
  readBack(schema: Json | undefined): Translate | undefined {
    return this.#translate(schema, inwardObject(structuredClone<Values>));
  }

  #translate(
    schema: Json | undefined,
    ofObject: OfObject,
    rendered: ReadonlySet<string> = new Set(),
    places?: ReadonlyMap<string, readonly string[]>,
  ): Translate | undefined {
    if (!isObject(schema)) return undefined;
    const name = schemaName(schema.$ref);
    if (name !== undefined) {
      if (rendered.has(name)) return undefined;
      // A schema inside itself would not be translated. The contract has no such recursive schema.
      return this.#translate(this.#schemas[name], ofObject, new Set([...rendered, name]), this.#places.get(name));
    }
    if (isObject(schema.properties)) {
      const members: Members = new Map();
      for (const [name, property] of Object.entries(schema.properties))
        members.set(name, { inner: this.#translate(property, ofObject, rendered), steps: places?.get(name) ?? [name] });
      if (!places && Array.from(members.values()).every(({ inner }) => !inner)) return undefined;
      const translate = ofObject(members);
      return (value) => (isObject(value) ? translate(value) : value);
    }
    if (Array.isArray(schema.allOf)) {
      const parts = schema.allOf.flatMap((part) => this.#translate(part, ofObject, rendered) ?? []);
      return parts.length === 0 ? undefined : (value) => parts.reduce((inner, part) => part(inner), value);
    }
    if (Array.isArray(schema.anyOf)) {
      const [only] = schema.anyOf.filter((part) => !isObject(part) || part.type !== 'null');
      return this.#translate(only, ofObject, rendered);
    }
    const each = this.#translate(schema.items, ofObject, rendered);
    return each && ((value) => (Array.isArray(value) ? value.map(each) : value));
  }
}

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

const nothing = (): Values => ({});

/** Translates incoming objects. `othersOf` returns the object that keeps the unknown properties. */
const inwardObject =
  (othersOf: (value: Values) => Values): OfObject =>
  (members) =>
  (value) => {
    const others = othersOf(value);
    const known: Values = {};
    for (const [name, { inner, steps }] of members) {
      const inside = valueAt(value, steps);
      if (inside === undefined) continue;
      takeOut(others, steps);
      known[name] = inner ? inner(inside) : inside;
    }
    return { ...known, ...others };
  };

/** Removes the value at a path. If an object on the path becomes empty, removes this object, too. */
export function takeOut(whole: Values, [step = '', ...others]: readonly string[]): void {
  const inner = whole[step];
  if (others.length > 0 && isObject(inner)) takeOut(inner, others);
  if (others.length === 0 || (isObject(inner) && Object.keys(inner).length === 0)) delete whole[step];
}

/** Sets the value at a path. Creates missing objects on the path. */
export function put(whole: Values, steps: readonly string[], value: unknown): void {
  const [step = '', ...others] = steps;
  if (others.length === 0) {
    whole[step] = value;
    return;
  }
  const before = whole[step];
  const inner = isObject(before) ? before : {};
  whole[step] = inner;
  put(inner, others, value);
}
