import { checkVariant } from '../../../openapi/effective/variant.ts';
import { defaultBehaviors } from '../../../openapi/generated/rules.ts';
import type { Replacement } from '../../account/accounts.ts';
import { systemTime } from '../../account/clock.ts';
import type { Sandbox } from '../../account/sandbox.ts';
import type { ContractVariant } from '../../contract/effective/contract-variants.ts';
import { mustCompile } from '../../variant/start.ts';
import { type AccountSnapshot, fill, type VariantSnapshot } from './capture.ts';
import { readAccountSnapshot, readSandboxSnapshot, SnapshotError } from './read.ts';

/**
 * Replaces the account with this ID by a snapshot, or adds the account. Running deliveries and waiting calls of the replaced account stop. An existing
 * account keeps its lifetime.
 * @throws UnusableInput if the value is not a snapshot of this account, or a key of the snapshot belongs to another account.
 */
export async function restoreAccount(sandbox: Sandbox, id: string, value: unknown) {
  const snapshot = readAccountSnapshot(value);
  if (snapshot.id !== id) throw new SnapshotError(`This is a snapshot of the account ${snapshot.id}, not of ${id}.`);
  const replacement = await replacementOf(sandbox, snapshot);
  const present = sandbox.accounts.get(id);
  for (const { key, description } of snapshot.keys) {
    const holder = sandbox.accounts.keyHolders.get(key);
    if (holder && holder.account !== present)
      throw new SnapshotError(
        `The key "${description}" of the snapshot belongs to the account ${holder.account.id} now; remove that account first.`,
      );
  }
  const goneAt = present ? present.goneAt : isOver(snapshot) ? null : snapshot.goneAt;
  sandbox.accounts.replace([{ ...replacement, goneAt }]);
  return sandbox.accounts.get(id) as NonNullable<typeof present>;
}

/**
 * Replaces all accounts by the accounts of a snapshot. Skips accounts whose lifetime has ended.
 * @throws UnusableInput if the value is not a snapshot of all accounts.
 */
export async function restoreAll(sandbox: Sandbox, value: unknown): Promise<void> {
  const snapshot = readSandboxSnapshot(value);
  const { seed, numbered, journal } = snapshot;
  const variant = await variantOf(sandbox, snapshot);
  const replacements: Replacement[] = [];
  for (const account of snapshot.accounts) if (!isOver(account)) replacements.push(await replacementOf(sandbox, account));
  sandbox.accounts.replace(replacements, { seed, numbered });
  sandbox.useVariant(variant);
  sandbox.newJournal().restore(journal);
}

function isOver({ goneAt }: AccountSnapshot): boolean {
  return goneAt !== null && goneAt <= systemTime();
}

async function replacementOf(sandbox: Sandbox, snapshot: AccountSnapshot): Promise<Replacement> {
  const { id, settings, keys, seed, goneAt, description } = snapshot;
  const { readDescription: accountOf } = await import('../../world/read.ts');
  // This check fails if the runtime does not know the time zone or the currency of the snapshot.
  accountOf(settings, id, `The snapshot of ${id}, settings`);
  return {
    id,
    settings,
    keys,
    seed,
    goneAt,
    variant: await variantOf(sandbox, snapshot),
    description: description === null ? undefined : accountOf(description, id, `The snapshot of ${id}, description`),
    fill: (account) => fill(account, snapshot),
  };
}

async function variantOf({ variants }: Sandbox, { behaviors, overrides }: VariantSnapshot): Promise<ContractVariant> {
  const checked = checkVariant({ behaviors, overrides }, 'The variant of the snapshot');
  const variant = await variants.of({ ...defaultBehaviors, ...checked.behaviors }, checked.overrides);
  mustCompile(variant);
  return variant;
}
