/** How requests are read, and refused. */

/** Thrown anywhere to answer at once. */
export class Answer {
  readonly response: Response;
  constructor(status: number, body: unknown) {
    this.response = typeof body === 'string' ? new Response(body, { status }) : Response.json(body, { status });
  }
}

export const refuse = (text: string, status = 400) => new Answer(status, text);
export const nowhere = () => new Answer(404, { error: { reason: 'nothing here' } });

export const cents = (amount: unknown) => Math.round(Number(amount) * 100);

export function read(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const body = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return body;
    throw body;
  } catch {
    throw new Answer(418, { error: { reason: 'unreadable' } });
  }
}

export function plain(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw nowhere();
  }
}
