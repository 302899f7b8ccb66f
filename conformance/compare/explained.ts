import { isObject, type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { refusalsOf } from '../../openapi/effective/answers.ts';
import { standardDocument } from '../../openapi/effective/behaviors.ts';
import type { AnswerRows, Plan } from '../../openapi/effective/plan.ts';
import type { Parting } from './json-diff.ts';
import type { Spoken } from './normalized.ts';

/** Refusals of an operation, with the status that the contract has for each. */
type Refusals = ReadonlyMap<string, number>;

const outside = refusalsIn(standardDocument['x-outside-operations'] as JsonObject);
const refusals = new Map<string, Refusals>(
  operationsOf(standardDocument).map(({ id, node }) => [id, new Map([...outside, ...refusalsIn(node.responses as JsonObject)])]),
);

function refusalsIn(responses: JsonObject): Refusals {
  const all = Object.entries(responses).flatMap(([status, response]) => {
    const { here, elsewhere } = refusalsOf(resolve(standardDocument, response));
    return [...here, ...elsewhere].map((code): [string, number] => [code, Number(status)]);
  });
  return new Map(all);
}

/** Tells what follows from the rows of two targets' own facts, so that it need not be told once more. */
export class Explained {
  readonly #a: Plan;
  readonly #b: Plan;
  /** Properties and parameters that look otherwise on one of the two, or need not be there. */
  readonly #touched: ReadonlySet<string>;

  constructor(a: Plan, b: Plan) {
    this.#a = a;
    this.#b = b;
    this.#touched = new Set([...touchedBy(a, b), ...touchedBy(b, a)]);
  }

  /** Whether one of the two has the operation's answer elsewhere in an object, so that all of it seems to differ. */
  #wraps(operation: string): boolean {
    return JSON.stringify(this.#a.wraps.get(operation)) !== JSON.stringify(this.#b.wraps.get(operation));
  }

  follows({ place, operation }: Parting, a: Spoken, b: Spoken): boolean {
    const isOfAnswer = /(^|\d )body$|^status$|^header content-type$/.test(place) || /^\d+ /.test(place);
    if (!isOfAnswer) return this.#wraps(operation) || place.split(/[/?]/).some((step) => this.#touched.has(step));
    const [one, other] = [a.exchange.status, b.exchange.status];
    if (isSuccess(one) && isSuccess(other))
      return this.#wraps(operation) || !isSame(this.#a.answers.get(operation), this.#b.answers.get(operation));
    return [...(refusals.get(operation) ?? outside)].some(([code, status]) => {
      const [ours, theirs] = [this.#a.answers.get(code), this.#b.answers.get(code)];
      return !isSame(ours, theirs) && (ours?.status ?? status) === one && (theirs?.status ?? status) === other;
    });
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status < 300;
const isSame = (one: AnswerRows | undefined, other: AnswerRows | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Names of properties that the one plan patches or needs as the other does not. */
function touchedBy(one: Plan, other: Plan): string[] {
  const names: string[] = [];
  for (const part of ['patches', 'needed', 'places'] as const)
    for (const [owner, entries] of one[part])
      for (const [name, value] of entries)
        if (JSON.stringify(value) !== JSON.stringify(other[part].get(owner)?.get(name)))
          names.push(name, ...(isObject(value) ? Object.keys((value.properties ?? {}) as object) : []));
  return names.filter((name) => name !== '');
}
