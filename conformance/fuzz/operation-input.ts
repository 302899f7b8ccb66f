import { bodySchemaOf, isObject, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';

/** Path, query and body of one operation, according to the contract. */
export interface OperationInput {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With its parameter in braces, if it has one. */
  readonly path: string;
  readonly query: readonly InputField[];
  /** The properties of the JSON body. */
  readonly body: readonly InputField[];
}

export interface InputField {
  readonly name: string;
  readonly types: readonly string[];
  readonly format: string | undefined;
  /** Limits of a number, or of the length of a text. */
  readonly bounds: readonly number[];
}

/** Throws if the contract has no such operation. */
export function operationInput(operationId: string): OperationInput {
  const operation = operationsOf(standardDocument).find(({ id }) => id === operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  const { method, path, node } = operation;
  const parameters = ((node.parameters ?? []) as JsonObject[]).map((each) => resolve(standardDocument, each) as JsonObject);
  const body = bodySchemaOf(standardDocument, node.requestBody);
  return {
    method: method.toUpperCase() as OperationInput['method'],
    path,
    query: parameters.filter((each) => each.in === 'query').map(({ name, schema }) => fieldOf(String(name), schema)),
    body: Object.entries(propertiesOf(body)).map(([name, schema]) => fieldOf(name, schema)),
  };
}

function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const { allOf = [], properties = {} } = resolved(schema);
  return Object.assign({}, ...(allOf as unknown[]).map(propertiesOf), properties);
}

function fieldOf(name: string, schema: unknown): InputField {
  const { type = 'string', format, minimum, maximum, minLength, maxLength } = resolved(schema);
  const bounds = [minimum, maximum, minLength, maxLength].filter((each) => typeof each === 'number');
  return { name, types: [type].flat() as string[], format: format as string | undefined, bounds };
}

function resolved(schema: unknown): JsonObject {
  return isObject(schema) ? (resolve(standardDocument, schema) as JsonObject) : {};
}
