import { toAmount, toMinor } from '../domain/money.ts';
import type { Change } from '../state/change.ts';
import { type AutomationRecord, automationKey } from '../state/records.ts';
import type { Minor } from '../state/value-types.ts';
import { partOf } from '../world/read.ts';
import { change } from './act.ts';
import { ControlError, type ControlledAccount, type Given } from './resources.ts';

export function listAutomations({ account: { state, settings } }: Given<'listAutomations'>) {
  return Array.from(state.automations(), (automation) => automationView(automation, settings.currency));
}

function automationView({ amount, ...automation }: AutomationRecord, currency: string) {
  return { ...automation, amount: toAmount(amount, currency) };
}

export function addAutomation({ account, body }: Given<'addAutomation'>) {
  const { currency } = account.settings;
  const { usedIdempotencyKeys, amount, ...described } = partOf('automations', body, { currency });
  const id = described.id?.toLowerCase() ?? account.chance.guid();
  mustBeUnique(account, { id, name: described.name });
  const automation: AutomationRecord = { ...described, id, amount: toMinor(amount, currency) as Minor };
  const at = account.clock.now();
  change(account, 'addAutomation', [
    { table: 'automations', put: automation },
    ...usedIdempotencyKeys.map((key): Change => ({ table: 'automationKeys', put: { id: automationKey(id, key), at } })),
  ]);
  return automationView(automation, currency);
}

/** Changes an automation. Cards that it has issued stay unchanged. */
export function changeAutomation({ account, automation: present, body }: Given<'changeAutomation'>) {
  const { currency } = account.settings;
  const { id, ...described } = { ...automationView(present, currency), ...body };
  const { usedIdempotencyKeys: _, amount, ...checked } = partOf('automations', described, { currency });
  mustBeUnique(account, { name: checked.name }, present);
  const automation: AutomationRecord = { ...checked, id, amount: toMinor(amount, currency) as Minor };
  change(account, 'changeAutomation', [{ table: 'automations', put: automation }]);
  return automationView(automation, currency);
}

function mustBeUnique({ state }: ControlledAccount, { id, name }: { id?: string; name: string }, except?: AutomationRecord) {
  const other = Array.from(state.automations()).find((each) => each !== except && (each.id === id || each.name === name));
  if (other)
    throw new ControlError(409, `There is already the automation ${other.name} (${other.id}); choose another name and id.`);
}
