import { isUtf8 } from 'node:buffer';
import type { JsonObject } from '../../openapi/document.ts';
import type { OperationId, SchemaName, Validate } from '../../openapi/generated/validators.js';
import * as compiledAhead from '../../openapi/generated/validators.js';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { RefusalCode } from '../pipeline/problems.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import { firstProblem, mustMatch } from './check.ts';
import type { Names } from './effective/names.ts';
import type { Wire } from './effective/wire.ts';
import { type ApiOperation, operationsIn, type Parameter } from './operation.ts';
import { type Printed, print } from './render/print.ts';
import { type RefusalResponse, refusalsIn } from './render/refusals.ts';
import { decoded, type Route, Router } from './router.ts';

/** The checked input of an operation. `parameters` has path and query values by name. */
export interface Input {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export interface ServiceOperation extends ApiOperation<OperationId> {
  /** Wire names of the fields that the effective contract renames. Undefined if no field is renamed. */
  readonly names: Names | undefined;
  readonly refusals: ReadonlyMap<string, RefusalResponse>;
}

/** Validators of bodies, parameters and responses by operation, and of schemas by name. */
export interface Validators extends Pick<typeof compiledAhead, 'bodies' | 'parameters' | 'schemas'> {
  /** An operation without a response body has no validator. */
  readonly responses: { readonly [id in OperationId]?: Validate };
}

/** Finds operations, parses requests and checks responses, from the document and its compiled validators. */
export class Contract {
  readonly document: JsonObject;
  readonly #router: Router<ServiceOperation>;
  /** Responses to refusals outside of operations, such as an unknown path. */
  readonly #outside: ReadonlyMap<string, RefusalResponse>;
  readonly #validators: Validators;
  readonly #wire: Wire | undefined;
  /** False in the bundle with the standard contract, which no card can break: card.test.ts, which runs from the sources, tries it. */
  readonly #checksCards: boolean;

  /**
   * The default validators belong to the standard contract. Overrides rename properties in the document. `wire` translates between these names and
   * the standard names, which operations and domain use.
   */
  constructor(document: JsonObject, validators: Validators = compiledAhead, wire?: Wire) {
    this.document = document;
    this.#validators = validators;
    this.#wire = wire;
    this.#checksCards = import.meta.url.endsWith('.ts') || validators !== compiledAhead;
    const operations = operationsIn<OperationId>(document).map((operation) => ({
      ...operation,
      names: wire?.names.get(operation.id),
      refusals: refusalsIn(document, operation.node.responses, wire),
    }));
    this.#router = new Router(operations);
    this.#outside = refusalsIn(document, document['x-outside-operations'], wire);
  }

  /** Compiles the validators that would otherwise be compiled at their first use. Throws if a schema is invalid. */
  prepare(): void {
    const { bodies, parameters, responses, schemas } = this.#validators;
    for (const table of [bodies, parameters, responses, schemas]) Object.values(table);
  }

  find(method: string, target: string): Route<ServiceOperation> | readonly string[] {
    return this.#router.find(method, target);
  }

  namesOf(id: OperationId): Names | undefined {
    return this.#wire?.names.get(id);
  }

  /** Returns the operation's response to a refusal, or the document's response for a request without an operation. */
  responseTo(code: RefusalCode, operation: ServiceOperation | undefined): RefusalResponse {
    const response = operation?.refusals.get(code) ?? this.#outside.get(code);
    if (!response)
      throw new Error(`No response of ${operation?.id ?? 'the contract'} lists the refusal ${code} under x-refusals.`);
    return response;
  }

