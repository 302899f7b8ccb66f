import diff from 'microdiff';
import { serviceOperations } from '../core/operations.ts';
import type { RuleResult } from '../core/result.ts';
import { excerpt } from '../core/text.ts';
import { type Exchange, isDelivery, type NumberedExchange } from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';
import type { DecidingStep } from './result.ts';

type Evidence = Pick<RuleResult, 'verdict' | 'did' | 'exchanges' | 'decidedBy' | 'received' | 'deliveries'>;

/** Returns the steps of a test by request and description, because one side may take more steps than the other. */
function stepsOf({ did, exchanges }: Evidence) {
  const counts = new Map<string, number>();
  return exchanges.map((exchange, index) => {
    const { method, path } = exchange;
    const what = (did[index] ?? '').replace(/ → .*/s, '');
    const name = withPlaceholders(`${method} ${path.split('?', 1)[0]} ${what}`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return { key: `${name} ${counts.get(name)}`, what, exchange: { n: index + 1, ...exchange } };
  });
}

/** Returns the steps that decided the verdicts, and the last change before them that only one side refused. If their responses are equal, returns the last step with another response. */
function decidingSteps(a: Evidence, b: Evidence) {
  const [ofA, ofB] = [stepsOf(a), stepsOf(b)];
  const [lastOfA, lastOfB] = [ofA[a.decidedBy ?? -1], ofB[b.decidedBy ?? -1]];
  const pairs = ofA.flatMap((one) => {
    // The descriptions may differ, for example by the name of a parameter.
    const other = ofB.find(({ key }) => key === one.key) ?? (one === lastOfA ? lastOfB : undefined);
    return other ? [{ what: one.what, a: one.exchange, b: other.exchange }] : [];
  });
  // A violation ends a test. The other side went on, so its last step decided nothing.
  const [isOnlyA, isOnlyB] = [lastOfA && fails(a) && !fails(b), lastOfB && fails(b) && !fails(a)];
  const isDecisive = (each: (typeof pairs)[number]) =>
    (each.a === lastOfA?.exchange && !isOnlyB) || (each.b === lastOfB?.exchange && !isOnlyA);
  const decided = pairs.filter(isDecisive);
  const refused = pairs
    .slice(0, pairs.findLastIndex(isDecisive) + 1)
    .findLast((each) => each.a.method !== 'GET' && each.a.status >= 400 !== each.b.status >= 400);
  const reasons = decided.length > 0 && refused ? [...decided, refused] : decided;
  const differs = (each: (typeof pairs)[number]) => responseDifferences(each.a, each.b).length > 0;
  // A test may read a response before the last one, and check it later.
  return reasons.length === 0 || reasons.some(differs) ? reasons : pairs.filter(differs).slice(-1);
}

export const fails = ({ verdict }: Pick<RuleResult, 'verdict'>): boolean => verdict === 'fail' || verdict === 'known-fail';

/** Returns the names of differences between deciding responses. If the outcomes are equal, these differences decide nothing. */
export const usualDifferences = (a: Evidence, b: Evidence): string[] =>
  decidingSteps(a, b).flatMap((step) =>
    responseDifferences(step.a, step.b).flatMap(({ name, place }) => (place === 'status' ? [] : [name])),
  );

/** Returns the first deciding step with a difference that is not in `usual`. Its other differences come last. A test ends at its first violation, so the other side may have taken more steps. If no response decided, returns the deciding delivery. */
export function decidingStep(a: Evidence, b: Evidence, usual: ReadonlySet<string> = new Set()): DecidingStep | undefined {
  const steps = decidingSteps(a, b).map((step) => {
    const all = responseDifferences(step.a, step.b);
    const rare = all.filter(({ name }) => !usual.has(name));
    return { isRare: rare.length > 0, step: { ...step, differs: textsOf([...rare, ...all]) } };
  });
  return (steps.find(({ isRare }) => isRare) ?? steps[0])?.step ?? decidingDelivery(a, b);
}

/** Returns the deliveries of the same event that differ. If a side received no delivery that decided, `differs` has the reason. */
function decidingDelivery(a: Evidence, b: Evidence): DecidingStep | undefined {
  const [ofA = [], ofB = []] = [a, b].map(({ received = [] }) => received.map((each, index) => ({ n: index + 1, ...each })));
  const pairs = ofA.flatMap((one) =>
    ofB.filter((other) => eventOf(other) === eventOf(one)).map((other) => [one, other] as const),
  );
  const differing = pairs.find(([one, other]) => responseDifferences(one, other).length > 0);
  const [one, other] = differing ?? pairs[0] ?? [ofA[0], ofB[0]];
  if (one && other) return { what: eventOf(one), differs: textsOf(responseDifferences(one, other)), a: one, b: other };
  const what = eventOf(one ?? other);
  const missingOn = ({ deliveries = [] }: Evidence) =>
    deliveries.find((each) => each.startsWith(what) && each.includes('missing'));
  const [onA, onB] = [one ? 'arrived' : missingOn(a), other ? 'arrived' : missingOn(b)];
  if (onA === onB) return undefined;
  const differs = [`on A: ${onA ?? 'no such delivery'}; on B: ${onB ?? 'no such delivery'}`];
  return { what, differs, ...(one ? { a: one } : {}), ...(other ? { b: other } : {}) };
}

/** Returns the topic and the card of a delivery: "giftcard/voided of card#1". Without a delivery, returns the start of all topics. */
function eventOf(delivery: Exchange | undefined): string {
  if (delivery === undefined) return 'giftcard/';
  const { WebhookTopic, Code } = Object(parseJson(delivery.requestBody ?? '')) as Readonly<Record<string, unknown>>;
  return `${WebhookTopic} of ${Code}`;
}

const textsOf = (all: readonly { readonly text: string }[]): string[] => [...new Set(all.map(({ text }) => text))];

/** Compares the status, the media type and the parsed body. For a delivery, compares its request. The order of properties and the charset do not count. */
function responseDifferences(a: NumberedExchange, b: NumberedExchange) {
  const [one, other] = [a, b].map((exchange) => {
    const { status, contentType, requestHeaders, requestBody = '' } = exchange;
    const [type = '', body] = isDelivery(exchange) ? [requestHeaders['content-type'], requestBody] : [contentType, exchange.body];
    const mediaType = type.split(';', 1)[0]?.trim().toLowerCase();
    return { status, ...(mediaType ? { 'content-type': mediaType } : {}), body: parsedBody(body) };
  });
  if (!one || !other) return [];
  // A result has only a part of a long body, so such bodies are not compared.
  const isCut = one.body === undefined || other.body === undefined;
  if (isCut) [one.body, other.body] = ['too long to compare', undefined];
  const [path = ''] = a.path.split('?');
  const operation = serviceOperations.find(({ method, exactly }) => method === a.method && exactly.test(path))?.name ?? path;
  return diff(one, other)
    .map((difference) => {
      // Other clients add cards, so the index of an item may change.
      const place = difference.path.map((step) => (typeof step === 'number' ? '*' : step)).join('.');
      const from = difference.type === 'CREATE' ? undefined : difference.oldValue;
      const to = difference.type === 'REMOVE' ? undefined : difference.value;
      // Properties that only one side has come last.
      const isOneSided = from === undefined || to === undefined;
      return {
        name: `${operation} ${a.status >= 400} ${place}`,
        place,
        text:
          isCut && place === 'body' ? 'body: too long to compare' : `${place}: ${valueText(from)} on A, ${valueText(to)} on B`,
        rank: difference.path.length + (isOneSided ? 10 : 0),
        isMasked: !isOneSided && [from, to].some(isMask),
      };
    })
    .filter(({ isMasked }) => !isMasked)
    .toSorted((first, second) => first.rank - second.rank);
}

/** Reports whether the value shows only the type of a value of another client. */
const isMask = (value: unknown): boolean => typeof value === 'string' && /^«(string|number|boolean)»$/.test(value);

const valueText = (value: unknown): string => (value === undefined ? 'absent' : excerpt(JSON.stringify(value), 60));

const time = String.raw`\d{4}-\d\d-\d\d[T ]\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d(?:\.\d+)?)?(Z|(?:[+-]|%2B)\d\d(?::|%3A)?\d\d)?`;
const uuid = String.raw`\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b`;

/** Patterns of values that differ between runs, each with its placeholder. A name such as card#1 contains a number, which may differ between runs. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [new RegExp(time, 'gi'), '«time»$1'],
  [new RegExp(uuid, 'gi'), '«id»'],
  [/\b[\da-f]{24,}\b/gi, '«id»'],
  [/«run»\w*/g, '«run»'],
  [/\b(card|link|address|other)#\d+/g, '$1#'],
  [/\b(127\.0\.0\.1|localhost):\d+/g, '$1:«port»'],
];

