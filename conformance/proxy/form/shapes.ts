import { Ajv2020 } from 'ajv/dist/2020.js';
import { standardDocument } from '../../../openapi/effective/behaviors.ts';
import { compilerOf, tablesOf } from '../../../openapi/effective/definitions.ts';
import type { Reader } from '../../../openapi/effective/reader.ts';
import { patchSchemas } from '../../../openapi/effective/schemas.ts';
import { type OperationId, responses, type Validate } from '../../../openapi/generated/validators.js';

type ShapeOf = (operation: OperationId) => Validate | undefined;

const known = new WeakMap<Reader, ShapeOf>();

/** What an answer is like as the reader gives it, under the contract's own names: what a facts file says of types and of what need not be there is in it. */
export function shapeBy(reader: Reader, operation: OperationId): Validate | undefined {
  const shapeOf = known.get(reader) ?? shapesOf(reader);
  known.set(reader, shapeOf);
  return shapeOf(operation);
}

function shapesOf({ plan }: Reader): ShapeOf {
  if (plan.patches.size + plan.needed.size === 0) return (operation) => responses[operation];
  const { 'x-clauses': _, ...wire } = standardDocument;
  const document = structuredClone(wire);
  patchSchemas(document, plan);
  const { responses: answers, schemas } = tablesOf(document);
  const compiled = compilerOf({ responses: answers, schemas }, Ajv2020, false);
  return (operation) => (answers[operation] === undefined ? undefined : compiled('responses', operation));
}
