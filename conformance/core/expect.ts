import { excerpt } from '../core/text.ts';
import type { Answer } from '../http/exchange.ts';
import { Blocked, NotAnswered, Violation } from './verdict.ts';

/** Checks that throw a Violation with what was expected and what came. Amounts and JSON values only; wording never. */

export function describeAnswer(answer: Answer): string {
  return describeStatusAndBody(answer.status, answer.exchange.body);
}

/** How failures tell what came. */
export const describeStatusAndBody = (status: number, body: string): string => `${status} ${excerpt(body) || '(no body)'}`;

export function expectStatus(answer: Answer, status: number, what: string): void {
  if (answer.status === status) return;
  const absent = answer.status >= 500 || (status === 200 && isAbsent(answer.status));
  throw new (absent ? NotAnswered : Violation)(`${what} answered with ${status}`, describeAnswer(answer));
}

/** For what is about an answer and not about its coming: where the endpoint is missing or broken, there is nothing to judge. */
export function expectAnswer(answer: Answer, what: string): void {
  const { method, path } = answer.exchange;
  if (isAbsent(answer.status)) throw new Blocked(`${what}: ${method} ${path} answered ${describeAnswer(answer)}`);
  expectSuccess(answer, what);
}

/** The endpoint is not there, or broke. */
export const isAbsent = (status: number): boolean => status === 404 || status === 405 || status >= 500;

export function expectSuccess(answer: Answer, what: string): void {
  expectStatus(answer, 200, what);
}

/** Refused, where the specification does not say with which status: a 4xx that is about the request and not about the caller. */
export function expectRejection(answer: Answer, what: string): void {
  const aboutRequest = answer.status >= 400 && answer.status < 500 && answer.status !== 401;
  if (!aboutRequest) throw new Violation(`${what} refused`, describeAnswer(answer));
}

/** A refusal's message: a text that says something, whatever it says. */
export function expectMessage(answer: Answer, what: string): void {
  const structured = typeof answer.json === 'object' && answer.json !== null;
  if (structured || answer.body.trim() === '')
    throw new Violation(`${what} refused with a message in plain text`, describeAnswer(answer));
}

/** The answer as a JSON object, which a gift card is wherever the specification says that the answer is the card. */
export function objectIn(answer: Answer, what = 'a gift card'): Record<string, unknown> {
  expectSuccess(answer, what);
  const { json } = answer;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Violation(`${what} as a JSON object`, describeAnswer(answer));
  return json as Record<string, unknown>;
}

export function expectSame(got: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Violation(`${what} = ${show(wanted)}`, show(got));
}

/** Equal as money: binary fractions of an honest sum are no difference. */
export function expectAmount(got: unknown, wanted: number, what: string): void {
  if (typeof got !== 'number' || Math.abs(got - wanted) > 1e-6) throw new Violation(`${what} = ${wanted.toFixed(2)}`, show(got));
}

/** What is missing has no text as JSON. */
export function expectThat(condition: boolean, expected: string, got: string | undefined): void {
  if (!condition) throw new Violation(expected, got ?? 'nothing');
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : excerpt(JSON.stringify(value));
}
