import { parseDateTime } from '../../../openapi/date-time.ts';
import { type Behaviors, clauseValues } from '../../../openapi/generated/clauses.ts';
import { type Refusal, refuse, refused } from '../../pipeline/refusal.ts';
import type { ParameterObject } from '../document.ts';
import type { Found } from '../paths.ts';
import { withMidnight } from './dates.ts';
import { decoded } from './decoded.ts';

type Values = Record<string, unknown>;

/** The values of path and query by name, in the types of the contract; `asking` where behaviors differ from the default. */
export function parametersOf({ operation, pathValue, query }: Found, asking: Behaviors | undefined): Values | Refusal {
  const values: Values = {};
  const search = query === '' ? undefined : new URLSearchParams(query);
  for (const parameter of operation.parameters) {
    const { name, schema } = parameter;
    const text = parameter.in === 'path' ? inPath(pathValue ?? '', asking) : inQuery(search, name, asking);
    if (refused(text)) return text;
    const meant = asking && text !== undefined ? asMeant(text, operation.id, parameter, asking) : text;
    if (meant !== undefined) values[name] = converted(meant, schema.type);
    else if (parameter.schema.default !== undefined) values[name] = parameter.schema.default;
  }
  return values;
}

/** Decoded once, and a plus is a plus, unless a reading has it otherwise (http.path-decoding, http.path-plus). */
function inPath(raw: string, asking: Behaviors | undefined): string {
  if (!asking) return decoded(raw);
  const spaced = asking['http.path-plus'] === 'blank' ? raw.replaceAll('+', ' ') : raw;
  return asking['http.path-decoding'] === 'once' ? decoded(spaced) : spaced;
}

/** The first of several counts, unless a reading has it otherwise (http.repeated-parameter). */
function inQuery(search: URLSearchParams | undefined, name: string, asking: Behaviors | undefined): string | undefined | Refusal {
  const reading = asking?.['http.repeated-parameter'] ?? 'first';
  if (reading === 'first') return search?.get(name) ?? undefined;
  const all = search?.getAll(name) ?? [];
  if (reading === 'refused' && all.length > 1) return refuse('request.invalid', `${name} is there ${all.length} times`);
  return all.at(-1);
}

/** What is no value of the type stays as it is, so that the contract's own check refuses it. */
function converted(text: string, type: ParameterObject['schema']['type']): unknown {
  const is = (wanted: string) => type === wanted || (Array.isArray(type) && type.includes(wanted));
  if (is('integer')) return WHOLE.test(text) ? Number(text) : text;
  if (is('boolean')) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

const WHOLE = /^[+-]?\d+$/;
const LARGEST_PAGE = clauseValues['list.page-size-maximum'];

/** What a reading takes a text for that the contract alone would refuse; undefined for none. */
function asMeant(text: string, operation: string, { name }: ParameterObject, asking: Behaviors): string | undefined {
  if (operation !== 'listGiftCards') return text;
  const isWhole = WHOLE.test(text);
  const number = Number(text);
  switch (name) {
    case 'pageSize':
      if (!isWhole) return asking['list.page-size-unreadable'] === 'default' ? undefined : text;
      if (number < 1) return asking['list.page-size-below-one'] === 'default' ? undefined : text;
      return number > LARGEST_PAGE && asking['list.page-size-above-maximum'] === 'cut' ? String(LARGEST_PAGE) : text;
    case 'pageNumber':
      if (!isWhole) return asking['list.page-number-unreadable'] === 'first-page' ? undefined : text;
      return number < 0 && asking['list.page-number-negative'] === 'first-page' ? undefined : text;
    case 'since': {
      const dated = withMidnight(text, asking);
      return asking['list.since-unreadable'] === 'ignored' && parseDateTime(dated) === undefined ? undefined : dated;
    }
    case 'includeAll':
      return asking['list.include-all-unreadable'] === 'false' && text !== 'true' ? 'false' : text;
    default:
      return text;
  }
}
