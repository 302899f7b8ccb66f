import type { JsonObject } from '../../../openapi/document.ts';
import { applyPlan } from '../../../openapi/effective/apply.ts';
import type { AjvClass } from '../../../openapi/effective/definitions.ts';
import type { Override } from '../../../openapi/effective/overrides.ts';
import { planOf } from '../../../openapi/effective/plan.ts';
import { Contract } from '../contract.ts';
import { validatorsOf } from './validators.ts';
import { wireOf } from './wire.ts';

/** The contract with these rows applied, ready to be spoken. `document` is the contract as it is written. */
export function effectiveContract(document: JsonObject, rows: readonly Override[], Ajv: AjvClass): Contract {
  const plan = planOf(rows);
  const { effective, patched } = applyPlan(document, plan);
  return new Contract(effective, validatorsOf(effective, Ajv), wireOf(patched, plan));
}
