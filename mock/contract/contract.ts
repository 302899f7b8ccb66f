import type { JsonObject } from '../../openapi/document.ts';
import type { OperationId, SchemaName, Validate } from '../../openapi/generated/validators.js';
import * as compiledAhead from '../../openapi/generated/validators.js';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { RefusalCode } from '../pipeline/problems.ts';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import { firstProblem, mustMatch } from './check.ts';
import type { Names } from './effective/names.ts';
import type { Wire } from './effective/wire.ts';
import { type ApiOperation, operationsIn } from './operation.ts';
import { jsonObjectIn, parametersOf } from './parse.ts';
import { type Printed, print } from './render/print.ts';
import { type RefusalAnswer, refusalsIn } from './render/refusals.ts';
import { type Route, Router } from './router.ts';

/** The checked input of an operation: path and query values by name, and the body. */
export interface Input {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** An operation of the service. */
export interface ServiceOperation extends ApiOperation<OperationId> {
  /** Fields that the effective contract renames, by the contract's name; undefined if there are none. */
  readonly names: Names | undefined;
  readonly refusals: ReadonlyMap<string, RefusalAnswer>;
}

/** The validators of a contract: of bodies, parameters and replies by operation, and of schemas by name. */
export interface Validators extends Pick<typeof compiledAhead, 'bodies' | 'parameters' | 'schemas'> {
  /** For operations whose success has a body. */
  readonly replies: { readonly [id in OperationId]?: Validate };
}

/** Finds operations, parses requests and checks replies, from the document and its compiled validators. */
export class Contract {
  readonly document: JsonObject;
  readonly #router: Router<ServiceOperation>;
  /** Answers to refusals outside of operations, such as an unknown path. */
  readonly #outside: ReadonlyMap<string, RefusalAnswer>;
  readonly #validators: Validators;
  readonly #wire: Wire | undefined;

  /**
   * Without validators, uses the generated ones of the standard contract. `wire` translates between the document and the contract's own names, which
   * operations and domain use.
   */
  constructor(document: JsonObject, validators: Validators = compiledAhead, wire?: Wire) {
    this.document = document;
    this.#validators = validators;
    this.#wire = wire;
    const operations = operationsIn<OperationId>(document).map((operation) => ({
      ...operation,
      names: wire?.names.get(operation.id),
      refusals: refusalsIn(document, operation.node.responses, wire),
    }));
    this.#router = new Router(operations);
    this.#outside = refusalsIn(document, document['x-outside-operations'], wire);
  }

  /** Compiles every validator, which otherwise happens at its first use. Throws if a schema is invalid. */
  prepare(): void {
    const { bodies, parameters, replies, schemas } = this.#validators;
    for (const table of [bodies, parameters, replies, schemas]) Object.values(table);
  }

  /** The route of a request, or the methods of its path; none if the path is unknown. */
  find(method: string, target: string): Route<ServiceOperation> | readonly string[] {
    return this.#router.find(method, target);
  }

  /** The fields of an operation that the effective contract renames. */
  namesOf(id: OperationId): Names | undefined {
    return this.#wire?.names.get(id);
  }

  /** How a refusal is answered: as the operation says, or as the document says for requests without an operation. */
  answerTo(code: RefusalCode, operation: ServiceOperation | undefined): RefusalAnswer {
    const answer = operation?.refusals.get(code) ?? this.#outside.get(code);
    if (!answer) throw new Error(`No response of ${operation?.id ?? 'the contract'} lists the refusal ${code} under x-refusals.`);
    return answer;
  }

  /**
   * The request's values, converted to the types of the contract and checked against it (errors.malformed-input-is-no-server-fault).
   */
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

  /** The reply as text, once it has been checked. A reply that breaks the contract is a defect of ours and throws. */
  check({ id, success }: ServiceOperation, reply: unknown): Printed {
    if (success.mediaType === undefined) return NOTHING;
    const translate = this.#wire?.replies.get(id);
    const body = translate ? translate(reply) : reply;
    const valid = this.#validators.replies[id];
    if (!valid) throw new Error(`The contract has no body for the reply of ${id}.`);
    mustMatch(valid, body, `The reply of ${id}`);
    return print(body);
  }

  /** The text of a schema's value, such as a card or a delivery, once it has been checked; `id` says which value broke the contract. */
  write(schema: SchemaName, value: unknown, id: string): string {
    const translate = this.#wire?.schemas.get(schema);
    const body = translate ? translate(value) : value;
    mustMatch(this.#validators.schemas[schema], body, `The ${schema} ${id}`);
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
