import { defaultReadings, type Readings } from '../../openapi/generated/clauses.ts';
import type { OperationId, SchemaName, Validate } from '../../openapi/generated/validators.js';
import * as compiledAhead from '../../openapi/generated/validators.js';
import { type Printed, print } from '../answering/written.ts';
import { bodyOf } from '../asking/body.ts';
import { complaints, isMissing } from '../asking/complaints.ts';
import { parametersOf } from '../asking/parameters.ts';
import { propertiesOf } from '../asking/properties.ts';
import type { ServiceRequest } from '../exchange.ts';
import type { RefusalCode } from '../problems.ts';
import { type Refusal, refuse, refused } from '../refusal.ts';
import type { Names } from '../wire/names.ts';
import type { Wire } from '../wire/wire.ts';

/** What the mock needs of an OpenAPI document: the contract as bundled. */
export interface ContractDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly responses?: Readonly<Record<string, ResponseObject>>;
    readonly parameters?: Readonly<Record<string, ParameterObject>>;
    readonly schemas?: Readonly<Record<string, unknown>>;
  };
  readonly 'x-outside-operations': Readonly<Record<string, ResponseObject>>;
}
interface ResponseObject {
  readonly $ref?: string;
  readonly 'x-refusals'?: readonly string[];
  readonly content?: Readonly<Record<string, unknown>>;
}
export interface ParameterObject {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly type?: string | readonly string[]; readonly default?: unknown };
}
interface OperationObject {
  readonly operationId: OperationId;
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: unknown }>> };
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** How the contract answers a refusal. */
export interface RefusalAnswer {
  readonly status: number;
  /** Undefined when the body is empty. */
  readonly mediaType: string | undefined;
  /** The body that tells a message. */
  body(message: string, errors?: FieldErrors): string;
}

/** By field, what is wrong with it. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** How the contract answers when an operation succeeds; without a media type the body is empty. */
interface SuccessAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly isEmpty: boolean;
}

export interface Operation {
  readonly id: OperationId;
  readonly method: string;
  readonly parameters: readonly ParameterObject[];
  readonly bodySchema: unknown;
  /** What the wire calls what operations and domain call otherwise; undefined where that is nothing. */
  readonly names: Names | undefined;
  readonly success: SuccessAnswer;
  readonly refusals: ReadonlyMap<string, RefusalAnswer>;
}

/** An operation, with the raw text of its path's parameter (as received) and of the query. */
export interface Found {
  readonly operation: Operation;
  readonly pathValue: string | undefined;
  readonly query: string;
}

/** What an operation is handed: path and query values by name, and the body where it has one. Checked, so the types of the contract hold. */
export interface Input {
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

interface Path {
  readonly parameter: string | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** A path, with what stands in the place of its parameter. */
interface Place {
  readonly path: Path;
  readonly pathValue: string | undefined;
}

/** What checks bodies, parameters and replies against a contract, by operation, and its schemas by name. */
export interface Validators extends Pick<typeof compiledAhead, 'bodies' | 'parameters' | 'schemas'> {
  /** Of the operations whose answer has a body. */
  readonly replies: { readonly [id in OperationId]?: Validate };
}

/** The contract at work: finds operations, reads requests and checks replies, all from the document and its compiled validators. */
export class Contract {
  /** By the whole path, or by what stands before a parameter at the end: `/api/GiftCard/GetById/`. */
  #paths = new Map<string, Path>();
  #outside: ReadonlyMap<string, RefusalAnswer>;
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
    const { components } = document;
    const response = (given: ResponseObject) => resolved(given, components.responses);
    const parameter = (given: ParameterObject) => resolved(given, components.parameters);
    this.#outside = refusalsOf(document['x-outside-operations'], response, wire);
    for (const [template, item] of Object.entries(document.paths)) {
      const [, prefix, name, rest] = /^([^{]*)(?:\{([^}]+)\}(.*))?$/.exec(template) ?? [];
      if (prefix === undefined || rest) throw new Error(`Only one parameter, at the end of a path, can be matched: ${template}.`);
      const operations = new Map<string, Operation>();
      for (const method of ['get', 'post', 'put', 'delete']) {
        const operation = item[method] as OperationObject | undefined;
        if (!operation) continue;
        const { operationId: id, parameters = [], requestBody, responses } = operation;
        operations.set(method.toUpperCase(), {
          id,
          method,
          parameters: parameters.map(parameter),
          bodySchema: requestBody?.content['application/json']?.schema,
          names: wire?.names.get(id),
          success: successOf(responses),
          refusals: refusalsOf(responses, response, wire),
        });
      }
      this.#paths.set(prefix, { parameter: name, operations });
    }
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
  find(method: string, target: string, readings: Readings = defaultReadings): Found | Refusal {
    const mark = target.indexOf('?');
    const pathname = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const place = this.#placeOf(pathname) ?? this.#nearlyPlaceOf(pathname, readings);
    if (!place) return refuse('operation.unknown-path');
    const { path, pathValue } = place;
    if (method === 'OPTIONS' && readings['http.options'] === 'not-found') return refuse('operation.unknown-path');
    const operation = path.operations.get(method === 'HEAD' && readings['http.head'] === 'like-get' ? 'GET' : method);
    return operation ? { operation, pathValue, query } : refuse('operation.method-not-allowed', method);
  }