  /** Converts the request's values to the types of the contract, and checks the values (errors.malformed-input-is-no-server-fault). */
  parse({ operation, path, query }: Route<ServiceOperation>, { body }: ServiceRequest): Input | Refusal {
    const { id } = operation;
    const values = operation.parameters.length === 0 ? NONE : parametersOf(operation.parameters, path, query);
    const validParameters = this.#validators.parameters[id];
    if (!validParameters(values)) return invalid(validParameters, values);
    const validBody = this.#validators.bodies[id];
    if (!validBody) return { parameters: this.#inContractNames(id, values), body: undefined };
    const given = jsonObjectIn(body as Buffer | undefined);
    if (typeof given === 'string') return refuse('request.malformed-json', given);
    if (!validBody(given)) return invalid(validBody, given);
    const translate = this.#wire?.bodies.get(id);
    return { parameters: this.#inContractNames(id, values), body: translate ? translate(given) : given };
  }

  #inContractNames(id: OperationId, values: Input['parameters']): Input['parameters'] {
    const names = this.#wire?.parameters.get(id);
    return names ? Object.fromEntries(Object.entries(values).map(([key, value]) => [names.get(key) ?? key, value])) : values;
  }

  /**
   * Checks a response and returns its text. Throws if the response breaks the contract, which is a defect of the mock. `write` has already checked a card
   * that the response contains.
   */
  check({ id, success }: ServiceOperation, response: unknown): Printed {
    if (success.mediaType === undefined) return NOTHING;
    const translate = this.#wire?.responses.get(id);
    const body = translate ? translate(response) : response;
    const valid = this.#validators.responses[id];
    if (!valid) throw new Error(`The contract has no body for the response of ${id}.`);
    mustMatch(valid, body, `The response of ${id}`);
    return print(body);
  }

  /** Checks a value such as a card or a delivery, and returns its text. The error names the value by `id`. */
  write(schema: SchemaName, value: unknown, id: string): string {
    const translate = this.#wire?.schemas.get(schema);
    const body = translate ? translate(value) : value;
    if (this.#checksCards || schema !== 'GiftCard') mustMatch(this.#validators.schemas[schema], body, `The ${schema} ${id}`);
    return JSON.stringify(body);
  }
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NOTHING: Printed = { text: '', bytes: 0 };

/** A 400 names the first reason (errors.several-reasons). */
function invalid(check: Validate, value: object): Refusal {
  const { sentence, isMissing } = firstProblem(check, value);
  return refuse(
    isMissing ? 'request.incomplete' : 'request.invalid',
    sentence.replace(/^"(\w+)" is missing|\.$/g, (_, name) => (name ? `${name} is missing` : '')),
  );
}

/**
 * Returns the values of path and query parameters by name. A text that is not of the wanted type stays a text, so that the schema check rejects it. The first value of a repeated query parameter counts (http.repeated-parameter).
 */
export function parametersOf(
  parameters: readonly Parameter[],
  path: Readonly<Record<string, string>>,
  query: string,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const search = query === '' ? undefined : new URLSearchParams(query);
  for (const { name, schema, in: where } of parameters) {
    const text = where === 'path' ? decoded(path[name] ?? '') : search?.get(name);
    if (typeof text === 'string') values[name] = converted(text, schema.type);
    else if (schema.default !== undefined) values[name] = schema.default;
  }
  return values;
}

function converted(text: string, type: Parameter['schema']['type']): unknown {
  const is = (wanted: string) => type === wanted || (Array.isArray(type) && type.includes(wanted));
  if (is('integer')) return /^[+-]?\d+$/.test(text) ? Number(text) : text;
  if (is('number')) return /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (is('boolean')) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/**
 * Returns the body as an object. If the body is not an object, returns the reason as the end of a sentence. Any content type is accepted
 * (http.content-type). The last value of a repeated property counts (http.repeated-property).
 */
export function jsonObjectIn(body: Buffer | undefined): object | string {
  if (!body || body.length === 0) return 'it is empty';
  if (!isUtf8(body)) return 'it is not UTF-8'; // A response could not return text in another encoding unchanged.
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return 'it is not JSON';
  }
  if (typeof value !== 'object' || value === null) return `it is ${value === null ? 'null' : `a ${typeof value}`}`;
  return Array.isArray(value) ? 'it is an array' : value;
}
