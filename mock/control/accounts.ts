import type { Sandbox } from '../account/sandbox.ts';
import { DAY, DURATIONS, millisecondsOf } from '../domain/dates.ts';
import { version } from '../server/version.ts';
import { plainWebhooks } from '../world/check.ts';
import { type Account as AccountDescription, keyFor } from '../world/description.ts';
import { defaultWorld } from '../world/generated/default-world.ts';
import { accountOf as describedAccount } from '../world/read.ts';
import { withSampleCards } from '../world/samples.ts';
import { describe, standingOf } from './account-views.ts';
import { accountOf, ControlError } from './resources.ts';

const LONGEST_LIFE = 366 * DAY;

export function health({ defects, seed, accounts }: Sandbox) {
  return { status: defects.length === 0 ? 'ok' : 'defective', version, seed, accounts: accounts.size, defects } as const;
}

export function reset(sandbox: Sandbox) {
  sandbox.reset();
  return health(sandbox);
}

export function resetAccount(sandbox: Sandbox, id: string) {
  const account = accountOf(sandbox, id);
  const objection = sandbox.accounts.objectionToReset(account);
  if (objection !== undefined) throw new ControlError(409, objection);
  return standingOf(sandbox.accounts.reset(account));
}

/** Adds an account from a description, or one like the first of the default world. `ttl` is its lifetime, a duration of real time. */
export async function addAccount(sandbox: Sandbox, given: object | undefined, ttl?: string) {
  const lifetime = ttl === undefined ? undefined : lifetimeOf(ttl);
  const description =
    given === undefined || Object.keys(given).length === 0
      ? likeDefault(sandbox.accounts.nextId())
      : describedAccount(given, () => sandbox.accounts.nextId());
  const [plain] = plainWebhooks(description, sandbox);
  if (plain) throw new ControlError(400, plain.sentence);
  mustBeNew(sandbox, description);
  const { resets } = sandbox;
  const whole = await withSampleCards(description, sandbox.seed);
  mustBeNew(sandbox, description); // Another request may have added it in the meantime.
  if (sandbox.resets !== resets)
    throw new ControlError(409, 'The sandbox was reset or restored during the request; send it again.');
  return describe(sandbox.add(whole, lifetime));
}

function lifetimeOf(ttl: string): number {
  const milliseconds = millisecondsOf(ttl) ?? 0;
  if (milliseconds > 0 && milliseconds <= LONGEST_LIFE) return milliseconds;
  throw new ControlError(400, `ttl must be a duration above zero and at most a year, such as ${DURATIONS}, got "${ttl}".`);
}

function mustBeNew(sandbox: Sandbox, description: AccountDescription): void {
  const objection = sandbox.accounts.objectionTo(description);
  if (objection !== undefined) throw new ControlError(409, objection);
}

function likeDefault(id: string): AccountDescription {
  const [first] = defaultWorld.accounts;
  if (!first) throw new Error('The default world has no account.');
  return { ...first, id, keys: [keyFor(id)] };
}
