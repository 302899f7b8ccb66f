import type { Answer } from '../http/exchange.ts';
import { instantOf } from '../http/json-search.ts';
import { excerpt, excerptsOfDifference } from './text.ts';
import { Blocked, NotAnswered, Refused, Violation } from './verdict.ts';

// Each function throws a Violation if an answer is not as expected. No function compares the wording of a message.

export const describeAnswer = ({ exchange: { status, body } }: Pick<Answer, 'exchange'>): string =>
  `${status} ${excerpt(body) || '(no body)'}`;

export function expectStatus(answer: Answer, status: number, what: string): void {
  if (answer.status === status) return;
  if (status !== 400 && isRefusal(answer.status) && answer.exchange.method === 'POST')
    throw new Refused(`${what} answered with ${status}`, describeAnswer(answer), answer.exchange);
  const absent = answer.status >= 500 || (status === 200 && isAbsent(answer.status));
  throw new (absent ? NotAnswered : Violation)(`${what} answered with ${status}`, describeAnswer(answer));
}

/** Expects an answer with content to test. Throws Blocked if the endpoint is missing or broken, because another clause reports such endpoints. */
export function expectAnswer(answer: Answer, what: string): void {
  const { method, path } = answer.exchange;
  if (isAbsent(answer.status)) throw new Blocked(`${what}: ${method} ${path} answered ${describeAnswer(answer)}`);
  expectSuccess(answer, what);
}

export const isAbsent = (status: number): boolean => status === 404 || status === 405 || status >= 500;

/** Reports whether the service does not have the path or method. */
export const isMissing = (status: number) => status === 404 || status === 405 || status === 501;

/** Reports whether the answer came from a gateway, or from a service that is starting. */
export const isNotReady = (status: number) => status >= 502 && status <= 504;

/** Reports whether the status says that the request is not acceptable: a value is not allowed, taken or missing. */
export const isRefusal = (status: number): boolean => [400, 409, 422].includes(status);

export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300;

/** Returns the sorted statuses. Each success counts as 200. */
export const statusesOf = (answers: readonly Answer[]): number[] =>
  answers.map((answer) => (isSuccess(answer) ? 200 : answer.status)).sort();

/** Expects that the target accepted the request. The oracle reports a success with another status than 200, so other clauses accept it. */
export function expectSuccess(answer: Answer, what: string): void {
  if (!isSuccess(answer)) expectStatus(answer, 200, what);
}

/** Expects a rejection with any 4xx except 401. The specification does not state the status, but 401 is about the key. */
export function expectRejection(answer: Answer, what: string): void {
  const aboutRequest = answer.status >= 400 && answer.status < 500 && answer.status !== 401;
  if (!aboutRequest) throw new Violation(`${what} refused`, describeAnswer(answer));
}

export function expectMessage(answer: Answer, what: string): void {
  const structured = typeof answer.json === 'object' && answer.json !== null;
  if (structured || answer.body.trim() === '')
    throw new Violation(`${what} refused with a message in plain text`, describeAnswer(answer));
}

export function objectIn(answer: Answer, what = 'a gift card'): Record<string, unknown> {
  expectSuccess(answer, what);
  const { json } = answer;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Violation(`${what} as a JSON object`, describeAnswer(answer));
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
