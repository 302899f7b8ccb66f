import diff, { type Difference } from 'microdiff';
import type { DifferingStep } from '../core/result.ts';
import { excerpt } from '../core/text.ts';
import type { Exchange } from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';
import { jsonWithPlaceholders, withPlaceholders } from './placeholders.ts';

/** Places in answers that differ between two runs on one target, such as "GET /api/GiftCard/List body.totalCount". */
export type UnsteadyPlaces = ReadonlySet<string>;

/** Returns the first step whose exchanges differ. A step that only one side took differs, too. */
export function firstDifferingStep(
  a: readonly Exchange[],
  b: readonly Exchange[],
  unsteady: UnsteadyPlaces = new Set(),
): DifferingStep | undefined {
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const differs = differencesOf(a[index], b[index], unsteady);
    const sides = { ...(a[index] ? { a: a[index] } : {}), ...(b[index] ? { b: b[index] } : {}) };
    if (differs.length > 0) return { number: index + 1, differs, ...sides };
  }
  return undefined;
}

function differencesOf(a: Exchange | undefined, b: Exchange | undefined, unsteady: UnsteadyPlaces): string[] {
  if (!a || !b) return [`only ${a ? 'A' : 'B'} took this step`];
  if (requestOf(a) !== requestOf(b)) return [`request: ${requestOf(a)} on A, ${requestOf(b)} on B`];
  return answerDifferences(a, b)
    .filter(({ place }) => !unsteady.has(`${requestOf(a)} ${place}`))
    .map(({ place, values: [one, other] }) => `${place}: ${valueText(one)} on A, ${valueText(other)} on B`);
}

/** Returns the places that differ between two runs of a clause on one target. */
export function unsteadyPlaces(first: readonly Exchange[], second: readonly Exchange[] = []): string[] {
  return first.flatMap((one, index) => {
    const other = second[index];
    if (!other || requestOf(one) !== requestOf(other)) return [];
    return answerDifferences(one, other).map(({ place }) => `${requestOf(one)} ${place}`);
  });
}

const requestOf = ({ method, path }: Exchange): string => withPlaceholders(`${method} ${path.split('?', 1)[0]}`);

interface PlaceDifference {
  readonly place: string;
  readonly values: readonly [unknown, unknown];
}

function answerDifferences(a: Exchange, b: Exchange): PlaceDifference[] {
  const status: PlaceDifference[] = a.status === b.status ? [] : [{ place: 'status', values: [a.status, b.status] }];
  // A result has only the beginning of a long body, so its JSON cannot be compared.
  if ([a, b].some(({ body }) => /\(\d+ characters(, not JSON)?\)$/.test(body))) return status;
  const bodyOf = ({ body }: Exchange) => ({ body: jsonWithPlaceholders(parseJson(body) ?? body) });
  return [...status, ...diff(bodyOf(a), bodyOf(b)).map(placeDifference)];
}

const placeDifference = (difference: Difference): PlaceDifference => ({
  // Other clients add cards, so the index of an item may change.
  place: difference.path.map((step) => (typeof step === 'number' ? '*' : step)).join('.'),
  values: [
    difference.type === 'CREATE' ? undefined : difference.oldValue,
    difference.type === 'REMOVE' ? undefined : difference.value,
  ],
});

const valueText = (value: unknown): string => (value === undefined ? 'absent' : excerpt(JSON.stringify(value), 100));
