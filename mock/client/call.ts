import createClient, { type Client } from 'openapi-fetch';
import { operationTable } from '../control/generated/operations.ts';
import type { operations, paths } from '../control/generated/types.ts';
import type { ControlInput, ControlResponse } from '../control/operation-types.ts';

/** The control API refused a request and changed nothing, or `waitFor` found no match in time. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  /** The HTTP status; 408 if `waitFor` found no match in time. */
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

export interface ControlOptions {
  /** Base URL of the sandbox, such as http://127.0.0.1:8460. If the control API has its own port, give the URL with that port. */
  readonly url: string;
  /** The token that a sandbox prints at its start if it listens on more than loopback addresses. */
  readonly token?: string | undefined;
  /** Replaces the global fetch. Example: `mock.fetch` of a mock without a socket. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

export type ControlClient = Client<paths, 'application/json'>;

/**
 * Creates a client of the control API: `client.POST('/accounts/{account}/cards', { params: { path: { account: 'main' } }, body: { balance: 20 } })`.
 * A call returns `data`, or a sentence in `error.error`. If no sandbox responds, a call rejects. Throws for an invalid URL.
 */
export function createControlClient(options: ControlOptions | string): ControlClient {
  const { url, token, fetch } = typeof options === 'string' ? ({ url: options } as ControlOptions) : options;
  const { origin } = new URL(url);
  return createClient<paths, 'application/json'>({
    baseUrl: `${origin}/__mock`,
    headers: token === undefined ? {} : { 'x-sandbox-token': token },
    ...(fetch ? { fetch } : {}),
  });
}

/** Calls an operation of the control API by its operationId. Rejects with SandboxError if the control API refuses the call. */
export type ControlCall = <Id extends keyof operations>(
  id: Id,
  input?: Partial<ControlInput<Id>>,
) => Promise<ControlResponse<Id>>;

/**
 * Returns a function that calls operations. Throws for an invalid URL. The first call creates the client, because loading node's fetch takes
 * 15 ms.
 */
export function callThrough(options: ControlOptions): ControlCall {
  new URL(options.url);
  let client: ControlClient | undefined;
  return async (id, { path, query, body } = {}) => {
    const { method, path: template } = operationTable[id];
    const init = { params: { path, query }, ...(body === undefined ? {} : { body }), parseAs: 'text' };
    client ??= createControlClient(options);
    const { data, error, response } = await client
      .request(method.toLowerCase() as never, template as never, init as never)
      .catch((reason: Error & { cause?: { code?: string } }) => {
        throw new Error(`No sandbox responds at ${options.url} (${reason.cause?.code ?? reason.message}).`, { cause: reason });
      });
    if (!response.ok) throw new SandboxError(response.status, sentenceIn(response.status, error));
    const text = (data ?? '') as string;
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    return (isJson ? JSON.parse(text) : text || undefined) as never;
  };
}

function sentenceIn(status: number, error: unknown): string {
  if (status === 503) return 'The sandbox cannot store changes now. Its log has the reason. Try again later.';
  if (typeof error === 'object' && error !== null && 'error' in error) return String(error.error);
  const text = typeof error === 'string' ? error : JSON.stringify(error);
  return `This is not the address of a sandbox's control API, which may have its own port or be turned off. The server responded: ${text.slice(0, 200)}`;
}
