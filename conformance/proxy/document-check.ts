import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type Json, type JsonObject, resolve } from '../../openapi/document.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { compilerOf, validatorSchemas } from '../../openapi/effective/definitions.ts';
import type { Reader } from '../../openapi/effective/reader.ts';
import { patchSchemas } from '../../openapi/effective/schemas.ts';
import { schemaProblems } from '../../openapi/schema-errors.ts';
import { type Fields, type ParsedCall, parseCall, plainName, splitTarget, textIn } from '../oracle/call.ts';
import type { Finding, ObservedExchange } from '../oracle/oracle.ts';

/** Checks requests and responses against the schemas of the contract. The oracle does not check schemas. */
export class DocumentCheck {
  readonly #reader: Reader;
  readonly #document: JsonObject;
  readonly #bodies: Record<string, Json>;
  readonly #validatorOf: ReturnType<typeof compilerOf>;
  readonly #acceptedKeys = new Set<string>();

  /** The reader renames fields to the names of the contract, but does not convert their values. So the schemas get the types of the variant. */
  constructor(reader: Reader) {
    this.#reader = reader;
    const { 'x-rules': _, ...wire } = standardDocument;
    this.#document = structuredClone(wire);
    patchSchemas(this.#document, reader.plan);
    const tables = validatorSchemas(this.#document);
    this.#bodies = tables.bodies;
    this.#validatorOf = compilerOf(tables, Ajv2020);
  }

  check(exchange: ObservedExchange, n: number): Finding[] {
    const { method, target, response } = exchange;
    const [path] = splitTarget(target);
    if (!response || !/^\/api\//i.test(path)) return [];
    // The specification does not show the paths and fields of coupons.
    if (/Coupon/i.test(path)) return [];
    const call = parseCall(exchange, this.#reader);
    const finding = (kind: Finding['kind'], what: string): Finding => ({ kind, rule: undefined, what, exchanges: [n] });
    if (!call) return [finding('client', `${method} to a path that starts with /api/ and is not an endpoint of the service.`)];
    const ofRequest = [...this.#keyProblems(call), ...this.#bodyProblems(call), ...this.#parameterProblems(call)];
    const ofResponse = this.#responseProblems(call).map(
      (problem) => `returns a response that differs from the contract: ${problem}`,
    );
    return [
      ...ofRequest.map((problem) => finding('client', `${call.title}: ${problem}.`)),
      ...ofResponse.map((problem) => finding('open', `${call.title} ${problem}.`)),
    ];
  }

  #keyProblems({ key, status, outcome }: ParsedCall): string[] {
    if (key === undefined) return ['the header x-api-key is missing'];
    if (outcome === 'accepted') this.#acceptedKeys.add(key);
    const isRefused = status === 401 && !this.#acceptedKeys.has(key);
    return isRefused ? ['the service rejects the key with 401, and never accepted this key'] : [];
  }

  #bodyProblems({ operation, request, requestBody }: ParsedCall): string[] {
    const schema = this.#bodies[operation];
    if (schema === undefined || requestBody === 'unread') return [];
    if (!request) return [requestBody === 'empty' ? 'the body is missing' : 'the body is not a JSON object'];
    const names = isObject(schema) ? Object.keys((resolve(this.#document, schema).properties ?? {}) as object) : [];
    const url = operation === 'createWebhook' ? textIn(request.url) : undefined;
    return [
      ...this.#problems('bodies', operation, withoutBlanks(request)),
      ...spellingProblems(names, request),
      ...(url === undefined || /^https:\/\//i.test(url) ? [] : ['url does not begin with https://']),
    ];
  }

  #parameterProblems({ operation, parameters, isAmbiguous }: ParsedCall): string[] {
    if (isAmbiguous) return [];
    const typed = (text: string) => (/^(-?\d{1,15}|true|false)$/i.test(text) ? JSON.parse(text.toLowerCase()) : text);
    const values = Object.entries(withoutBlanks(parameters)).map(([name, text]) => [name, typed(String(text))]);
    return this.#problems('parameters', operation, operation === 'listGiftCards' ? Object.fromEntries(values) : parameters);
  }

  /** Returns the first difference between a response and its schema. If an override replaces the whole body, the response has no schema. */
  #responseProblems({ operation, outcome, status, responseBody, response }: ParsedCall): string[] {
    const isChecked = outcome === 'accepted' && status === 200 && responseBody === 'json';
    if (!isChecked || this.#reader.plan.responseOverrides.get(operation)?.body !== undefined) return [];
    return this.#problems('responses', operation, response).slice(0, 1);
  }

  #problems(table: 'bodies' | 'parameters' | 'responses', operation: string, value: unknown): string[] {
    const validate = this.#validatorOf(table, operation);
    if (!validate || validate(value)) return [];
    // The specification does not name the field with the card's ID, so giftCardId may be missing.
    const errors = (validate.errors ?? []).filter(({ params }) => params.missingProperty !== 'giftCardId');
    // Values may be data of customers, so the sentences must not show values.
    return schemaProblems(errors, undefined).map(({ sentence }) => sentence.replace(/\.$/, ''));
  }
}

/** Omits blank texts, because a service may treat a blank text as missing. */
const withoutBlanks = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => typeof value !== 'string' || value.trim() !== ''));

const spellingProblems = (names: readonly string[], request: Fields): string[] =>
  Object.keys(request).flatMap((name) => {
    const meant = names.includes(name) ? undefined : names.find((each) => plainName(each) === plainName(name));
    return meant === undefined ? [] : [`the request spells the field ${meant} in another way`];
  });
