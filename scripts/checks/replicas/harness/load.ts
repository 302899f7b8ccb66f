import { expect, onTestFinished } from 'vitest';
import { type Actor, Chance } from '../../crash/mock/actor.ts';
import { Cards } from '../../crash/mock/cards.ts';
import { officeValues } from '../../crash/mock/office.ts';
import { CountingReceiver } from '../../crash/mock/receiver.ts';
import { Timers } from '../../crash/mock/timers.ts';
import { SingleValueActor } from '../../crash/mock/values.ts';
import type { SpreadClient } from './replicas.ts';

/** Clients of all parts of the mock, which remember what was acknowledged. A receiver counts the deliveries. */
export class Load {
  readonly #client: SpreadClient;
  readonly #actors: readonly Actor[];

  private constructor(client: SpreadClient, actors: readonly Actor[]) {
    this.#client = client;
    this.#actors = actors;
  }

  /** A load balancer may repeat a DELETE request. Only the cards of the load accept the repeat. */
  static async begin(
    client: SpreadClient,
    { repeatsDeletes = false, readers }: { readonly repeatsDeletes?: boolean; readonly readers?: Actor } = {},
  ): Promise<Load> {
    const receiver = await CountingReceiver.start();
    onTestFinished(() => receiver.close());
    const actors = [
      new Cards(new Chance(1), receiver),
      new Timers('running', new Chance(1), receiver),
      ...(readers ? [readers] : []),
      ...(repeatsDeletes ? [] : officeValues(receiver.url)).map(
        (value, position) => new SingleValueActor(value, new Chance(position)),
      ),
    ];
    for (const actor of actors) await actor.begin(client);
    return new Load(client, actors);
  }

  /** Sends requests while `body` runs, and waits for their responses. */
  async during(body: () => Promise<void>): Promise<void> {
    const client = this.#client;
    client.isKilled = false;
    const running = Promise.all(this.#actors.flatMap(({ runners }) => runners.map((run) => run(client))));
    try {
      await body();
    } finally {
      client.isKilled = true;
      await running;
    }
  }

  /**
   * Everything that was acknowledged is there, nothing is half, no delivery was posted twice, and the health is ok. `ends` is the largest number of
   * deliveries to one webhook that may have been interrupted. Without `isLast`, only what has changed since the last check is read.
   */
  async check(ends: number, isLast = true): Promise<void> {
    const violations: string[] = [];
    for (const actor of this.#actors) violations.push(...(await actor.check(this.#client, ends, isLast)));
    expect(violations, violations.join('\n')).toEqual([]);
    await this.#client.healthIs('ok');
  }
}
