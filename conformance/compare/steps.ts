import diff from 'microdiff';
import { operations } from '../core/operations.ts';
import type { ClauseResult, DecidingStep, NumberedExchange } from '../core/result.ts';
import { excerpt } from '../core/text.ts';
import { parsedBody, withPlaceholders } from './placeholders.ts';

type Steps = Pick<ClauseResult, 'did' | 'exchanges'> & Partial<ClauseResult>;
type Step = ReturnType<typeof stepsOf>[number];
type StepPair = ReturnType<typeof pairOf>;

interface PlaceDifference {
  readonly place: string;
  readonly values: readonly [unknown, unknown];
}

/** Pairs the steps by request and description, because one side may take more steps than the other. */
export function stepPairs(a: Steps, b: Steps): StepPair[] {
  const [ofA, ofB] = [stepsOf(a), stepsOf(b)];
  const [lastOfA, lastOfB] = [ofA[a.decidedBy ?? -1], ofB[b.decidedBy ?? -1]];
  const pairs = ofA.flatMap((one) => ofB.filter(({ key }) => key === one.key).map((other) => pairOf(one, other)));
  const isPaired = pairs.some(({ key }) => key === lastOfA?.key || key === lastOfB?.key);
  // The descriptions may differ, for example by the name of a parameter.
  return lastOfA && lastOfB && !isPaired ? [...pairs, pairOf(lastOfA, lastOfB)] : pairs;
}

function pairOf({ key, what, request, exchange: a }: Step, { exchange: b }: Step) {
  const isRefused = [a, b].map(({ status }) => status >= 400);
  // A refusal has other properties than a success.
  const [path = ''] = a.path.split('?');
  const { name } = operations.find(({ method, exactly }) => method === a.method && exactly.test(path)) ?? { name: request };
  const operation = `${name} ${isRefused}`;
  const differences = new Map(answerDifferences(a, b).map((each) => [`${operation} ${each.place}`, each]));
  // A result has only a part of a long body.
  const isCut = [a, b].some(({ body }) => parsedBody(body) === undefined);
  return { key, what, operation, isRefusedByOne: isRefused[0] !== isRefused[1], isCut, a, b, differences };
}

function stepsOf({ did, exchanges }: Steps) {
  const counts = new Map<string, number>();
  return exchanges.map((exchange, index) => {
    const request = withPlaceholders(`${exchange.method} ${exchange.path.split('?', 1)[0]}`);
    // A test of many malformed requests does not describe each request.
    const what = did.length === exchanges.length ? (did[index] ?? '').replace(/ → .*/s, '') : request;
    const name = withPlaceholders(`${request} ${what}`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return { key: `${name} ${counts.get(name)}`, what, request, exchange: { n: index + 1, ...exchange } };
  });
}

/** Returns the places that differ in most answers of an operation, such as a property that only one side has. */
export function usualPlaces(pairs: readonly StepPair[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { operation, differences, isRefusedByOne } of pairs)
    for (const key of isRefusedByOne ? [] : [operation, ...differences.keys()]) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isUsual = (operation: string, key: string) => 2 * (counts.get(key) ?? 0) > (counts.get(operation) ?? 0);
  return new Set(pairs.flatMap(({ operation, differences }) => [...differences.keys()].filter((key) => isUsual(operation, key))));
}

/**
 * Returns the step whose answers decided the verdicts. Each result names its own step. The earlier of two steps counts, because a test ends at its first violation.
 * If these answers differ only in usual places, or in places that change between two runs on A, then the last step with another difference counts.
 */
export function decidingStep(a: Steps, b: Steps, usual: ReadonlySet<string>, second?: Steps): DecidingStep | undefined {
  const isViolation = a.observation === undefined || b.observation === undefined;
  const repeated = new Map(second && stepPairs(a, second).map(({ key, differences }) => [key, differences]));
  const pairs = stepPairs(a, b).map(({ key, differences, ...pair }) => {
    const rare = [...differences].filter(([name]) => !usual.has(name) && !repeated.get(key)?.has(name));
    // A question may be about a usual place, such as the name of a property.
    const shown = rare.length > 0 && isViolation ? rare : [...rare, ...differences];
    return { ...pair, shown: shown.map(([, difference]) => difference), isRare: rare.length > 0 };
  });
  const decided = pairs.filter((pair) => pair.a.n - 1 === a.decidedBy || pair.b.n - 1 === b.decidedBy);
  const isByDelivery = decided.length === 0 && (a.deliveries ?? b.deliveries) !== undefined;
  const isReason = ({ isRare, isRefusedByOne }: (typeof pairs)[number]) =>
    isRare && !isByDelivery && (isRefusedByOne || isViolation || decided.length === 0);
  const step = decided.find(({ isRare }) => isRare) ?? pairs.findLast(isReason) ?? decided[0];
  if (!step || (step.shown.length === 0 && !step.isCut)) return undefined;
  const differs = step.shown.map(
    ({ place, values: [one, other] }) => `${place}: ${valueText(one)} on A, ${valueText(other)} on B`,
  );
  return { what: step.what, differs: [...new Set(differs)], a: step.a, b: step.b };
}

/** Compares the status, the media type and the parsed body. The order of properties and the charset do not count. */
function answerDifferences(a: NumberedExchange, b: NumberedExchange): PlaceDifference[] {
  const [one, other] = [a, b].map(({ status, contentType, body }) => {
    const mediaType = contentType.split(';', 1)[0]?.trim().toLowerCase();
    return { status, ...(mediaType ? { 'content-type': mediaType } : {}), body: parsedBody(body) };
  });
  if (!one || !other) return [];
  if (one.body === undefined || other.body === undefined) one.body = other.body;
  return diff(one, other)
    .map((difference) => ({
      // Other clients add cards, so the index of an item may change.
      place: difference.path.map((step) => (typeof step === 'number' ? '*' : step)).join('.'),
      values: [
        difference.type === 'CREATE' ? undefined : difference.oldValue,
        difference.type === 'REMOVE' ? undefined : difference.value,
      ] as const,
    }))
    .filter(({ values }) => values.includes(undefined) || !values.some(isMask))
    .toSorted((one, other) => depth(one) - depth(other));
}

/** Places near the top of the JSON come first. Properties that only one side has come last. */
const depth = ({ place, values }: PlaceDifference): number => place.split('.').length + (values.includes(undefined) ? 10 : 0);

/** Reports whether the value shows only the type of a value of another client. */
const isMask = (value: unknown): boolean => typeof value === 'string' && /^«(string|number|boolean)»$/.test(value);

const valueText = (value: unknown): string => (value === undefined ? 'absent' : excerpt(JSON.stringify(value), 60));
