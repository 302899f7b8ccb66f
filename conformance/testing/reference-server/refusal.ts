/** Thrown to answer at once. A text becomes plain text, anything else JSON. */
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

/** The specification says so: 400 with a plain text. */
export const rejected = (message: string) => new Refusal(400, message);
export const notFound = () => new Refusal(404, { error: { reason: 'nothing here' } });
