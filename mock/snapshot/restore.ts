import { defaultBehaviors } from '../../openapi/generated/clauses.ts';
import { checkVariant, VariantError } from '../../openapi/variant/variant.ts';
import type { Account } from '../account/account.ts';
import type { Replacement } from '../account/accounts.ts';
import { Clock } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { ContractVariant } from '../contract/effective/contract-variants.ts';
import { Journal } from '../journal/journal.ts';
import { mustCompile } from '../variant/start.ts';
import { type Account as AccountDescription, WorldFileError } from '../world/description.ts';
import { type AccountSnapshot, fill, type VariantSnapshot } from './capture.ts';
import { readAccountSnapshot, readSandboxSnapshot, SnapshotError } from './read.ts';

/**
 * Replaces the account with this ID by the content of a snapshot, or adds it if it is gone. What was under way in the account stops. An account
 * that exists keeps its lifetime.
 * @throws SnapshotError if the value is not a snapshot of this account, or one of its keys belongs to another account. Nothing has changed then.
 */
export async function restoreAccount(sandbox: Sandbox, id: string, value: unknown): Promise<Account> {
  const snapshot = readAccountSnapshot(value);
  if (snapshot.id !== id) throw new SnapshotError(`This is a snapshot of the account ${snapshot.id}, not of ${id}.`);
  const { goneAt } = snapshot;
  const prepared = await replacementOf(sandbox, snapshot);
  const present = sandbox.accounts.get(id);
  for (const { key, description } of snapshot.keys) {
    const holder = sandbox.keyHolders.get(key);
    if (holder && holder.account !== present)
      throw new SnapshotError(
        `The key "${description}" of the snapshot belongs to the account ${holder.account.id} now; remove that account first.`,
      );
  }
  const end = present ? present.goneAt : goneAt !== null && goneAt > new Clock().now() ? goneAt : null;
  replace(sandbox, [{ ...prepared, goneAt: end }]);
  return sandbox.accounts.get(id) as Account;
}

/**
 * Replaces all accounts by those of a snapshot, and removes the others. Accounts whose lifetime is over are left out.
 * @throws SnapshotError if the value is not a snapshot of all accounts. Nothing has changed then.
 */
export async function restoreAll(sandbox: Sandbox, value: unknown): Promise<void> {
  const snapshot = readSandboxSnapshot(value);
  const { seed, numbered, journal } = snapshot;
  const contractVariant = await contractVariantOf(sandbox, snapshot, 'the sandbox');
  const now = new Clock().now();
  const replacements: Replacement[] = [];
  for (const account of snapshot.accounts)
    if (account.goneAt === null || account.goneAt > now) replacements.push(await replacementOf(sandbox, account));
  replace(sandbox, replacements, { seed, numbered });
  sandbox.useVariant(contractVariant);
  sandbox.journal = new Journal();
  sandbox.journal.restore(journal);
}

function replace(sandbox: Sandbox, ...[replacements, whole]: Parameters<Sandbox['replace']>): void {
  const objection = sandbox.accounts.objectionToReplace(replacements, whole !== undefined);
  if (objection !== undefined) throw new SnapshotError(objection);
  sandbox.replace(replacements, whole);
}

async function replacementOf(sandbox: Sandbox, snapshot: AccountSnapshot): Promise<Replacement> {
  const { id, settings, keys, seed, goneAt, description } = snapshot;
  const ownKeys = keys.map(({ deletedAt: _, ...key }) => key);
  await described(id, 'settings', { ...settings, keys: ownKeys }); // The runtime may not know its time zone or currency.
  return {
    id,
    settings,
    keys,
    seed,
    goneAt,
    variant: await contractVariantOf(sandbox, snapshot, `the account ${id}`),
    description: description === null ? undefined : await described(id, 'description', description),
    fill: (account) => fill(account, snapshot),
  };
}

async function described(id: string, part: string, description: unknown): Promise<AccountDescription> {
  const { accountOf } = await import('../world/read.ts');
  try {
    return accountOf(description, id, `account ${id}, ${part}`);
  } catch (error) {
    if (error instanceof WorldFileError) throw new SnapshotError(`The snapshot cannot be used: ${error.problems[0]}`);
    throw error;
  }
}

async function contractVariantOf(
  { variants }: Sandbox,
  { behaviors, overrides }: VariantSnapshot,
  whose: string,
): Promise<ContractVariant> {
  try {
    const name = `The snapshot cannot be used: the variant of ${whose}`;
    const variant = checkVariant({ behaviors, overrides }, name);
    const contractVariant = await variants.of({ ...defaultBehaviors, ...variant.behaviors }, variant.overrides);
    mustCompile(contractVariant);
    return contractVariant;
  } catch (error) {
    if (error instanceof VariantError) throw new SnapshotError(error.problems.join(' '));
    throw error;
  }
}
