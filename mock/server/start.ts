import { differing } from '../../openapi/effective/behaviors.ts';
import type { Account } from '../account/account.ts';
import { freshSeed } from '../account/clock.ts';
import { Sandbox } from '../account/sandbox.ts';
import { partsOf } from '../client/account.ts';
import { callThrough } from '../client/call.ts';
import { inOneLine } from '../client/in-one-line.ts';
import { accountsOf } from '../client/sandbox.ts';
import type { Dialect } from '../contract/effective/dialects.ts';
import { authorize } from '../pipeline/authenticate.ts';
import type { Seams } from '../pipeline/seams.ts';
import type { StateFile } from '../snapshot/state-file.ts';
import { plainWebhooks } from '../world/check.ts';
import { type World, type WorldFile, WorldFileError } from '../world/description.ts';
import { defaultWorld } from '../world/generated/default-world.ts';
import { withSampleCards } from '../world/samples.ts';
import { type Doors, openDoors } from './doors.ts';
import { OWN_HOST } from './fetch.ts';
import type { Log } from './log.ts';
import type { Mock } from './mock.ts';
import { type MockOptions, mustBeUsable } from './options.ts';
import { profileOf } from './profile.ts';

/** Starts a mock that tells `log` what it does. Rejects as startMock does, and nothing is left running then. */
export async function start(options: MockOptions, log: Log, seams: Seams = {}): Promise<Mock> {
  mustBeUsable(options);
  const sandbox = await sandboxFrom(options, log, seams);
  let stateFile: Standing | undefined;
  try {
    // What waits to leave in a state leaves once the doors are open: a start that fails must not send it.
    const doors = await openDoors(sandbox, options, async () => {
      if (options.state !== undefined) stateFile = await stateFrom(options.state, sandbox);
    });
    return mockOf(sandbox, doors, stateFile, options.rateLimit !== 'off');
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

function mockOf(sandbox: Sandbox, doors: Doors, stateFile: Standing | undefined, isLimited: boolean): Mock {
  let isOpen = true;
  const close = async () => {
    const closing = doors.close();
    try {
      // Nobody can ask any more; what is under way is written as it is, before it is cut off.
      if (isOpen) stateFile?.file.save(sandbox);
    } finally {
      stateFile?.file.release();
      isOpen = false;
      await closing;
      await sandbox.close();
    }
  };
  const accounts = [...sandbox.accounts.values()];
  // For as long as the mock runs, whatever becomes of its keys.
  const own = (accounts.find((account) => usableKey(account) !== null) ?? accounts[0])?.id ?? '';
  const call = callThrough({ url: `http://${OWN_HOST}`, token: doors.controlToken, fetch: doors.control });
  const mock: Mock = {
    url: doors.url,
    controlUrl: doors.controlUrl,
    controlToken: doors.controlToken,
    get apiKey() {
      const key = usableKey(sandbox.accounts.get(own));
      if (key !== null) return key;
      const way = 'give one a key that is not deleted and a plan with API access.';
      if (accounts.every((account) => usableKey(account) === null))
        throw new Error(`No account of this world has a usable key; ${way}`);
      throw new Error(
        `The account ${own} has no usable key any more; give it a key that is not deleted and a plan with API access.`,
      );
    },
    get accounts() {
      return Array.from(sandbox.accounts.values(), (account) => {
        return { id: account.id, plan: account.settings.plan, apiKey: usableKey(account) };
      });
    },
    get seed() {
      return sandbox.seed;
    },
    get spoken() {
      const { behaviors, ownRows } = sandbox.dialect;
      return { differing: differing(behaviors).length, ownRows: ownRows.length };
    },
    profile: () => {
      const { controlUrl, controlToken: token } = doors;
      const base = controlUrl === doors.url ? '' : controlUrl;
      const [account, ...others] = [...sandbox.accounts.values()].sort((a, b) => Number(b.id === own) - Number(a.id === own));
      return profileOf(account as Account, others, usableKey, {
        door: base === undefined ? undefined : { base, token },
        isLimited,
      });
    },
    state: stateFile && { path: stateFile.file.path, wasThere: stateFile.wasThere },
    ...partsOf(call, own),
    ...accountsOf(call, doors.fetch),
    fetch: doors.fetch,
    settled: () => sandbox.settled(),
    reset: () => sandbox.reset(),
    snapshot: () => call('getSandboxSnapshot'),
    restore: async (body) => void (await call('putSandboxSnapshot', { body })),
    close,
    [Symbol.asyncDispose]: close,
  };
  return inOneLine(mock, () => `Sandbox at ${doors.url} (${sandbox.accounts.size} accounts, seed ${sandbox.seed})`);
}

/** The account's first key that may use the API; null without one. */
function usableKey(account: Account | undefined): string | null {
  return account?.keys.find((key) => !authorize({ account, key }))?.key ?? null;
}

async function sandboxFrom(options: MockOptions, log: Log, seams: Seams): Promise<Sandbox> {
  const { seed = freshSeed(), rateLimit, facts, vary, allowHttpWebhooks = [] } = options;
  const plainHttpHosts = allowHttpWebhooks.map((host) => host.toLowerCase());
  const dialect = facts === undefined && !vary ? undefined : await dialectFrom(options, seed);
  const world = await worldFrom(options.world, seed);
  mustBeReached(world, { plainHttpHosts });
  return new Sandbox({
    world,
    seed,
    log,
    seams,
    plainHttpHosts,
    ...(dialect ? { dialect } : {}),
    ...(rateLimit === undefined ? {} : { rateLimit: rateLimit === 'off' ? null : rateLimit }),
  });
}

/** Throws WorldFileError where deliveries to a webhook of the world could never leave. */
function mustBeReached({ accounts }: World, where: Parameters<typeof plainWebhooks>[1]): void {
  const problems = accounts.flatMap((account) =>
    plainWebhooks(account, where).map(({ sentence }) => `The account ${account.id}: ${sentence}`),
  );
  if (problems.length > 0) throw new WorldFileError(problems);
}

/** The file that a sandbox goes on from, and whether it was there at the start. */
interface Standing {
  readonly file: StateFile;
  readonly wasThere: boolean;
}

/** Loaded here, so that nothing has to be loaded at the end. */
async function stateFrom(path: string, sandbox: Sandbox): Promise<Standing> {
  const { StateFile } = await import('../snapshot/state-file.ts');
  const file = new StateFile(path);
  const wasThere = await file.load(sandbox);
  sandbox.stateFile = file;
  return { file, wasThere };
}

/** What reads facts and makes contracts of them is loaded only when there are some. */
async function dialectFrom({ facts: given, vary = false }: MockOptions, seed: number): Promise<Dialect> {
  const { startingDialect } = await import('../variant/start.ts');
  return startingDialect(given, vary ? seed : undefined);
}

async function worldFrom(given: MockOptions['world'], seed: number): Promise<World> {
  const world = given === undefined ? defaultWorld : await described(given);
  return { accounts: await Promise.all(world.accounts.map((account) => withSampleCards(account, seed))) };
}

/** The reader and its validator are loaded only when there is something to read. */
async function described(given: WorldFile | string): Promise<World> {
  const { readWorldFile, worldOf } = await import('../world/read.ts');
  return typeof given === 'string' ? readWorldFile(given) : worldOf(given);
}
