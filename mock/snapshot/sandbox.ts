import type { Account } from '../account/account.ts';
import type { Replacement } from '../account/accounts.ts';
import { Clock } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Dialect } from '../contract/effective/dialects.ts';
import { Journal, type JournalState } from '../journal/journal.ts';
import { type Account as AccountDescription, WorldFileError } from '../world/description.ts';
import { type AccountSnapshot, capture, fill } from './account.ts';
import { type Checked, checked, rates } from './checked.ts';
import { dialectOf, type Spoken, spoken, spokenBy } from './dialect.ts';
import { mustBeOfThisForm, VERSION } from './form.ts';
import { journal } from './journal.ts';
import { Misfit, SnapshotError, told } from './misfit.ts';
import { count, list, object, oneOf, type Shape, whole } from './shape.ts';

/** All accounts of a sandbox as a plain JSON value, and what the accounts to come follow from. */
interface SandboxSnapshot extends Spoken {
  readonly kind: 'giftcard-sandbox';
  readonly version: typeof VERSION;
  readonly seed: number;
  readonly numbered: number;
  /** Of requests of nobody's, as `rates` of an account. */
  readonly rates: Readonly<Record<string, readonly number[]>>;
  /** Of requests that came with no key of any account. */
  readonly journal: JournalState;
  readonly accounts: readonly AccountSnapshot[];
}

/** Takes one account as it is at this moment; nothing changes by it. */
export function captureAccount(sandbox: Sandbox, account: Account): AccountSnapshot {
  return capture(account, sandbox.accounts.descriptionOf(account));
}

/** Takes all accounts as they are at this moment; nothing changes by it. */
export function captureAll(sandbox: Sandbox): SandboxSnapshot {
  return {
    kind: 'giftcard-sandbox',
    version: VERSION,
    seed: sandbox.seed,
    numbered: sandbox.accounts.numbered,
    ...spokenBy(sandbox),
    rates: {},
    journal: sandbox.journal.state(),
    accounts: Array.from(sandbox.accounts.values(), (account) => captureAccount(sandbox, account)),
  };
}

/**
 * Puts the account with this id back to what the value holds, or makes it anew when there is none. It is replaced as a whole: what was under way
 * in it stops. An account that there is lives as long as before.
 * @throws SnapshotError for a value that is no snapshot of this account, and when a key of it belongs to another account meanwhile; nothing has changed then.
 */
export async function restoreAccount(sandbox: Sandbox, id: string, value: unknown): Promise<Account> {
  const one = read(checked, value);
  if (one.snapshot.id !== id)
    throw new SnapshotError(`This is a snapshot of the account ${one.snapshot.id}, not of ${id}; put it back there.`);
  const { dialect, description } = await madeFrom(sandbox, one.snapshot);
  const present = sandbox.accounts.get(id);
  for (const { key, description: name } of one.snapshot.keys) {
    const holder = sandbox.keyHolders.get(key);
    if (holder && holder.account !== present)
      throw new SnapshotError(
        `The key "${name}" of the snapshot belongs to the account ${holder.account.id} now; remove that account first.`,
      );
  }
  const { goneAt } = one.snapshot;
  const end = present ? present.goneAt : goneAt !== null && goneAt > new Clock().now() ? goneAt : null;
  sandbox.replace([replacementOf(one, dialect, description, end)]);
  return sandbox.accounts.get(id) as Account;
}

/**
 * Puts all accounts back to what the value holds, and takes away those that it does not know. Accounts whose time to live is over by now stay away.
 * @throws SnapshotError for a value that is no snapshot of a sandbox; nothing has changed then.
 */
export async function restoreAll(sandbox: Sandbox, value: unknown): Promise<void> {
  const { seed, numbered, accounts, journal: entries, ...spoken } = read(everything, value);
  const dialect = await dialectOf(sandbox.dialects, spoken, 'the sandbox');
  const now = new Clock().now();
  const living = accounts.filter(({ snapshot: { goneAt } }) => goneAt === null || goneAt > now);
  const replacements: Replacement[] = [];
  for (const each of living) {
    const made = await madeFrom(sandbox, each.snapshot);
    replacements.push(replacementOf(each, made.dialect, made.description, each.snapshot.goneAt));
  }
  sandbox.replace(replacements, { seed, numbered });
  sandbox.speak(dialect);
  sandbox.journal = new Journal();
  sandbox.journal.restore(entries);
}

async function madeFrom(sandbox: Sandbox, snapshot: AccountSnapshot) {
  await mustBeSettings(snapshot);
  return {
    dialect: await dialectOf(sandbox.dialects, snapshot, `the account ${snapshot.id}`),
    description: await descriptionIn(snapshot),
  };
}

function replacementOf(
  { snapshot, records }: Checked,
  dialect: Dialect,
  description: AccountDescription | undefined,
  goneAt: number | null,
): Replacement {
  const { id, settings, keys, seed } = snapshot;
  return { id, settings, keys, seed, dialect, goneAt, description, fill: (account) => fill(account, snapshot, records) };
}

/** Settings and keys have to be such as the description of an account may have. */
async function mustBeSettings({ id, settings, keys }: AccountSnapshot): Promise<void> {
  const own = keys.map(({ deletedAt: _, ...key }) => key);
  await described(id, 'settings', { ...settings, keys: own });
}

async function descriptionIn({ id, description }: AccountSnapshot): Promise<AccountDescription | undefined> {
  return description === null ? undefined : described(id, 'description', description);
}

async function described(id: string, part: string, description: unknown): Promise<AccountDescription> {
  const { accountOf } = await import('../world/read.ts');
  try {
    return accountOf(description, id, `account ${id}, ${part}`);
  } catch (error) {
    if (error instanceof WorldFileError) throw new SnapshotError(`The snapshot cannot be used: ${error.message}`);
    throw error;
  }
}

type Everything = Omit<SandboxSnapshot, 'accounts'> & { readonly accounts: readonly Checked[] };

const everything: Shape<Everything> = (value) => {
  const { kind, version } = (value ?? {}) as Partial<SandboxSnapshot>;
  if (kind !== 'giftcard-sandbox') throw new Misfit('this is no snapshot of a sandbox.');
  mustBeOfThisForm(version);
  const read = object<Everything>({
    kind: oneOf({ 'giftcard-sandbox': true }),
    version: () => VERSION,
    seed: whole,
    numbered: count,
    ...spoken,
    rates,
    journal,
    accounts: list(checked),
  })(value);
  mustBeOnlyOnce(
    'id',
    read.accounts.map(({ snapshot: { id } }) => id),
  );
  mustBeOnlyOnce(
    'key',
    read.accounts.flatMap(({ snapshot: { keys } }) => keys.map(({ key }) => key)),
  );
  return read;
};

function mustBeOnlyOnce(what: string, values: readonly string[]): void {
  if (new Set(values).size < values.length) throw Misfit.at('accounts', new Misfit(`two of them have the same ${what}.`));
}

function read<T>(shape: Shape<T>, value: unknown): T {
  try {
    return shape(value);
  } catch (error) {
    if (error instanceof Misfit) throw new SnapshotError(`The snapshot cannot be used: ${told(error)}`);
    throw error;
  }
}
