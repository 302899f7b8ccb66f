import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { MockClient, type MockResponse, OutcomeUnknown, send } from '../../crash/mock/client.ts';
import { MockProcess, type ProcessOptions } from '../../crash/mock/process.ts';

/** The responses that do not say whether the request has happened. */
const UNKNOWN = [502, 503, 504];
/** Milliseconds between a request whose outcome is unknown and the next request of the same client. */
const PAUSE = 20;

interface ReplicasOptions extends ProcessOptions {
  readonly flags?: readonly string[];
  readonly count?: number;
}

/** Mocks in processes of their own that share one state. */
export class Replicas {
  readonly #stateOf: (index: number) => string;
  readonly #flags: readonly string[];
  readonly #options: ProcessOptions;
  readonly #all: MockProcess[] = [];

  private constructor(stateOf: (index: number) => string, flags: readonly string[], options: ProcessOptions) {
    this.#stateOf = stateOf;
    this.#flags = flags;
    this.#options = options;
  }

  /** Starts replicas one after another, so that the first replica leads. The end of the test kills them. */
  static async start(
    state: string | ((index: number) => string),
    { flags = ['--rate-limit', 'off'], count = 3, ...options }: ReplicasOptions = {},
  ): Promise<Replicas> {
    const replicas = new Replicas(typeof state === 'string' ? () => state : state, [...flags, '--quiet'], options);
    onTestFinished(() => replicas.kill());
    for (let index = 0; index < count; index++) await replicas.restart(index);
    return replicas;
  }

  get urls(): readonly string[] {
    return this.#all.map(({ url }) => url);
  }

  at(index: number): MockProcess {
    const replica = this.#all[index];
    if (!replica) throw new Error(`There is no replica ${index}.`);
    return replica;
  }

  /** Starts a replica on the port that it had before. */
  async restart(index: number): Promise<void> {
    const before = this.#all[index];
    const port = before ? new URL(before.url).port : '0';
    this.#all[index] = await MockProcess.start(this.#stateOf(index), ['--port', port, ...this.#flags], this.#options);
  }

  async kill(): Promise<void> {
    await Promise.all(this.#all.map((replica) => replica.kill()));
  }
}

export interface Failure {
  /** Undefined if the connection broke. */
  readonly status: number | undefined;
  readonly request: string;
  readonly body?: unknown;
}

/** A client that spreads its requests over replicas, as a load balancer does. It continues if some of them fail. */
export class SpreadClient extends MockClient {
  isKilled = true;
  readonly failures: Failure[] = [];
  /** The milliseconds of the slowest request so far. */
  slowest = 0;
  /** The number of requests so far whose outcome is known. */
  responseCount = 0;
  urls: readonly string[];
  #next = 0;

  constructor(urls: readonly string[]) {
    super();
    this.urls = urls;
  }

  async sendRequest(method: string, path: string, body?: unknown, key?: string): Promise<MockResponse | undefined> {
    const url = this.urls[this.#next++ % this.urls.length] as string;
    const began = performance.now();
    const response = await send(url, method, path, body, key).catch(() => undefined);
    this.slowest = Math.max(this.slowest, performance.now() - began);
    if (response && !UNKNOWN.includes(response.status)) {
      this.responseCount++;
      return response;
    }
    this.failures.push({ status: response?.status, request: `${method} ${path}`, body: response?.body });
    await pause(PAUSE);
    return undefined;
  }

  override async read(method: string, path: string, body?: unknown, key?: string): Promise<MockResponse> {
    const response = await this.sendRequest(method, path, body, key);
    if (!response) throw new OutcomeUnknown(`The request failed: ${JSON.stringify(this.failures.at(-1))}`);
    return response;
  }

  /** Resolves after a number of further responses. */
  async waitForResponses(count: number): Promise<void> {
    const target = this.responseCount + count;
    await expect.poll(() => this.responseCount, { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(target);
  }

  /** Resolves when the health of every replica is `status`. */
  async healthIs(status: string, timeout = 15_000): Promise<void> {
    const healthOf = (url: string) =>
      send(url, 'GET', '/__mock/health').then(
        ({ body }) => body.status,
        () => 'no response',
      );
    const all = () => Promise.all(this.urls.map(healthOf));
    await expect.poll(all, { timeout, interval: 50 }).toEqual(this.urls.map(() => status));
  }
}
