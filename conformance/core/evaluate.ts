import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../openapi/document.ts';
import { ruleTable, standardDocument } from '../../openapi/effective/behaviors.ts';
import { mediaOf } from '../../openapi/effective/bodies.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { refusalCodes } from '../../openapi/effective/responses.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { type Exchange, TransportError } from '../http/exchange.ts';
import { parseJson, stepsTo } from '../http/json-search.ts';
import { redactExchange } from '../http/redact-exchange.ts';
import type { Redactor } from '../http/redactor.ts';
import type { Sent } from '../http/transport.ts';
import { Untested } from '../safety/policy.ts';
import { levelOf, ruleTexts } from './contract.ts';
import { isSuccess } from './expect.ts';
import type { Arrival } from './receiver.ts';
import type { Observation, RuleResult } from './result.ts';
import type { Check, Observed, ObservedResponse } from './rule.ts';
import { excerpt } from './text.ts';
import { type Run, Trial } from './trial.ts';
import { Blocked, NoObservation, Refused, Violation } from './verdict.ts';

export function emptyResult(name: RuleName): Omit<RuleResult, 'verdict'> {
  const { from = [], text = '' } = ruleTexts.get(name) ?? {};
  return { name, level: levelOf(name), from, text, did: [], controls: [], assumptions: [], ms: 0, exchanges: [] };
}

/** Runs the test or probe of a rule. The returned value or the thrown error gives the verdict. `deadline` is in milliseconds. */
export async function evaluate(
  check: Check,
  run: Run,
  { deadline = 30_000, signal }: { readonly deadline?: number; readonly signal?: AbortSignal },
): Promise<RuleResult> {
  const trial = new Trial(run);
  const start = performance.now();
  run.lastRead = undefined;
  const verdict = await inTime<Returned>(check.run(trial, run.profile), trial, deadline, signal).then(
    (observed) => verdictOfReturn(check.name, observed, run),
    (thrown: unknown) => verdictOfError(check.name, thrown, run),
  );
  if (!['pass', 'observed'].includes(verdict.verdict)) run.missing.set(check.name, [...trial.missing]);
  return {
    ...emptyResult(check.name),
    ...verdict,
    ...evidenceOf(trial),
    // The arrays are copied, because a response that comes after the deadline would still change the arrays of the trial.
    did: [...trial.did],
    ...(trial.deliveries.length > 0 ? { deliveries: [...trial.deliveries] } : {}),
    controls: [...trial.controls].map((each) => run.redactor.mask(each)),
    assumptions: [...trial.assumptions],
    ...(trial.notChecked.size > 0 ? { notChecked: [...trial.notChecked].join('; ') } : {}),
    ms: Math.round(performance.now() - start),
    exchanges: [...trial.exchanges],
  };
}

const mostDeliveries = 3;

/** Returns the exchange that decided the verdict, or else the deliveries that decided it. */
function evidenceOf({ exchanges, lastDeliveries, run }: Trial): Pick<RuleResult, 'decidedBy' | 'received'> {
  const decidedBy = run.lastRead ? exchanges.indexOf(run.lastRead) : -1;
  if (decidedBy >= 0) return { decidedBy };
  const received = lastDeliveries.slice(0, mostDeliveries).map((each) => redactArrival(each, run.redactor));
  return received.length > 0 ? { received } : {};
}

/** Prepares a delivery for reports. The path is omitted, because it is only known to this run. */
function redactArrival({ method, headers, bytes, time }: Arrival, redactor: Redactor): Exchange {
  const sent = { method, path: '', elsewhere: '«receiver»', headers: headers as Sent['headers'], text: bytes.toString('utf8') };
  return { at: new Date(performance.timeOrigin + time).toISOString(), ms: 0, ...redactExchange(sent, undefined, redactor) };
}

type Returned = Awaited<ReturnType<Check['run']>>;
type Outcome = Pick<RuleResult, 'verdict' | 'reason' | 'detail' | 'fault' | 'expected' | 'got' | 'observation'>;

function verdictOfReturn(name: RuleName, observed: Returned, run: Run): Outcome {
  if (run.client.allAlike)
    return { verdict: 'untested', reason: 'all-responses-alike', detail: 'the target gave the same response to every request' };
  if (observed === undefined) return { verdict: 'pass' };
  const observation = observationOf(name, observed, run);
  const passes = levelOf(name) === 'ambiguous' && observation.option !== null;
  return { verdict: passes ? 'pass' : 'observed', observation };
}

