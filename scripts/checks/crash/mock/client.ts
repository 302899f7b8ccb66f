export interface MockResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a check compares the body with an expected value, so the body needs no type.
  readonly body: any;
}

/** The client cannot find out what a request has done, so it cannot continue. */
export class OutcomeUnknown extends Error {}

/** Sends requests to a mock, which may be killed at any time. */
export abstract class MockClient {
  /** Clients that run until the mock is killed end then. */
  abstract readonly isKilled: boolean;

  /** Sends a request to the service or to the control API. Resolves with undefined if the outcome of the request is unknown. */
  abstract sendRequest(method: string, path: string, body?: unknown, key?: string): Promise<MockResponse | undefined>;

  /** Sends a request whose outcome cannot be unknown. */
  async read(method: string, path: string, body?: unknown, key?: string): Promise<MockResponse> {
    const response = await this.sendRequest(method, path, body, key);
    if (!response) throw new OutcomeUnknown(`The outcome of ${method} ${path} is unknown.`);
    return response;
  }

  /** Sends a request that must succeed. Returns the body. */
  async get(path: string, key?: string): Promise<MockResponse['body']> {
    const { status, body } = await this.read('GET', path, undefined, key);
    if (status !== 200) throw new Error(`GET ${path} returned ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}

/** Sends one request. Rejects if the whole response does not arrive. */
export async function send(base: string, method: string, path: string, body?: unknown, key?: string): Promise<MockResponse> {
  const headers = {
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === undefined ? {} : { 'x-api-key': key }),
  };
  const response = await fetch(base + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
