import { decimalsOf } from '../../../openapi/currency.ts';
import { DEEPEST, isDeeperThan } from '../../../openapi/input/depth.ts';
import { UnusableInput } from '../../../openapi/input/unusable-input.ts';
import { schemaProblems } from '../../../openapi/schema-errors.ts';
import { type AccountSnapshot, type SandboxSnapshot, VERSION } from './capture.ts';
import { type Validate, validateAccount, validateSandbox } from './generated/validate-snapshot.js';

/** A value is not a snapshot, or cannot be restored here. Nothing was changed. */
export class SnapshotError extends UnusableInput {}

/** Checks a snapshot of one account. Changes the value: removes unknown properties, and fills in new properties. Throws SnapshotError. */
export function readAccountSnapshot(value: unknown): AccountSnapshot {
  const snapshot = read<AccountSnapshot>(value, 'giftcard-sandbox account', validateAccount);
  mustBeConsistent(snapshot);
  return snapshot;
}

/** Checks a snapshot of all accounts, as `readAccountSnapshot` does. Throws SnapshotError. */
export function readSandboxSnapshot(value: unknown): SandboxSnapshot {
  const snapshot = read<SandboxSnapshot>(value, 'giftcard-sandbox', validateSandbox);
  const ids = snapshot.accounts.map(({ id }) => id);
  const keys = snapshot.accounts.flatMap((account) => account.keys.map(({ key }) => key));
  for (const values of [ids, keys])
    if (new Set(values).size < values.length) fail('two accounts have the same id or the same key.');
  for (const account of snapshot.accounts) mustBeConsistent(account);
  return snapshot;
}

function read<T>(value: unknown, kind: string, validate: Validate): T {
  const given = (value ?? {}) as { readonly kind?: unknown; readonly version?: unknown };
  // A snapshot contains values that were accepted with DEEPEST levels.
  if (isDeeperThan(2 * DEEPEST, value)) fail(`it is nested deeper than ${2 * DEEPEST} levels.`);
  if (given.kind !== kind) fail(`it is not a snapshot of ${validate === validateAccount ? 'an account' : 'all accounts'}.`);
  if (given.version !== VERSION)
    fail(
      `version must be ${VERSION}, got ${JSON.stringify(given.version)}. Take the snapshot again with this version of the sandbox.`,
    );
  if (validate(given)) return given as T;
  const [problem] = schemaProblems(validate.errors ?? [], given);
  const place = problem?.path.slice(0, -1).join('.');
  return fail(`${place ? `in ${place}, ` : ''}${problem?.sentence ?? 'it does not match its schema.'}`);
}

/** Checks cards, and the references to cards, for rules that the schema cannot express. */
function mustBeConsistent({ scheduler, decimals, effects, records, settings }: AccountSnapshot): void {
  const { cards, updated, adjustments, timeline, listings } = records;
  const present = decimalsOf(settings.currency);
  if (decimals !== present)
    fail(
      `its amounts in ${settings.currency} have ${decimals} decimals, but this version of the sandbox computes with ${present}.`,
    );
  const ids = new Set(cards.map(({ id }) => id));
  if (ids.size < cards.length) fail('two cards of records.cards have the same id.');
  const foreign = cards.find(({ currency }) => currency !== settings.currency);
  if (foreign) fail(`the card ${foreign.code} has the currency ${foreign.currency}, but the account has ${settings.currency}.`);
  if (updated.length !== cards.length || new Set(updated).size !== cards.length || updated.some((place) => !cards[place]))
    fail('records.updated must have the position of every card once.');
  const waiting = effects.waiting.map(({ effect }) => ({ cardId: effect.card.id }));
  for (const references of [adjustments, timeline, listings, scheduler.planned, waiting]) {
    let place = 0; // Most references are in the order of the cards.
    for (const { cardId } of references)
      if (cards[place]?.id !== cardId && cards[++place]?.id !== cardId && !ids.has(cardId))
        fail(`it refers to the card ${cardId}, which is not in the snapshot.`);
  }
  for (const { effect } of effects.waiting)
    if (effect.kind === 'email' && effect.card.recipientEmailAddress === null)
      fail(`effects.waiting has an email about the card ${effect.card.code}, which has no recipient address.`);
}

function fail(why: string): never {
  throw new SnapshotError(`The snapshot cannot be used: ${why}`);
}