function observationOf(name: RuleName, observed: Observed, { redactor }: Run): Observation {
  if (typeof observed === 'string') return { option: observed, text: observed };
  const isUnlisted = 'text' in observed;
  const own = isUnlisted && observed.response ? overridesLike(name, observed.response) : [];
  // A variant file shows overrides without masking, so overrides with secrets are omitted.
  const overrides = [...(observed.overrides ?? []), ...own].filter(
    (row) => redactor.mask(JSON.stringify(row)) === JSON.stringify(row),
  );
  const option = isUnlisted ? null : observed.option;
  const text = isUnlisted ? excerpt(redactor.mask(observed.text), 1_000) : observed.option;
  return { option, text, ...(overrides.length > 0 ? { overrides } : {}) };
}

/** Returns the outcome of a thrown error. An open question has no wrong option, so a Violation in its probe means `blocked`. */
function verdictOfError(name: RuleName, thrown: unknown, { redactor, client }: Run): Outcome {
  const level = levelOf(name);
  const detail = redactor.mask(thrown instanceof Error ? thrown.message : String(thrown));
  if (thrown instanceof Violation) {
    if (level === 'open' || (level === 'ambiguous' && thrown instanceof NoObservation)) return { verdict: 'blocked', detail };
    if (thrown instanceof Refused && !hasAccepted(client.exchanges, thrown.exchange)) return { verdict: 'blocked', detail };
    return { verdict: 'fail', expected: redactor.mask(thrown.expected), got: redactor.mask(thrown.got) };
  }
  if (thrown instanceof Untested) return { verdict: 'untested', reason: thrown.reason, detail };
  if (thrown instanceof Blocked) return { verdict: 'blocked', detail };
  if (thrown instanceof TransportError) return { verdict: 'error', fault: 'transport', detail };
  const where = thrown instanceof Error ? (thrown.stack?.split('\n')[1]?.trim() ?? '') : '';
  return { verdict: 'error', fault: 'suite', detail: `${detail} ${where}`.trim() };
}

/** Reports whether the target accepted a similar request: to the same path, and for a card with the same balance. */
const hasAccepted = (exchanges: readonly Exchange[], refused: Exchange): boolean =>
  exchanges.some((each) => isSuccess(each) && each.path === refused.path && balanceIn(each) === balanceIn(refused));
const balanceIn = ({ requestBody = '' }: Exchange): unknown => Object(parseJson(requestBody)).balance;

/** Rejects if the work takes longer than the deadline, or if the signal aborts. Time spent waiting for the rate limit does not count. */
async function inTime<T>(work: Promise<T>, trial: Trial, deadline: number, signal?: AbortSignal): Promise<T> {
  const { rate } = trial.run.client;
  const start = performance.now() - rate.waited;
  const done = new AbortController();
  const stop = AbortSignal.any(signal ? [signal, done.signal] : [done.signal]);
  const late = async (): Promise<never> => {
    for (let left = deadline; left > 0 || rate.isWaiting; left = deadline - (performance.now() - rate.waited - start))
      await sleep(Math.max(left, 50), undefined, { signal: stop }).catch(() => {
        throw new TransportError('the run was interrupted');
      });
    throw new TransportError(`no verdict within ${deadline} ms`);
  };
  try {
    return await Promise.race([work, late()]);
  } finally {
    done.abort();
    trial.end();
  }
}

/** Returns overrides that describe an observed response. Covers only the parts of a response that the options of the question can change. */
function overridesLike(question: RuleName, { status, body, media }: ObservedResponse): Override[] {
  const rows = Object.values(ruleTable[question]?.behaviors ?? {}).flatMap((option) => option?.wire ?? []);
  const refusals = new Set(rows.flatMap((row) => ('status' in row ? [row.status] : [])));
  const bodies = new Set(rows.flatMap((row) => ('body' in row ? [row.body] : [])));
  // An override can set the status of a refusal only if the contract's responses list the refusal.
  const own = [...refusals].filter((code) => refusalCodes(standardDocument).here.has(code));
  const isRejection = status !== undefined && status >= 400 && status < 500 && status !== 429;
  return [
    ...(isRejection ? own.map((code): Override => ({ status: code, to: status })) : []),
    ...(body === undefined ? [] : [...bodies].flatMap((what) => bodyOverrides(what, body, media))),
  ];
}

function bodyOverrides(what: string, to: Json, media: string | undefined): Override[] {
  const row: Override = { body: what, to };
  return to === null || media === undefined || media === mediaOf(to) ? [row] : [{ media: what, to: media }, row];
}

/** Returns an override for a property that the target shows at another path. Returns no override if the name is the same, or if the path leads through an array. */
export function overrideAt(property: string, path: string | undefined): Override[] {
  const steps = path === undefined ? undefined : stepsTo(path);
  if (steps === undefined || steps === property.split('.')[1]) return [];
  return [steps.includes('.') ? { move: property, to: steps } : { rename: property, to: steps }];
}
