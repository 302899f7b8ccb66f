import diff, { type Difference as JsonDifference } from 'microdiff';
import type { DifferingStep } from '../core/result.ts';
import { excerpt } from '../core/text.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';
import { jsonWithPlaceholders, withPlaceholders } from './placeholders.ts';

/** Places of answers that differ in two runs on the same target: "GET /api/GiftCard/List body.totalCount". */
export type UnsteadyPlaces = ReadonlySet<string>;

interface PlaceDifference {
  readonly place: string;
  readonly a: unknown;
  readonly b: unknown;
}

/** The first step at which the answers differ, or that one side alone took. Steps are compared in order. */
export function firstDifferingStep(
  a: readonly Exchange[],
  b: readonly Exchange[],
  unsteady: UnsteadyPlaces = new Set(),
): DifferingStep | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [one, other] = [a[index], b[index]];
    const number = index + 1;
    if (!one || !other) return { number, differs: [`only ${one ? 'A' : 'B'} took this step`], ...sides(one, other) };
    if (requestOf(one) !== requestOf(other))
      return { number, differs: [`request: ${requestOf(one)} on A, ${requestOf(other)} on B`], ...sides(one, other) };
    const differences = answerDifferences(one, other).filter(({ place }) => !unsteady.has(placeOf(one, place)));
    if (differences.length > 0) return { number, differs: differences.slice(0, mostPlaces).map(describe), ...sides(one, other) };
  }
  return undefined;
}

const mostPlaces = 8;

const sides = (a: Exchange | undefined, b: Exchange | undefined) => ({ ...(a ? { a } : {}), ...(b ? { b } : {}) });

/** All places that differ between two runs of a clause on the same target. */
export function unsteadyPlaces(first: readonly Exchange[], second: readonly Exchange[]): string[] {
  return first.flatMap((one, index) => {
    const other = second[index];
    return other && requestOf(one) === requestOf(other)
      ? answerDifferences(one, other).map(({ place }) => placeOf(one, place))
      : [];
  });
}

const requestOf = ({ method, path }: Exchange): string => withPlaceholders(`${method} ${path.split('?', 1)[0]}`);
const placeOf = (exchange: Exchange, place: string): string => `${requestOf(exchange)} ${place}`;

function answerDifferences(a: Exchange, b: Exchange): PlaceDifference[] {
  const status = a.status === b.status ? [] : [{ place: 'status', a: a.status, b: b.status }];
  const bodies = [a, b].map(({ body }) => ({ body: jsonWithPlaceholders(parseJson(body) ?? body) }));
  // Reports keep only the beginning of a long body.
  if ([a, b].some(({ body }) => /\(\d+ characters( that are no JSON)?\)$/.test(body))) return status;
  return [...status, ...diff(bodies[0] as object, bodies[1] as object).map(placeDifference)];
}

function placeDifference(difference: JsonDifference): PlaceDifference {
  // Items of lists have no fixed index, because other clients add cards.
  const place = difference.path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
  if (difference.type === 'CREATE') return { place, a: undefined, b: difference.value };
  if (difference.type === 'REMOVE') return { place, a: difference.oldValue, b: undefined };
  return { place, a: difference.oldValue, b: difference.value };
}

const describe = ({ place, a, b }: PlaceDifference): string => `${place}: ${valueText(a)} on A, ${valueText(b)} on B`;
const valueText = (value: unknown): string => (value === undefined ? 'absent' : excerpt(JSON.stringify(value), 100));
