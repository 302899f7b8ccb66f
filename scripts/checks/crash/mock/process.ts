import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { MockClient, type MockResponse, send } from './client.ts';

const PROGRAM = join(import.meta.dirname, '../../../../dist/cli.js');
const CLOCK = new URL('moved-clock.mjs', import.meta.url).href;

/** The flags of a mock in its own process, except its state. */
const FLAGS = ['--port', '0', '--rate-limit', 'off', '--quiet', '--seed', '1'];

export interface ProcessOptions {
  /** The file that Node runs. Default: the built program. */
  readonly program?: string | undefined;
  /** Lets `signal` move the system clock that the process sees. */
  readonly movesClock?: boolean;
}

/** A mock in its own process that keeps its state in a folder or a database. */
export class MockProcess extends MockClient {
  /** Empty until the mock listens. */
  url = '';
  /** Everything that the process has written. */
  output = '';
  isKilled = false;
  /** Called before each request is sent. */
  onRequest: () => void = () => {};
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #ended: Promise<unknown>;

  private constructor(state: string, flags: readonly string[], { program = PROGRAM, movesClock = false }: ProcessOptions) {
    super();
    const argv = [process.execPath, ...(movesClock ? ['--import', CLOCK] : []), program, 'mock', ...flags, '--state', state];
    // The signal of a limit on the size of files would end the process. Without it, the write fails, as on a full disk.
    this.#child = spawn('sh', ['-c', 'trap "" XFSZ; exec "$@"', 'sh', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (part) => {
        this.output += part;
      });
  }

  /** Starts a mock, and resolves when the mock listens. */
  static async start(state: string, flags: readonly string[] = FLAGS, options: ProcessOptions = {}): Promise<MockProcess> {
    const mock = new MockProcess(state, flags, options);
    const lines = createInterface({ input: mock.#child.stdout });
    const url = await Promise.race([once(lines, 'line'), mock.#ended.then(() => undefined)]);
    if (!url) throw new Error(`The mock ended with ${mock.#child.exitCode} before it listened: ${mock.output}`);
    mock.url = String(url[0]);
    return mock;
  }

  /** Starts a mock and kills it after some milliseconds, mostly before it listens. */
  static async startAndKill(state: string, milliseconds: number): Promise<void> {
    const mock = new MockProcess(state, FLAGS, {});
    setTimeout(() => mock.kill(), milliseconds);
    await mock.#ended;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops the mock with SIGTERM. Returns its exit code. */
  async stop(): Promise<number | null> {
    await this.#end('SIGTERM');
    return this.#child.exitCode;
  }

  /** Stops and continues the process, or moves its clock by an hour: ahead with SIGUSR2, back with SIGWINCH. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2' | 'SIGWINCH'): void {
    this.#child.kill(signal);
  }

  /**
   * Sends a request to the service or to the control API. Resolves with undefined if the mock was killed before the whole response arrived. Then the
   * request was handled completely or not at all.
   */
  async sendRequest(method: string, path: string, body?: unknown, key?: string): Promise<MockResponse | undefined> {
    if (this.isKilled) return undefined;
    this.onRequest();
    try {
      return await send(this.url, method, path, body, key);
    } catch (error) {
      if (this.isKilled) return undefined;
      throw new Error(`${method} ${path} got no response. The mock wrote: ${this.output.slice(-2000)}`, { cause: error });
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.isKilled = true;
    this.#child.kill(signal);
    await this.#ended;
  }
}
