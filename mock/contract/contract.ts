import { type Behaviors, defaultBehaviors } from '../../openapi/generated/clauses.ts';
import type { OperationId, SchemaName, Validate } from '../../openapi/generated/validators.js';
import * as compiledAhead from '../../openapi/generated/validators.js';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { RefusalCode } from '../pipeline/problems.ts';
import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import { type RefusalAnswer, refusalsOf } from './answers.ts';
import { type ContractDocument, resolved } from './document.ts';
import type { Wire } from './effective/wire.ts';
import { bodyOf } from './parse/body.ts';
import { complaints, isMissing } from './parse/complaints.ts';
import { parametersOf } from './parse/parameters.ts';
import { propertiesOf } from './parse/properties.ts';
import { type Found, type Operation, Paths } from './paths.ts';
import { type Printed, print } from './render/written.ts';

/** What an operation is handed: path and query values by name, and the body where it has one. Checked, so the types of the contract hold. */
export interface Input {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** What checks bodies, parameters and replies against a contract, by operation, and its schemas by name. */
export interface Validators extends Pick<typeof compiledAhead, 'bodies' | 'parameters' | 'schemas'> {
  /** Of the operations whose answer has a body. */
  readonly replies: { readonly [id in OperationId]?: Validate };
}

/** The contract at work: finds operations, reads requests and checks replies, all from the document and its compiled validators. */
export class Contract {
  readonly #paths: Paths;
  readonly #outside: ReadonlyMap<string, RefusalAnswer>;
  readonly #validators: Validators;
  readonly #wire: Wire | undefined;
  readonly document: ContractDocument;

  /**
   * Without validators, those of the contract as it is written, which are compiled ahead. `wire` is how the document differs from what operations
   * and domain speak.
   */
  constructor(document: ContractDocument, validators: Validators = compiledAhead, wire?: Wire) {
    this.document = document;
    this.#validators = validators;
    this.#wire = wire;
    const { components, 'x-outside-operations': outside } = document;
    this.#paths = new Paths(document, wire);
    this.#outside = refusalsOf(outside, (given) => resolved(given, components.responses), wire);
  }

  /** Makes every validator ready, which otherwise is done when it is first needed. Throws where a schema is none. */
  prepare(): void {
    for (const table of [
      this.#validators.bodies,
      this.#validators.parameters,
      this.#validators.replies,
      this.#validators.schemas,
    ])
      Object.values(table);
  }

  /** Which operation is meant, or why there is none. */
  find(method: string, target: string, behaviors: Behaviors = defaultBehaviors): Found | Refusal {
    return this.#paths.find(method, target, behaviors);
  }

  /** The methods that a path has, for the Allow header (http.wrong-method-allow-header); none where there is no such path. */
  methodsOf(target: string, behaviors: Behaviors = defaultBehaviors): readonly string[] {
    return this.#paths.methodsOf(target, behaviors);
  }

  /** How a refusal is answered: as the operation says, or as it is said for all when there is no operation. */
  answerTo(code: RefusalCode, operation: Operation | undefined): RefusalAnswer {
    const answer = operation?.refusals.get(code) ?? this.#outside.get(code);
    if (!answer) throw new Error(`No response of ${operation?.id ?? 'the contract'} lists the refusal ${code} under x-refusals.`);
    return answer;
  }

  /**
   * The request's values, converted to the types of the contract and checked against it, so that nothing malformed gets any further
   * (errors.malformed-input-is-no-server-fault). `asking` is given where behaviors have requests read otherwise than by default.
   */
  read(found: Found, request: ServiceRequest, asking?: Behaviors): Input | Refusal {
    const { operation } = found;
    const values = operation.parameters.length === 0 ? NONE : parametersOf(found, asking);
    if (refused(values)) return values;
    const validParameters = this.#validators.parameters[operation.id];
    if (!validParameters(values)) return invalid(complaints(validParameters, 'the request'), asking);
    const validBody = this.#validators.bodies[operation.id];
    if (!validBody) return this.#read(operation, values, undefined);
    const body = bodyOf(request, asking, () => propertiesOf(operation.bodySchema, this.document));
    if (typeof body === 'string') return refuse('request.malformed-json', body);
    if (!validBody(body)) return invalid(complaints(validBody, 'the body', body), asking);
    return this.#read(operation, values, body);
  }

  /** What was read, under the names that operations know. */
  #read({ id }: Operation, values: Input['parameters'], body: unknown): Input {
    if (!this.#wire) return { parameters: values, body };
    const names = this.#wire.parameters.get(id);
    const parameters = names
      ? Object.fromEntries(Object.entries(values).map(([key, value]) => [names.get(key) ?? key, value]))
      : values;
    const translate = this.#wire.bodies.get(id);
    return { parameters, body: translate ? translate(body) : body };
  }

  /** What can be made out of a request that need not have its form, under the names that operations know; nothing of it is checked. */
  glance(found: Found, request: ServiceRequest, asking?: Behaviors): Input {
    const { operation } = found;
    const values = parametersOf(found, asking);
    const parameters = refused(values) ? NONE : values;
    if (operation.bodySchema === undefined) return this.#read(operation, parameters, undefined);
    const body = bodyOf(request, asking, () => propertiesOf(operation.bodySchema, this.document));
    return this.#read(operation, parameters, typeof body === 'string' ? {} : body);
  }

  /** The reply as text, once it has been checked. A reply that breaks the contract is a defect of ours and throws. */
  check({ id, success }: Operation, reply: unknown): Printed {
    if (success.isEmpty) return NOTHING;
    const translate = this.#wire?.replies.get(id);
    const told = translate ? translate(reply) : reply;
    const valid = this.#validators.replies[id];
    if (!valid) throw new Error(`The contract has no body for the reply of ${id}.`);
    if (!valid(told)) throw new Error(`The reply of ${id} breaks the contract: ${complaints(valid, 'the reply')[0]}.`);
    return print(told);
  }

  /** The text of one of the schemas' values, such as a card or a delivery, once it has been checked; `id` says which one broke the contract. */
  write(schema: SchemaName, value: unknown, id: string): string {
    const translate = this.#wire?.schemas.get(schema);
    const told = translate ? translate(value) : value;
    const valid = this.#validators.schemas[schema];
    if (!valid(told)) throw new Error(`The ${schema} ${id} breaks the contract: ${complaints(valid, 'it')[0]}.`);
    return JSON.stringify(told);
  }
}

const NONE: Readonly<Record<string, unknown>> = Object.freeze({});
const NOTHING: Printed = { text: '', bytes: 0 };

/** errors.several-reasons: the first reason, or all of them. */
function invalid([first = '', ...others]: readonly string[], asking: Behaviors | undefined): Refusal {
  const told = asking?.['errors.several-reasons'] === 'all' ? others : [];
  return refuse([first, ...told].every(isMissing) ? 'request.incomplete' : 'request.invalid', first, [], told);
}
