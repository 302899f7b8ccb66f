import { bodySchemaOf, isObject, type JsonObject, operationsOf, responseSchemaOf, valueAt } from '../document.ts';
import { applyPlan } from './apply.ts';
import type { Override } from './overrides.ts';
import { groupOverrides, type OverridePlan } from './plan.ts';
import { type Translate, Translator, takeOut } from './translate.ts';

/**
 * Translates parsed bodies of a deployment back to the contract's own names and paths. Unknown properties stay unchanged. A body that an
 * override replaces stays unchanged, too.
 */
export class Reader {
  readonly plan: OverridePlan;
  readonly #requests = new Map<string, Translate>();
  readonly #responseOverrides = new Map<string, Translate>();

  constructor(document: JsonObject, overrides: readonly Override[]) {
    this.plan = groupOverrides(overrides);
    const { patched } = applyPlan(document, this.plan);
    const translator = new Translator(patched, this.plan);
    for (const { id, node } of operationsOf(patched)) {
      const request = translator.readBack(bodySchemaOf(patched, node.requestBody));
      if (request) this.#requests.set(id, request);
      if (this.plan.responseOverrides.get(id)?.body !== undefined) continue;
      const response = unwrapped(this.plan.wraps.get(id), translator.readBack(responseSchemaOf(patched, node)));
      if (response) this.#responseOverrides.set(id, response);
    }
  }

  /** Translates the body of a request. */
  request(operation: string, body: unknown): unknown {
    return this.#requests.get(operation)?.(body) ?? body;
  }

  /** Translates the body of a success. */
  response(operation: string, body: unknown): unknown {
    return this.#responseOverrides.get(operation)?.(body) ?? body;
  }

  /** Translates the name of a parameter on the wire to its name in the contract. */
  parameter(operation: string, name: string): string {
    const renamed = [...(this.plan.places.get(operation) ?? [])].find(([, [place]]) => place === name);
    return renamed?.[0] ?? name;
  }
}

/** Removes the wrapper of a value. If the wrapper has other properties, returns an object: `value`, and `others` with the other properties. */
function unwrapped(steps: readonly string[] | undefined, inner: Translate | undefined): Translate | undefined {
  if (!steps) return inner;
  return (body) => {
    const wrapped = valueAt(body, steps);
    if (wrapped === undefined || !isObject(body)) return body;
    const value = inner ? inner(wrapped) : wrapped;
    const rest: Record<string, unknown> = structuredClone(body);
    takeOut(rest, steps);
    return Object.keys(rest).length === 0 ? value : { value, others: rest };
  };
}
