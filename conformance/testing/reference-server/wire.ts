import type { Account, Service } from './faults/seams.ts';

/** Thrown to refuse a request. A string body is sent as plain text, and any other body as JSON. */
export class Refusal {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }

  get response(): Response {
    const { status, body } = this;
    return typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
  }
}

/** The specification states 400 with a plain text. */
export const rejected = (message: string) => new Refusal(400, message);
export const notFound = () => new Refusal(404, { error: { reason: 'nothing here' } });

/** Returns a refusal with a status that the specification leaves open. Returns undefined for status 200. */
export function refusedWith({ options }: Service, status: number, message: string): Refusal | undefined {
  if (status === 200) return undefined;
  return new Refusal(status, options.refusesAsJson ? { errors: { field: [message] } } : message);
}

export function refuseIf(refusal: Refusal | undefined): void {
  if (refusal) throw refusal;
}

export function bodyOf(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
    throw body;
  } catch {
    throw new Refusal(418, { error: { reason: 'unreadable' } });
  }
}

export function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw notFound();
  }
}

/** Rounds an amount to the decimals of the currency. Throws a refusal if the amount is not a number or too precise. */
export function amountOf({ decimals, service }: Account, value: unknown): number {
  const amount = Number(value);
  if (value === undefined || value === null || Number.isNaN(amount)) throw new Refusal(422, 'how much?');
  const rounded = Number(amount.toFixed(decimals));
  if (rounded !== amount) refuseIf(refusedWith(service, service.options.preciseAmountStatus, 'too many decimals'));
  return rounded;
}

/** Adds without the errors of binary fractions. */
export const sum = (one: number, other: number) => Number((one + other).toFixed(3));
