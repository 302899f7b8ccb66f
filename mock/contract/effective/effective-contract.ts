import { Ajv2020, type Options } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../../openapi/document.ts';
import { applyPlan } from '../../../openapi/effective/apply.ts';
import { compilerOf, contractTables } from '../../../openapi/effective/definitions.ts';
import type { Override } from '../../../openapi/effective/overrides.ts';
import { groupOverrides } from '../../../openapi/effective/plan.ts';
import type { Validate } from '../../../openapi/generated/validators.js';
import { Contract, type Validators } from '../contract.ts';
import { patternOf } from '../pattern.ts';
import { wireOf } from './wire.ts';

/** Applies overrides to the contract. `document` has the default behaviors. */
export function effectiveContract(document: JsonObject, overrides: readonly Override[]): Contract {
  const plan = groupOverrides(overrides);
  const { effective, patched } = applyPlan(document, plan);
  return new Contract(effective, validatorsOf(effective), wireOf(patched, plan));
}

/** Users can write patterns in overrides, and no pattern may block the mock. */
class LinearAjv extends Ajv2020 {
  constructor(options: Options) {
    super({ ...options, code: { regExp: Object.assign((source: string) => patternOf(source), { code: '' }) } });
  }
}

/** Compiles a validator at its first use, so that a change of behaviors is quick. */
function validatorsOf(document: JsonObject): Validators {
  const tables = contractTables(document);
  const compile = compilerOf(tables, LinearAjv);
  const lazily = (table: string) => {
    const validators: Record<string, Validate> = {};
    for (const name of Object.keys(tables[table] ?? {}))
      Object.defineProperty(validators, name, { enumerable: true, get: () => compile(table, name) });
    return validators;
  };
  const [bodies, parameters, responses, schemas] = ['bodies', 'parameters', 'responses', 'schemas'].map(lazily);
  return { bodies, parameters, responses, schemas } as Validators;
}
