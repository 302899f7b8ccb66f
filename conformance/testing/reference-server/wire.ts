import type { ServerAccount, ServerState } from './faults/hooks.ts';

/** Thrown to refuse a request. A string body is sent as plain text, and any other body as JSON. */
export class ServerRefusal {
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
export const rejected = (message: string) => new ServerRefusal(400, message);
export const notFound = () => new ServerRefusal(404, { error: { reason: 'nothing here' } });

/** Returns a refusal with a status that the specification leaves open. Returns undefined for status 200. */
export function refusedWith({ options }: ServerState, status: number, message: string): ServerRefusal | undefined {
  if (status === 200) return undefined;
  return new ServerRefusal(status, options.refusesAsJson ? { errors: { field: [message] } } : message);
}

export function refuseIf(refusal: ServerRefusal | undefined): void {
  if (refusal) throw refusal;
}

export function bodyOf(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
    throw body;
  } catch {
    throw new ServerRefusal(418, { error: { reason: 'unreadable' } });
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
export function readAmount({ decimals, service }: ServerAccount, value: unknown): number {
  const amount = Number(value);
  if (value === undefined || value === null || Number.isNaN(amount)) throw new ServerRefusal(422, 'how much?');
  const rounded = Number(amount.toFixed(decimals));
  if (rounded !== amount) refuseIf(refusedWith(service, service.options.preciseAmountStatus, 'too many decimals'));
  return rounded;
}

/** Adds without the errors of binary fractions. */
export const addAmounts = (one: number, other: number) => Number((one + other).toFixed(3));
