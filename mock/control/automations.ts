import { toAmount, toMinor } from '../domain/money.ts';
import type { Change } from '../state/change.ts';
import { type AutomationRecord, automationKey } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { partOf } from '../world/read.ts';
import * as acting from './act.ts';
import type { AutomationChange } from './generated/types.ts';
import { ControlError, type ControlledAccount } from './resources.ts';

export function automationsOf({ state, settings }: Pick<ControlledAccount, 'state' | 'settings'>) {
  return Array.from(state.automations(), (automation) => viewOf(automation, settings.currency));
}

function viewOf({ amount, ...automation }: AutomationRecord, currency: string) {
  return { ...automation, amount: toAmount(amount, currency) };
}

export function add(account: ControlledAccount, given: object) {
  const { settings, chance, clock } = account;
  const { usedIdempotencyKeys, amount, ...described } = partOf('automations', given, { currency: settings.currency });
  const id = described.id?.toLowerCase() ?? chance.guid();
  mustBeUnique(account, id, described.name);
  const automation: AutomationRecord = { ...described, id, amount: toMinor(amount, settings.currency) as Minor };
  const at = clock.now();
  acting.change(account, 'addAutomation', [
    { table: 'automations', put: automation },
    ...usedIdempotencyKeys.map((key): Change => ({ table: 'automationKeys', put: { id: automationKey(id, key), at } })),
  ]);
  return viewOf(automation, settings.currency);
}

/** Changes an automation. Cards that it has issued stay unchanged. */
export function change(account: ControlledAccount, { id, ...present }: AutomationRecord, wanted: AutomationChange) {
  const { currency } = account.settings;
  const whole = { ...present, amount: toAmount(present.amount, currency), ...wanted };
  const { usedIdempotencyKeys: _, id: __, amount, ...described } = partOf('automations', whole, { currency });
  mustBeUnique(account, undefined, described.name, id);
  const automation: AutomationRecord = { ...described, id, amount: toMinor(amount, currency) as Minor };
  acting.change(account, 'changeAutomation', [{ table: 'automations', put: automation }]);
  return viewOf(automation, currency);
}

function mustBeUnique({ state }: Pick<ControlledAccount, 'state'>, id: string | undefined, name: string, except?: string): void {
  for (const other of state.automations()) {
    if (other.id === except) continue;
    const taken = other.name === name ? `name ${name}` : other.id === id ? `id ${id}` : undefined;
    if (taken !== undefined) throw new ControlError(409, `There is already an automation with the ${taken}; choose another.`);
  }
}
