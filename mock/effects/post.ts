import type { Agent, Dispatcher } from 'undici';
import { clauseValues } from '../../openapi/generated/clauses.ts';

/** What came of one attempt: the receiver's status, or why there was none. */
export type Attempt = { readonly status: number } | { readonly error: string };

/** How long a receiver may take to answer, and whether it may send the delivery elsewhere. */
export interface Patience {
  readonly seconds: number;
  readonly followsRedirects: boolean;
}

/** Posts a body to a receiver once and tells what came of it (delivery.is-post-of-one-object); it never throws. */
export type Post = (
  url: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
  patience?: Patience,
) => Promise<Attempt>;

interface Undici {
  readonly request: typeof import('undici').request;
  readonly agent: Agent;
  readonly following: Dispatcher;
}

const PATIENCE: Patience = { seconds: clauseValues['delivery.time-out'], followsRedirects: false };
/** No reading of delivery.time-out has more. */
const LONGEST_CONNECT = 30_000;
const MOST_REDIRECTS = 5;

/** Real posts over HTTP(S), with undici, which is loaded at the first one. */
export class HttpPoster {
  #undici: Promise<Undici> | undefined;

  readonly post: Post = async (url, body, headers, { seconds, followsRedirects } = PATIENCE) => {
    try {
      const { request, agent, following } = await this.#load();
      const dispatcher = followsRedirects ? following : agent;
      const signal = AbortSignal.timeout(seconds * 1000);
      const answer = await request(url, { method: 'POST', body, headers, dispatcher, signal });
      // The status is the answer; nobody waits for a receiver that dawdles over the body.
      answer.body.on('error', () => undefined).destroy();
      return { status: answer.statusCode };
    } catch (error) {
      return { error: reason(error, seconds) };
    }
  };

  /**
   * Every post has a connection of its own (`pipelining: 0`): on one that is kept, a receiver that hangs up at the wrong moment would cost its
   * webhook one of the failures of its life, and a receiver that is shut down in a test would wait for us.
   */
  #load(): Promise<Undici> {
    this.#undici ??= import('undici').then(({ Agent, interceptors, request }) => {
      const agent = new Agent({ pipelining: 0, connect: { timeout: LONGEST_CONNECT } });
      return { request, agent, following: agent.compose(interceptors.redirect({ maxRedirections: MOST_REDIRECTS })) };
    });
    return this.#undici;
  }

  async close(): Promise<void> {
    await (await this.#undici)?.agent.destroy();
  }
}

function reason(error: unknown, seconds: number): string {
  const { name, code, message } = error as { name?: string; code?: string; message?: string };
  return name === 'TimeoutError' ? `no answer within ${seconds} seconds` : (code ?? message ?? String(error));
}