export const withPlaceholders = (text: string): string =>
  patterns.reduce((replaced, [pattern, placeholder]) => replaced.replace(pattern, placeholder), text);

const cutBody = /\(\d+ characters(, not JSON)?\)$/;

/** Returns the JSON of a body, or its text, with placeholders. Returns undefined if the report shows only a part of the body. */
export function parsedBody(body: string): unknown {
  if (cutBody.test(body)) return undefined;
  // The placeholder of a numeric ID has no quotes.
  const quoted = body.replace(/(?<=[:[,]\s{0,40})\b[a-z]{1,40}#\d{1,9}(\.id)?(?=\s{0,40}[,\]}])/g, '"$&"');
  return jsonWithPlaceholders(parseJson(quoted) ?? body);
}

/** Replaces values by placeholders. The value of a property such as "cardId" becomes «id», even if the value is a number. */
const jsonWithPlaceholders = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (name, value: unknown) => {
    const isId = /(^id|Id|ID)$/.test(name) && (typeof value === 'number' || typeof value === 'string');
    if (isId || (typeof value === 'string' && looksGenerated(value))) return '«id»';
    return typeof value === 'string' ? withPlaceholders(value) : value;
  });

/** Guesses whether a text is a generated code or token. */
const looksGenerated = (text: string): boolean => /^(?=.*\d)(?=.*[a-z])[\w-]{10,}$/i.test(text) && !/^\d{4}-\d\d-\d\d/.test(text);
