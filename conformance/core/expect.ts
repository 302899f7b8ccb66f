import type { TargetResponse } from '../http/exchange.ts';
import { instantOf } from '../http/json-search.ts';
import { excerpt, excerptsOfDifference } from './text.ts';
import { Blocked, NoObservation, Refused, Violation } from './verdict.ts';

// Each function throws a Violation if a response is not as expected. No function compares the wording of a message.

export const describeResponse = ({ exchange: { status, body } }: Pick<TargetResponse, 'exchange'>): string =>
  `${status} ${excerpt(body) || '(no body)'}`;

export function expectStatus(response: TargetResponse, status: number, what: string): void {
  if (response.status === status) return;
  if (status !== 400 && isRefusal(response.status) && response.exchange.method === 'POST')
    throw new Refused(`status ${status} for ${what}`, describeResponse(response), response.exchange);
  const absent = response.status >= 500 || (status === 200 && isAbsent(response.status));
  throw new (absent ? NoObservation : Violation)(`status ${status} for ${what}`, describeResponse(response));
}

/** Expects a response with content to test. Throws Blocked if the endpoint is missing or broken, because another rule reports such endpoints. */
export function expectResponse(response: TargetResponse, what: string): void {
  const { method, path } = response.exchange;
  if (isAbsent(response.status)) throw new Blocked(`${what}: ${method} ${path} returned ${describeResponse(response)}`);
  expectSuccess(response, what);
}

export const isAbsent = (status: number): boolean => status === 404 || status === 405 || status >= 500;

/** Reports whether the status says that the request is not acceptable: a value is not allowed, taken or missing. */
export const isRefusal = (status: number): boolean => [400, 409, 422].includes(status);

export const isSuccess = ({ status }: Pick<TargetResponse, 'status'>): boolean => status >= 200 && status < 300;

/** Returns the sorted statuses. Each success counts as 200. */
export const statusesOf = (responses: readonly TargetResponse[]): number[] =>
  responses.map((response) => (isSuccess(response) ? 200 : response.status)).sort();

/** Expects that the target accepted the request. The oracle reports a success with another status than 200, so other rules accept it. */
export function expectSuccess(response: TargetResponse, what: string): void {
  if (!isSuccess(response)) expectStatus(response, 200, what);
}

/** Expects a rejection with any 4xx except 401. The specification does not state the status, but 401 is about the key. */
export function expectRejection(response: TargetResponse, what: string): void {
  const aboutRequest = response.status >= 400 && response.status < 500 && response.status !== 401;
  if (!aboutRequest) throw new Violation(`${what} refused`, describeResponse(response));
}

export function expectMessage(response: TargetResponse, what: string): void {
  const structured = typeof response.json === 'object' && response.json !== null;
  if (structured || response.body.trim() === '')
    throw new Violation(`${what} refused with a message in plain text`, describeResponse(response));
}

export function objectIn(response: TargetResponse, what = 'a gift card'): Record<string, unknown> {
  expectSuccess(response, what);
  const { json } = response;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Violation(`${what} as a JSON object`, describeResponse(response));
  return json as Record<string, unknown>;
}

export function expectSame(got: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(got) === JSON.stringify(wanted)) return;
  const [expected, shown] = excerptsOfDifference(show(wanted), show(got));
  // Reports mask codes, so they do not show the letter case of a code.
  const isOtherCase = String(got).toLowerCase() === String(wanted).toLowerCase();
  throw new Violation(`${what} = ${expected}`, isOtherCase ? `${shown}, which differs only in letter case` : shown);
}

/** Expects an amount of money. Ignores rounding errors of binary fractions. */
export function expectAmount(got: unknown, wanted: number, what: string): void {
  if (typeof got !== 'number' || Math.abs(got - wanted) > 1e-6)
    throw new Violation(`${what} = ${wanted.toFixed(2)}`, excerpt(show(got)));
}

/** Expects a date and time. A time without a zone is in UTC. */
export function expectTime(got: unknown, wanted: string, what: string): void {
  if (instantOf(got) !== instantOf(wanted)) throw new Violation(`${what} = ${wanted}`, excerpt(show(got)));
}

export function expectThat(condition: boolean, expected: string, got: string | undefined): void {
  if (!condition) throw new Violation(expected, got ?? 'nothing');
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
