import { differing } from '../../openapi/effective/behaviors.ts';
import type { AccountWith } from '../account/account-with.ts';
import { freshSeed } from '../account/clock.ts';
import type { Log } from '../account/log.ts';
import { Sandbox } from '../account/sandbox.ts';
import { partsOf } from '../client/account.ts';
import { callThrough } from '../client/call.ts';
import { sandboxClient } from '../client/sandbox.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { authorize } from '../pipeline/authenticate.ts';
import { plainWebhooks } from '../world/check.ts';
import { type World, type WorldFile, WorldFileError } from '../world/description.ts';
import { defaultWorld } from '../world/generated/default-world.ts';
import { withSampleCards } from '../world/samples.ts';
import type { Handle } from './call.ts';
import { OWN_HOST } from './fetch.ts';
import { type Listeners, openListeners } from './listeners.ts';
import type { Mock } from './mock.ts';
import { type MockOptions, mustBeUsable } from './options.ts';
import { profileOf } from './profile.ts';

/** Starts a mock, or rejects as startMock does. */
export async function start(options: MockOptions, log: Log): Promise<Mock> {
  mustBeUsable(options);
  const sandbox = await sandboxFrom(options, log);
  try {
    // Queued deliveries of a state file are sent only after all listeners are open.
    const listeners = await openListeners(sandbox, options, (handle) => openStateOf(options, sandbox, handle));
    return mockOf(sandbox, listeners, options.rateLimit !== 'off');
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function mockOf(sandbox: Sandbox, listeners: Listeners, isLimited: boolean): Mock {
  const { persistence } = sandbox.rows;
  const { close: closeListeners, control, ...reached } = listeners;
  const closeAll = async () => {
    const closing = closeListeners();
    try {
      // No request can change anything now. The state is closed before running deliveries are stopped.
      await persistence?.close();
    } finally {
      await closing;
      await sandbox.close();
    }
  };
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= closeAll());
  const accounts = [...sandbox.accounts.values()];
  // `own` stays the same while the mock runs, even if the keys of the account change.
  const own = (accounts.find(usableKey) ?? accounts[0])?.id ?? '';
  const call = callThrough({ url: `http://${OWN_HOST}`, token: reached.controlToken, fetch: control });
  return {
    ...sandboxClient(reached.url, call, reached.fetch),
    ...partsOf(call, own),
    ...reached,
    get apiKey() {
      const account = sandbox.accounts.get(own);
      const key = account && usableKey(account);
      if (key !== undefined) return key;
      throw new Error(`The account ${own} has no usable key; it needs a key that is not deleted, and a plan with API access.`);
    },
    get accounts() {
      return Array.from(sandbox.accounts.values(), (account) => {
        const { plan, currency } = account.settings;
        return { id: account.id, plan, currency, apiKey: usableKey(account) ?? null };
      });
    },
    get seed() {
      return sandbox.accounts.seed;
    },
    get variant() {
      const { behaviors, overrides } = sandbox.variant;
      return { differing: differing(behaviors).length, overrides: overrides.length };
    },
    profile: () => {
      const [first, ...others] = [...sandbox.accounts.values()].sort((a, b) => Number(b.id === own) - Number(a.id === own));
      if (!first) throw new Error('The sandbox has no account.');
      return profileOf([first, ...others], usableKey, listeners, isLimited);
    },
    state: persistence && { path: persistence.path, wasThere: persistence.wasThere },
    settled: () => sandbox.settled(),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the account's first key that can use the API. */
function usableKey(account: AccountWith<'keys' | 'settings' | 'behaviors'>): string | undefined {
  return account.keys.find((key) => !authorize({ account, key }))?.key;
}

async function sandboxFrom(options: MockOptions, log: Log): Promise<Sandbox> {
  const { seed = freshSeed(), rateLimit, variant, vary, allowHttpWebhooks = [] } = options;
  const plainHttpHosts = allowHttpWebhooks.map((host) => host.toLowerCase());
  const contractVariant = variant === undefined && !vary ? undefined : await startingVariantOf(options, seed);
  const world = await worldFrom(options.world, seed);
  const plain = world.accounts.flatMap((account) =>
    plainWebhooks(account, plainHttpHosts).map((sentence) => `The account ${account.id}: ${sentence}`),
  );
  if (plain.length > 0) throw new WorldFileError(plain);
  const sandbox = new Sandbox({
    world,
    seed,
    log,
    plainHttpHosts,
    ...(contractVariant ? { variant: contractVariant } : {}),
    ...(rateLimit === undefined ? {} : { rateLimit: rateLimit === 'off' ? null : rateLimit }),
  });
  if (contractVariant) {
    const { mustFit } = await import('../variant/start.ts');
    for (const { state } of sandbox.accounts.values()) mustFit(contractVariant, state.cards());
  }
  return sandbox;
}

// The modules below are loaded at their first use, so that the start is fast.

async function openStateOf({ state, stateSync = 'off' }: MockOptions, sandbox: Sandbox, handle: Handle): Promise<void> {
  if (state === undefined) return;
  const { openState } = await import('../store/open-state.ts');
  await openState(state, stateSync, sandbox, handle);
}

async function startingVariantOf({ variant, vary = false }: MockOptions, seed: number): Promise<ContractVariant> {
  const { startingVariant } = await import('../variant/start.ts');
  return startingVariant(variant, vary ? seed : undefined);
}

async function worldFrom(given: MockOptions['world'], seed: number): Promise<World> {
  const world = given === undefined ? defaultWorld : await readWorld(given);
  return { accounts: await Promise.all(world.accounts.map((account) => withSampleCards(account, seed))) };
}

async function readWorld(given: WorldFile | string): Promise<World> {
  const { readWorldFile, worldOf } = await import('../world/read.ts');
  return typeof given === 'string' ? readWorldFile(given) : worldOf(given);
}
