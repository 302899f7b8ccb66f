import type { Path } from '../../openapi/input/text.ts';
import { schemaProblems } from '../../openapi/schema-errors.ts';
import type { AccountSnapshot, SandboxSnapshot } from './capture.ts';
import { VERSION } from './capture.ts';
import { type Validate, validateAccount, validateSandbox } from './generated/validate-snapshot.js';
import { emptied, fromVersion1 } from './version-1.ts';

/** A value is not a snapshot, or cannot be restored here. The message is one sentence; nothing was changed. */
export class SnapshotError extends Error {}

/** The snapshot of one account, checked. Throws SnapshotError. */
export function readAccountSnapshot(value: unknown): AccountSnapshot {
  const snapshot = read<AccountSnapshot>(value, 'giftcard-sandbox account', validateAccount);
  mustBeConsistent(snapshot);
  return snapshot;
}

/** The snapshot of all accounts, checked. Throws SnapshotError. */
export function readSandboxSnapshot(value: unknown): SandboxSnapshot {
  const snapshot = read<SandboxSnapshot>(value, 'giftcard-sandbox', validateSandbox);
  for (const account of snapshot.accounts) mustBeConsistent(account);
  mustBeUnique(
    'id',
    snapshot.accounts.map(({ id }) => id),
  );
  mustBeUnique(
    'key',
    snapshot.accounts.flatMap(({ keys }) => keys.map(({ key }) => key)),
  );
  return snapshot;
}

function read<T>(value: unknown, kind: string, validate: Validate): T {
  const given = (value ?? {}) as { readonly kind?: unknown; readonly version?: unknown };
  if (given.kind !== kind) fail(`it is not a snapshot of ${validate === validateAccount ? 'an account' : 'all accounts'}.`);
  if (given.version !== 1 && given.version !== VERSION)
    fail(`version must be 1 or ${VERSION}, got ${JSON.stringify(given.version)}. Take the snapshot again with this version.`);
  const snapshot = given.version === 1 ? structuredClone(fromVersion1(given as object as never)) : structuredClone(value);
  while (!validate(snapshot)) {
    const errors = validate.errors ?? [];
    if (given.version === 1 && emptied(snapshot, errors[0]?.instancePath ?? '')) continue;
    const [problem] = schemaProblems(errors, snapshot);
    fail(problem ? `${placeOf(problem.path.slice(0, -1))}${problem.sentence}` : 'it does not match its schema.');
  }
  return snapshot as T;
}

function placeOf(path: Path): string {
  const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
  return place === '' ? '' : `in ${place.slice(1)}, `;
}

/** What the schema cannot express: references to cards, and values that depend on each other. */
function mustBeConsistent({ agenda, effects, records, settings }: AccountSnapshot): void {
  const { cards, updated, adjustments, timeline, listings } = records;
  const ids = new Set(cards.map(({ id }) => id));
  if (ids.size < cards.length) fail('two cards of records.cards have the same id.');
  if (updated.length !== cards.length || new Set(updated).size !== cards.length || updated.some((place) => !cards[place]))
    fail('records.updated must have the position of every card once.');
  const foreign = cards.find(({ currency }) => currency !== settings.currency);
  if (foreign) fail(`the card ${foreign.code} is in ${foreign.currency}, and the account in ${settings.currency}.`);
  const pushes = effects.waiting.flatMap((each) => (each.kind === 'push' ? [each.card.id] : []));
  const cardIds = {
    'records.adjustments': adjustments.map(({ cardId }) => cardId),
    'records.timeline': timeline.map(({ cardId }) => cardId),
    'records.listings': listings.map(({ cardId }) => cardId),
    'agenda.planned': agenda.planned.map(({ cardId }) => cardId),
    'agenda.reminders': agenda.reminders.map(([cardId]) => cardId),
    'effects.waiting': pushes,
  };
  for (const [place, used] of Object.entries(cardIds)) {
    const lost = used.find((id) => !ids.has(id));
    if (lost !== undefined) fail(`${place} refers to the card ${lost}, which is not in the snapshot.`);
  }
  for (const each of effects.waiting)
    if (each.kind === 'email' && each.effect.card.recipientEmailAddress === null)
      fail(`effects.waiting has an email about the card ${each.effect.card.code}, which has no recipient address.`);
}

function mustBeUnique(what: string, values: readonly string[]): void {
  if (new Set(values).size < values.length) fail(`two accounts have the same ${what}.`);
}

function fail(why: string): never {
  throw new SnapshotError(`The snapshot cannot be used: ${why}`);
}
