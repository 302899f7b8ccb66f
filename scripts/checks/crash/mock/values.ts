import { isDeepStrictEqual } from 'node:util';
import type { Actor, Chance } from './actor.ts';
import { type MockClient, type MockResponse, OutcomeUnknown } from './client.ts';

/** The next value, and a function that sends the request for it. */
type CrashStep<T> = readonly [next: T, send: () => Promise<MockResponse | undefined>];

/** Something that requests read and replace, such as a coupon, a key or the records of an account. */
export interface Value<T> {
  readonly name: string;
  readonly first: T;
  begin?(mock: MockClient): Promise<unknown>;
  read(mock: MockClient): Promise<T>;
  step(mock: MockClient, current: T, chance: Chance): CrashStep<T> | Promise<CrashStep<T>>;
}

/**
 * A client that changes one value by one request after the other. After a request without a response, the mock may have the value before or after this
 * request, and no other value.
 */
export class SingleValueActor<T> implements Actor {
  readonly runners = [(mock: MockClient) => this.#run(mock)];
  readonly #value: Value<T>;
  readonly #chance: Chance;
  readonly #problems: string[] = [];
  #current: T;
  /** The value after a request that has no response yet. */
  #next: T;

  constructor(value: Value<T>, chance: Chance) {
    this.#value = value;
    this.#chance = chance;
    this.#current = value.first;
    this.#next = value.first;
  }

  async begin(mock: MockClient): Promise<void> {
    await this.#value.begin?.(mock);
  }

  async check(mock: MockClient): Promise<string[]> {
    const found = await this.#value.read(mock);
    const expected = [this.#current, this.#next];
    this.#current = found;
    this.#next = found;
    if (expected.some((each) => isDeepStrictEqual(each, found))) return this.#problems.splice(0);
    const texts = expected.map((each) => JSON.stringify(each));
    return [...this.#problems.splice(0), `${this.#value.name} must be ${texts.join(' or ')}, got ${JSON.stringify(found)}`];
  }

  async #run(mock: MockClient): Promise<void> {
    while (!mock.isKilled) {
      const step = await this.#step(mock);
      if (!step) return;
      const [next, send] = step;
      this.#next = next;
      const response = await send();
      if (!response) return;
      this.#current = next;
      if (response.status >= 300)
        this.#problems.push(`${this.#value.name}: a request returned ${response.status}: ${JSON.stringify(response.body)}`);
    }
  }

  async #step(mock: MockClient): Promise<CrashStep<T> | undefined> {
    try {
      return await this.#value.step(mock, this.#current, this.#chance);
    } catch (error) {
      if (error instanceof OutcomeUnknown) return undefined;
      throw error;
    }
  }
}
