import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { isSample, ranAtLeast } from '../../sample.ts';
import { accountValue, sandboxValue } from './mock/accounts.ts';
import { type Actor, Chance } from './mock/actor.ts';
import { Cards } from './mock/cards.ts';
import { officeValues } from './mock/office.ts';
import { MockProcess } from './mock/process.ts';
import { CountingReceiver } from './mock/receiver.ts';
import { Timers } from './mock/timers.ts';
import { SingleValueActor } from './mock/values.ts';

vi.setConfig({ testTimeout: 300_000 });

/** Each seed kills the mock 20 times under every kind of load, and 10 times while whole sandboxes are replaced. */
const SEEDS = isSample ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
ranAtLeast({ whole: 21, sample: 3 });
const KILLS = 20;
const KILLS_OF_SANDBOX = 10;
/** The largest number of requests between a start and a kill. */
const MOST_REQUESTS = 300;

test.each(SEEDS)('a mock that is killed at random points loses nothing that it has acknowledged, seed %i', async (seed) => {
  expect(await crashRun(seed, KILLS)).toEqual([]);
});

test.each(SEEDS)(
  'a reset and a restored snapshot of the whole sandbox are complete or have not happened, seed %i',
  async (seed) => {
    const actorsOf = () => [new SingleValueActor(sandboxValue(), new Chance(seed))];
    expect(await crashRun(seed, KILLS_OF_SANDBOX, { actorsOf })).toEqual([]);
  },
);

test('the check reports what a mock has lost', async () => {
  const violations = await crashRun(1, 3, { losesLastRound: true });
  for (const lost of [
    /card is missing/,
    /was posted, and is not in the list/,
    /the journal has 0/,
    /name of the account must be/,
  ])
    expect(violations.join('\n')).toMatch(lost);
});

interface CrashOptions {
  /** Default: clients of all parts of the mock. */
  readonly actorsOf?: (seed: number, receiver: CountingReceiver) => readonly Actor[];
  /** The last restart gets the state from before the last load. */
  readonly losesLastRound?: boolean;
}

function allActors(seed: number, receiver: CountingReceiver): readonly Actor[] {
  const accounts = [1, 2, 3].map((number) => accountValue(`temporary-${number}`, receiver.url));
  return [
    new Cards(new Chance(seed), receiver),
    new Timers('frozen', new Chance(seed), receiver),
    new Timers('running', new Chance(seed), receiver),
    ...officeValues(receiver.url).map((value, position) => new SingleValueActor(value, new Chance(100 * seed + position))),
    ...accounts.map((value, position) => new SingleValueActor(value, new Chance(1000 * seed + position))),
  ];
}

/** Starts a mock and kills it under load again and again, always with the same state. Returns the violations that were found after a restart. */
async function crashRun(
  seed: number,
  kills: number,
  { actorsOf = allActors, losesLastRound = false }: CrashOptions = {},
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-crash-'));
  const state = join(folder, 'state');
  const chance = new Chance(seed);
  const receiver = await CountingReceiver.start();
  const actors = actorsOf(seed, receiver);
  const violations: string[] = [];
  let interrupted = 0;
  let mock = await MockProcess.start(state);
  try {
    for (const actor of actors) await actor.begin(mock);
    for (let kill = 1; kill <= kills && violations.length === 0; kill++) {
      const isLast = kill === kills;
      const loses = losesLastRound && isLast;
      if (loses) {
        await mock.kill();
        cpSync(state, `${state}.old`, { recursive: true });
        mock = await MockProcess.start(state);
      }
      const requests = loses ? MOST_REQUESTS : chance.between(1, MOST_REQUESTS);
      const found = await loadUntilKilled(mock, actors, requests, chance.between(0, 3));
      if (chance.is(20)) {
        await MockProcess.startAndKill(state, chance.between(1, 600));
        interrupted++;
      }
      mock = await MockProcess.start(loses ? `${state}.old` : state);
      for (const actor of actors) found.push(...(await actor.check(mock, kill + interrupted, isLast)));
      found.push(...(await unhealthy(mock)));
      violations.push(...found.map((each) => `seed ${seed}, kill ${kill}: ${each}`));
    }
  } finally {
    await mock.kill();
    await receiver.close();
  }
  if (violations.length > 0 && !losesLastRound) violations.push(`The state is in ${folder}.`);
  else rmSync(folder, { recursive: true });
  return violations;
}

/** Runs all actors until a number of requests was sent, and some milliseconds longer. Returns what was wrong with the health. */
async function loadUntilKilled(mock: MockProcess, actors: readonly Actor[], requests: number, delay: number): Promise<string[]> {
  let left = requests;
  const killed = new Promise<void>((resolve) => {
    mock.onRequest = () => {
      if (--left === 0) setTimeout(() => mock.kill().then(resolve), delay);
    };
  });
  const running = actors.flatMap(({ runners }) => runners.map((run) => run(mock)));
  const violations: string[] = [];
  const watch = async () => {
    while (!mock.isKilled) violations.push(...(await unhealthy(mock)));
  };
  await Promise.all([...running, watch(), killed]);
  return violations;
}

async function unhealthy(mock: MockProcess): Promise<string[]> {
  const response = await mock.sendRequest('GET', '/__mock/health');
  return !response || response.body.status === 'ok' ? [] : [`The health is ${JSON.stringify(response.body)}`];
}
