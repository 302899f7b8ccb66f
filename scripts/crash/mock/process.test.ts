import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(import.meta.dirname, '../../..');

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a check compares the body with an expected value, so the body needs no type.
  readonly body: any;
}

/** A mock in its own process that keeps its state in a folder. */
export class MockProcess {
  readonly url: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #errors: string[];
  #isKilled = false;
  /** Called before each request is sent. */
  onRequest: () => void = () => {};

  private constructor(url: string, child: ChildProcess, ended: Promise<unknown>, errors: string[]) {
    this.url = url;
    this.#child = child;
    this.#ended = ended;
    this.#errors = errors;
  }

  /** Starts a mock, and resolves when the mock listens. */
  static async start(state: string): Promise<MockProcess> {
    const child = spawnMock(state);
    const ended = once(child, 'exit');
    const errors: string[] = [];
    child.stderr?.on('data', (part) => errors.push(String(part)));
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
    const url = await Promise.race([once(lines, 'line'), ended.then(() => undefined)]);
    if (!url) throw new Error(`The mock did not start: ${errors.join('')}`);
    return new MockProcess(String(url[0]), child, ended, errors);
  }

  /** Starts a mock and kills it after some milliseconds, mostly before it listens. */
  static async startAndKill(state: string, milliseconds: number): Promise<void> {
    const child = spawnMock(state);
    const ended = once(child, 'exit');
    setTimeout(() => child.kill('SIGKILL'), milliseconds);
    await ended;
  }

  get isKilled(): boolean {
    return this.#isKilled;
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /**
   * Sends a request to the service or to the control API. Resolves with undefined if the mock was killed before the whole answer arrived. Then the
   * request was handled completely or not at all.
   */
  async ask(method: string, path: string, body?: unknown, key?: string): Promise<Answer | undefined> {
    if (this.#isKilled) return undefined;
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'x-api-key': key }),
    };
    this.onRequest();
    try {
      const answer = await fetch(this.url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
      const text = await answer.text();
      const isJson = /[/+]json/.test(answer.headers.get('content-type') ?? '');
      return { status: answer.status, body: isJson ? JSON.parse(text) : text };
    } catch (error) {
      if (this.#isKilled) return undefined;
      throw new Error(`${method} ${path} got no answer. The mock wrote: ${this.#errors.join('').slice(-2000)}`, { cause: error });
    }
  }

  /** Sends a request while the mock is not killed. */
  async read(method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    const answer = await this.ask(method, path, body, key);
    if (!answer) throw new Error(`${method} ${path} was sent to a mock that was killed.`);
    return answer;
  }

  /** Sends a request that must succeed. Returns the body. */
  async get(path: string, key?: string): Promise<Answer['body']> {
    const { status, body } = await this.read('GET', path, undefined, key);
    if (status !== 200) throw new Error(`GET ${path} is answered with ${status}: ${JSON.stringify(body)}`);
    return body;
  }
}

function spawnMock(state: string): ChildProcess {
  const flags = ['--port', '0', '--rate-limit', 'off', '--quiet', '--seed', '1', '--state', state];
  return spawn(process.execPath, [join(root, 'dist/cli.js'), 'mock', ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
}
