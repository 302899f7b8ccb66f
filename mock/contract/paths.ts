import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { type Refusal, refuse } from '../pipeline/refusal.ts';
import { type RefusalAnswer, refusalsOf, type SuccessAnswer, successOf } from './answers.ts';
import { type ContractDocument, type OperationObject, type ParameterObject, type ResponseObject, resolved } from './document.ts';
import type { Names } from './effective/names.ts';
import type { Wire } from './effective/wire.ts';

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

interface Path {
  readonly parameter: string | undefined;
  readonly operations: ReadonlyMap<string, Operation>;
}

/** A path, with what stands in the place of its parameter. */
interface Place {
  readonly path: Path;
  readonly pathValue: string | undefined;
}

/** Which operation of a document is meant by a method and an address. */
export class Paths {
  /** By the whole path, or by what stands before a parameter at the end: `/api/GiftCard/GetById/`. */
  readonly #paths = new Map<string, Path>();

  /** `wire` is how the document differs from what operations and domain speak. */
  constructor({ paths, components }: ContractDocument, wire: Wire | undefined) {
    const response = (given: ResponseObject) => resolved(given, components.responses);
    const parameter = (given: ParameterObject) => resolved(given, components.parameters);
    for (const [template, item] of Object.entries(paths)) {
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

  /** Which operation is meant, or why there is none. */
  find(method: string, target: string, behaviors: Behaviors): Found | Refusal {
    const mark = target.indexOf('?');
    const pathname = mark < 0 ? target : target.slice(0, mark);
    const query = mark < 0 ? '' : target.slice(mark + 1);
    const place = this.#placeOf(pathname) ?? this.#nearlyPlaceOf(pathname, behaviors);
    if (!place) return refuse('operation.unknown-path');
    const { path, pathValue } = place;
    if (method === 'OPTIONS' && behaviors['http.options'] === 'not-found') return refuse('operation.unknown-path');
    const operation = path.operations.get(method === 'HEAD' && behaviors['http.head'] === 'like-get' ? 'GET' : method);
    return operation ? { operation, pathValue, query } : refuse('operation.method-not-allowed', method);
  }

  /** The methods that a path has, for the Allow header (http.wrong-method-allow-header); none where there is no such path. */
  methodsOf(target: string, behaviors: Behaviors): readonly string[] {
    const pathname = target.split('?', 1)[0] as string;
    const place = this.#placeOf(pathname) ?? this.#nearlyPlaceOf(pathname, behaviors);
    const methods = [...(place?.path.operations.keys() ?? [])];
    return methods.includes('GET') && behaviors['http.head'] === 'like-get' ? [...methods, 'HEAD'] : methods;
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
  #nearlyPlaceOf(pathname: string, behaviors: Behaviors): Place | undefined {
    const shorter = behaviors['http.trailing-slash'] === 'same-path' ? pathname.replace(/\/$/, '') : pathname;
    if (behaviors['http.path-letter-case'] === 'counts') return shorter === pathname ? undefined : this.#placeOf(shorter);
    const lower = shorter.toLowerCase();
    for (const [prefix, path] of this.#paths) {
      if (!path.parameter && lower === prefix.toLowerCase()) return { path, pathValue: undefined };
      const pathValue = shorter.slice(prefix.length);
      if (path.parameter && lower.startsWith(prefix.toLowerCase()) && pathValue !== '' && !pathValue.includes('/'))
        return { path, pathValue };
    }
    return undefined;
  }
}
