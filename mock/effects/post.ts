import type { Agent } from 'undici';
import { clauseValues } from '../../openapi/generated/clauses.ts';

/** What came of one attempt: the receiver's status, or why there was none. */
export type Attempt = { readonly status: number } | { readonly error: string };

/** Posts a body to a receiver once and tells what came of it; it never throws. */
export type Post = (url: string, body: Uint8Array, headers: Readonly<Record<string, string>>) => Promise<Attempt>;

const SECONDS = clauseValues['delivery.time-out'];

/** Real posts over HTTP(S), with undici, which is loaded at the first one. Redirects are not followed (delivery.redirects). */
export class HttpPoster {
  #agent: Promise<{ request: typeof import('undici').request; agent: Agent }> | undefined;

  readonly post: Post = async (url, body, headers) => {
    this.#agent ??= import('undici').then(({ Agent, request }) => ({
      request,
      agent: new Agent({ connect: { timeout: SECONDS * 1000 } }),
    }));
    const { request, agent } = await this.#agent;
    try {
      const signal = AbortSignal.timeout(SECONDS * 1000);
      const answer = await request(url, { method: 'POST', body, headers, dispatcher: agent, signal });
      await answer.body.dump({ limit: 64 * 1024, signal });
      return { status: answer.statusCode };
    } catch (error) {
      return { error: reason(error) };
    }
  };

  async close(): Promise<void> {
    await (await this.#agent)?.agent.destroy();
  }
}

function reason(error: unknown): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  return name === 'TimeoutError' ? `no answer within ${SECONDS} seconds` : (code ?? message ?? String(error));
}
