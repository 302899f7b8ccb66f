import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../openapi/document.ts';
import { type Tables, tablesOf, toDefinition } from '../../openapi/effective/definitions.ts';
import { formats } from '../../openapi/formats.ts';
import type { Validate } from '../../openapi/generated/validators.js';
import type { Validators } from '../contract/contract.ts';

export type AjvClass = typeof Ajv2020;

/** The validators of an effective contract, each compiled when it is first asked for, so that a switch of readings need not wait for all of them. */
export function validatorsOf(document: JsonObject, Ajv: AjvClass): Validators {
  const tables = tablesOf(document);
  const entries = Object.entries(tables) as [keyof Tables, Tables[keyof Tables]][];
  const definitions = entries.flatMap(([table, schemas]) =>
    Object.entries(schemas).map(([name, schema]) => [`${table}.${name}`, toDefinition(schema)] as const),
  );
  const ajv = new Ajv({
    allErrors: true, // for errors.several-reasons; where one is enough, it is the first
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    inlineRefs: false,
    formats,
    // The rows were checked when they were read or generated; checking the whole again takes longer than all the rest.
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
  });
  ajv.addSchema({ $id: 'contract', $defs: Object.fromEntries(definitions) });
  const lazily = (table: keyof Tables) => {
    const known: Record<string, Validate> = {};
    for (const name of Object.keys(tables[table])) {
      Object.defineProperty(known, name, {
        configurable: true,
        enumerable: true,
        get() {
          const value = ajv.getSchema(`contract#/$defs/${table}.${name}`) as Validate;
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