  /** The methods that a path has, for the Allow header (http.wrong-method-allow-header); none where there is no such path. */
  methodsOf(target: string, readings: Readings = defaultReadings): readonly string[] {
    const pathname = target.split('?', 1)[0] as string;
    const place = this.#placeOf(pathname) ?? this.#nearlyPlaceOf(pathname, readings);
    const methods = [...(place?.path.operations.keys() ?? [])];
    return methods.includes('GET') && readings['http.head'] === 'like-get' ? [...methods, 'HEAD'] : methods;
  }

  #placeOf(pathname: string): Place | undefined {
    const whole = this.#paths.get(pathname);
    if (whole && !whole.parameter) return { path: whole, pathValue: undefined };
    const slash = pathname.lastIndexOf('/') + 1;
    const pathValue = pathname.slice(slash);
    const path = pathValue === '' ? undefined : this.#paths.get(pathname.slice(0, slash));
    return path?.parameter ? { path, pathValue } : undefined;
  }

  /** http.trailing-slash, http.path-letter-case: looked for only where no path is exactly the one that was asked for. */
  #nearlyPlaceOf(pathname: string, readings: Readings): Place | undefined {
    const shorter = readings['http.trailing-slash'] === 'same-path' ? pathname.replace(/\/$/, '') : pathname;
    if (readings['http.path-letter-case'] === 'counts') return shorter === pathname ? undefined : this.#placeOf(shorter);
    const lower = shorter.toLowerCase();
    for (const [prefix, path] of this.#paths) {
      if (!path.parameter && lower === prefix.toLowerCase()) return { path, pathValue: undefined };
      const pathValue = shorter.slice(prefix.length);
      if (path.parameter && lower.startsWith(prefix.toLowerCase()) && pathValue !== '' && !pathValue.includes('/'))
        return { path, pathValue };
    }
    return undefined;
  }

  /** How a refusal is answered: as the operation says, or as it is said for all when there is no operation. */
  answerTo(code: RefusalCode, operation: Operation | undefined): RefusalAnswer {
    const answer = operation?.refusals.get(code) ?? this.#outside.get(code);
    if (!answer) throw new Error(`No response of ${operation?.id ?? 'the contract'} lists the refusal ${code} under x-refusals.`);
    return answer;
  }

  /**
   * The request's values, converted to the types of the contract and checked against it, so that nothing malformed gets any further
   * (errors.malformed-input-is-no-server-fault). `asking` is given where readings have requests read otherwise than by default.
   */
  read(found: Found, request: ServiceRequest, asking?: Readings): Input | Refusal {
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
  glance(found: Found, request: ServiceRequest, asking?: Readings): Input {
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
/** errors.several-reasons: the first reason, or all of them. */
function invalid([first = '', ...others]: readonly string[], asking: Readings | undefined): Refusal {
  const told = asking?.['errors.several-reasons'] === 'all' ? others : [];
  return refuse([first, ...told].every(isMissing) ? 'request.incomplete' : 'request.invalid', first, [], told);
}

const NOTHING: Printed = { text: '', bytes: 0 };

/** What a reference into the components names, or the thing itself. */
function resolved<T extends { readonly $ref?: string }>(given: T, components: Readonly<Record<string, T>> | undefined): T {
  if (given.$ref === undefined) return given;
  const found = components?.[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`The contract refers to ${given.$ref}, which it does not have.`);
  return found;
}

function successOf(responses: OperationObject['responses']): SuccessAnswer {
  const [status, { content = {} }] = Object.entries(responses).find(([each]) => each.startsWith('2')) ?? ['200', {}];
  const [mediaType] = Object.keys(content);
  const isJson = mediaType === 'application/json';
  // http.cross-origin: no header lets a page of another origin in. http.version-headers: none is read but the key's.
  const headers = isJson ? JSON_HEADERS : mediaType === undefined ? {} : { 'content-type': `${mediaType}; charset=utf-8` };
  return { status: Number(status), headers, isEmpty: mediaType === undefined };
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

function refusalsOf(
  responses: Readonly<Record<string, ResponseObject>>,
  resolve: (given: ResponseObject) => ResponseObject,
  wire: Wire | undefined,
) {
  const refusals = new Map<string, RefusalAnswer>();
  for (const [text, response] of Object.entries(responses)) {
    const status = Number(text);
    for (const code of resolve(response)['x-refusals'] ?? []) {
      const form = wire?.refusals.get(code);
      if (!form) refusals.set(code, { status, mediaType: 'text/plain', body: asItIs });
      else
        refusals.set(code, { status, mediaType: form.mediaType, body: (message, errors) => form.body(message, status, errors) });
    }
  }
  return refusals;
}

function asItIs(message: string): string {
  return message;
}
