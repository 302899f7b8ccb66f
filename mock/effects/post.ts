import type { Agent } from 'undici';
import { clauseValues } from '../../openapi/generated/clauses.ts';

/** What came of one attempt: the receiver's status, or why there was none. */
export type Attempt = { readonly status: number } | { readonly error: string };

/** Posts a body to a receiver once and tells what came of it (delivery.is-post-of-one-object); it never throws. */
export type Post = (url: string, body: Uint8Array, headers: Readonly<Record<string, string>>) => Promise<Attempt>;

type Undici = { readonly request: typeof import('undici').request; readonly agent: Agent };

/** Real posts over HTTP(S), with undici, which is loaded at the first one. Redirects are not followed (delivery.redirects). */
export class HttpPoster {
  readonly #seconds: number;
  #undici: Promise<Undici> | undefined;

  /** A receiver that has not answered after `seconds` has failed. */
  constructor(seconds: number = clauseValues['delivery.time-out']) {
    this.#seconds = seconds;
  }

  readonly post: Post = async (url, body, headers) => {
    try {
      const { request, agent } = await this.#load();
      const signal = AbortSignal.timeout(this.#seconds * 1000);
      const answer = await request(url, { method: 'POST', body, headers, dispatcher: agent, signal });
      // The status is the answer; nobody waits for a receiver that dawdles over the body.
      answer.body.on('error', () => undefined).destroy();
      return { status: answer.statusCode };
    } catch (error) {
      return { error: this.#reason(error) };
    }
  };

  /**
   * Every post has a connection of its own (`pipelining: 0`): on one that is kept, a receiver that hangs up at the wrong moment would cost its
   * webhook one of the failures of its life, and a receiver that is shut down in a test would wait for us.
   */
  #load(): Promise<Undici> {
    this.#undici ??= import('undici').then(({ Agent, request }) => ({
      request,
      agent: new Agent({ pipelining: 0, connect: { timeout: this.#seconds * 1000 } }),
    }));
    return this.#undici;
  }

  async close(): Promise<void> {
    await (await this.#undici)?.agent.destroy();
  }

  #reason(error: unknown): string {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    return name === 'TimeoutError' ? `no answer within ${this.#seconds} seconds` : (code ?? message ?? String(error));
  }
}
