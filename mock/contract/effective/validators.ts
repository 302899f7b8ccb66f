import type { JsonObject } from '../../../openapi/document.ts';
import { type AjvClass, compilerOf, type Tables, tablesOf } from '../../../openapi/effective/definitions.ts';
import type { Validate } from '../../../openapi/generated/validators.js';
import type { Validators } from '../contract.ts';

/** The validators of an effective contract, each compiled when it is first asked for, so that a switch of behaviors need not wait for all of them. */
export function validatorsOf(document: JsonObject, Ajv: AjvClass): Validators {
  const tables = tablesOf(document);
  // All errors are for errors.several-reasons; where one is enough, it is the first.
  const compiled = compilerOf(tables, Ajv, true);
  const lazily = (table: keyof Tables) => {
    const known: Record<string, Validate> = {};
    for (const name of Object.keys(tables[table])) {
      Object.defineProperty(known, name, {
        configurable: true,
        enumerable: true,
        get() {
          const value = compiled(table, name);
          Object.defineProperty(known, name, { value, enumerable: true });
          return value;
        },
      });
    }
    return known;
  };
  const [bodies, parameters, replies, schemas] = (['bodies', 'parameters', 'replies', 'schemas'] as const).map(lazily);
  return { bodies, parameters, replies, schemas } as Validators;
}
