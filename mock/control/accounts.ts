import { didYouMean } from '../../openapi/input/closest.ts';
import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { DAY, DURATIONS, millisecondsOf } from '../domain/dates.ts';
import { version } from '../server/version.ts';
import type { CardRecord } from '../state/records.ts';
import { plainWebhooks } from '../world/check.ts';
import { type Account as AccountDescription, keyFor } from '../world/description.ts';
import { defaultWorld } from '../world/generated/default-world.ts';
import { withSampleCards } from '../world/samples.ts';
import { describe, standingOf } from './account-views.ts';
import { ControlError } from './control-error.ts';

const LONGEST_LIFE = 366 * DAY;

export function health({ defects, seed, accounts }: Sandbox) {
  return { status: defects.length === 0 ? 'ok' : 'defective', version, seed, accounts: accounts.size, defects } as const;
}

export function reset(sandbox: Sandbox) {
  sandbox.reset();
  return health(sandbox);
}

/** Puts one account back to how it was made. */
export function resetAccount(sandbox: Sandbox, id: string) {
  const account = accountOf(sandbox, id);
  const objection = sandbox.accounts.objectionToReset(account);
  if (objection !== undefined) throw new ControlError(409, objection);
  return standingOf(sandbox.accounts.reset(account));
}

/** For what was begun in an account and had to wait since: throws ControlError where the account is gone, also when there is another with its id. */
export function mustBeThere({ id, effects }: Account): void {
  if (effects.stopped) throw new ControlError(409, `The account ${id} was reset, restored or removed meanwhile; ask again.`);
}

/** The account with this id; a ControlError that names those there are when there is none. */
export function accountOf({ accounts }: Sandbox, id: string): Account {
  const found = accounts.get(id);
  if (found) return found;
  const ids = [...accounts.keys()].slice(0, 10);
  throw new ControlError(404, `There is no account ${id}.${didYouMean(id, ids) || ` There are ${ids.join(', ')}.`}`);
}

/** The account's card with this id or, exactly, this code; deleted ones too. */
export function cardOf({ id: account, state }: Account, card: string): CardRecord {
  const found = state.card(card) ?? state.cardByCode(card);
  if (found) return found;
  const alike = state.cardByCode(card, 'any');
  const meant = alike && ` Did you mean "${alike.code}"?`;
  throw new ControlError(404, `The account ${account} has no gift card with the id or code ${card}.${meant ?? ''}`);
}

/** Makes an account from a description, or one like the default world's first; `ttl`, a duration of real time, says how long it lives. */
export async function addAccount(sandbox: Sandbox, given: object | undefined, ttl?: string) {
  const { resets } = sandbox;
  const lifetime = ttl === undefined ? undefined : lifetimeOf(ttl);
  const isLikeDefault = given === undefined || Object.keys(given).length === 0;
  const description = isLikeDefault
    ? likeDefault(sandbox.accounts.nextId())
    : (await import('../world/read.ts')).accountOf(given, () => sandbox.accounts.nextId());
  const [plain] = plainWebhooks(description, sandbox);
  if (plain) throw new ControlError(400, plain.sentence);
  mustBeWelcome(sandbox, description);
  const whole = await withSampleCards(description, sandbox.seed);
  mustBeWelcome(sandbox, description); // Another request may have made it meanwhile.
  if (sandbox.resets !== resets) throw new ControlError(409, 'The sandbox was reset meanwhile; ask for the account again.');
  return describe(sandbox.add(whole, lifetime));
}

/** In milliseconds. */
function lifetimeOf(ttl: string): number {
  const lifetime = millisecondsOf(ttl) ?? 0;
  if (lifetime > 0 && lifetime <= LONGEST_LIFE) return lifetime;
  throw new ControlError(
    400,
    `ttl must be a duration such as ${DURATIONS}, longer than nothing and at most a year, not "${ttl}".`,
  );
}

function mustBeWelcome(sandbox: Sandbox, description: AccountDescription): void {
  const objection = sandbox.accounts.objectionTo(description);
  if (objection !== undefined) throw new ControlError(409, objection);
}

/** The first of the default world, under an id and a key of its own. */
function likeDefault(id: string): AccountDescription {
  const [first] = defaultWorld.accounts;
  if (!first) throw new Error('The default world has no account.');
  return { ...first, id, keys: [keyFor(id)] };
}
