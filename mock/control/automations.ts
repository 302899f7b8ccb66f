import { toAmount } from '../domain/money.ts';
import { commit } from '../pipeline/commit.ts';
import type { AutomationRecord } from '../state/records.ts';
import { automationChanges } from '../world/build.ts';
import type { FilledAutomation } from '../world/description.ts';
import { readPart } from '../world/read.ts';
import { presentTime } from './act.ts';
import type { Body } from './operation-types.ts';
import { automationOf, ControlError, type ControlledAccount, type InAccount, type OfAutomation } from './resources.ts';

export function listAutomations({ account: { state, settings } }: InAccount) {
  return Array.from(state.automations(), (automation) => automationView(automation, settings.currency));
}

function automationView({ amount, ...automation }: AutomationRecord, currency: string) {
  return { ...automation, amount: toAmount(amount, currency) };
}

export function addAutomation({ account, body }: InAccount & Body<'addAutomation'>) {
  const described = readPart('automations', body, { currency: account.settings.currency });
  return put(account, 'addAutomation', { ...described, id: described.id?.toLowerCase() ?? account.random.guid() });
}

export function changeAutomation({ account, automation, body }: OfAutomation & Body<'changeAutomation'>) {
  const { currency } = account.settings;
  const { id, ...present } = automationView(automation, currency);
  const described = readPart('automations', { ...present, ...body }, { currency });
  return put(account, 'changeAutomation', { ...described, id });
}

function put(
  account: ControlledAccount,
  what: 'addAutomation' | 'changeAutomation',
  automation: FilledAutomation & { readonly id: string },
) {
  const { id, name } = automation;
  const { currency } = account.settings;
  for (const other of account.state.automations()) {
    const isPresent = other.id === id && what === 'changeAutomation';
    if (!isPresent && (other.id === id || other.name === name))
      throw new ControlError(409, `There is already the automation ${other.name} (${other.id}); choose another name and id.`);
  }
  const changes = automationChanges(automation, currency, account.clock.now());
  commit(account, { changes, effects: [] }, account.journal.cause('control', what, presentTime(account)));
  return automationView(automationOf(account, id), currency);
}
