import type { Account } from '../account/account.ts';
import { toAmount, toMinor } from '../domain/money.ts';
import { commit } from '../pipeline/commit.ts';
import type { Change } from '../state/change.ts';
import { type AutomationRecord, automationKey } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { partOf } from '../world/read.ts';
import { present } from './act.ts';
import { ControlError } from './control-error.ts';
import type { components } from './generated/types.ts';

type Schemas = components['schemas'];

export function automationsOf({ state, settings }: Account) {
  return Array.from(state.automations(), (automation) => viewOf(automation, settings.currency));
}

function viewOf({ amount, ...automation }: AutomationRecord, currency: string) {
  return { ...automation, amount: toAmount(amount, currency) };
}

/** The automation with this id or, exactly, this name. */
export function automationOf({ id: account, state }: Account, automation: string): AutomationRecord {
  const all = [...state.automations()];
  const found = all.find(({ id, name }) => id === automation || name === automation);
  if (found) return found;
  const others = all.length === 0 ? 'It has none.' : `It has ${all.map(({ name }) => `"${name}"`).join(', ')}.`;
  throw new ControlError(404, `The account ${account} has no automation with the id or name ${automation}. ${others}`);
}

/** Sets up an automation from its description; it runs from the next event on. */
export function add(account: Account, given: object) {
  const { settings, state, chance, clock } = account;
  const at = clock.now();
  const { usedIdempotencyKeys, amount, ...rest } = partOf('automations', given, { currency: settings.currency });
  const id = rest.id?.toLowerCase() ?? chance.guid();
  for (const other of state.automations()) {
    if (other.name === rest.name) throw taken('name', rest.name);
    if (other.id === id) throw taken('id', id);
  }
  const automation: AutomationRecord = { ...rest, id, amount: toMinor(amount, settings.currency) as Minor };
  const keys = usedIdempotencyKeys.map((key): Change => ({ table: 'automationKeys', put: { id: automationKey(id, key), at } }));
  return put(account, automation, keys, 'addAutomation');
}

/** Changes an automation; cards that it has issued stay as they are. */
export function change(account: Account, automation: AutomationRecord, wanted: Schemas['AutomationChange']) {
  const { currency } = account.settings;
  const { id, amount, ...rest } = partOf('automations', { ...viewOf(automation, currency), ...wanted }, { currency });
  if (Array.from(account.state.automations()).some((other) => other.id !== automation.id && other.name === rest.name))
    throw taken('name', rest.name);
  const { usedIdempotencyKeys: _, ...changed } = rest;
  return put(account, { ...changed, id: automation.id, amount: toMinor(amount, currency) as Minor }, [], 'changeAutomation');
}

function put(
  account: Account,
  automation: AutomationRecord,
  keys: readonly Change[],
  what: 'addAutomation' | 'changeAutomation',
) {
  const now = present(account);
  const changes: Change[] = [{ table: 'automations', put: automation }, ...keys];
  commit(account, { changes, effects: [] }, account.cause('control', what, now));
  return viewOf(automation, account.settings.currency);
}

function taken(name: string, value: string): ControlError {
  return new ControlError(409, `There is an automation with the ${name} ${value} already; choose another.`);
}
