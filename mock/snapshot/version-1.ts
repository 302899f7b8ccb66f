import { overridesOfVersion01 } from '../../openapi/effective/names.ts';
import { checkVariant } from '../../openapi/variant/variant.ts';
import { adviceRules } from '../journal/advice-rules.ts';
import { VERSION } from './capture.ts';

// biome-ignore lint/suspicious/noExplicitAny: version 0.1 has no types here. The validator of snapshots checks the converted value.
type Version01 = any;

/**
 * Converts a snapshot of version 0.1 to the current format. The validator of snapshots removes old properties and fills in new properties. Throws TypeError
 * for a value that version 0.1 did not write.
 */
export function fromVersion1(snapshot: Version01): Version01 {
  const { facts, wire, journal, accounts, records, rates, agenda, outbox, deliveries, effects, faults } = snapshot;
  const overrides = [
    ...Object.entries<string>(facts).flatMap(([clause, option]) => overridesOfVersion01(clause, option) ?? []),
    ...wire,
  ];
  const converted = {
    ...snapshot,
    version: VERSION,
    behaviors: Object.fromEntries(
      Object.entries(facts).filter(([clause, option]) => isKnown({ behaviors: { [clause]: option } })),
    ),
    overrides: overrides.filter((override) => isKnown({ overrides: [override] })),
    journal: { ...journal, advice: journal.advice.filter(({ name }: Version01) => Object.hasOwn(adviceRules, name)) },
  };
  if (accounts) return { ...converted, accounts: accounts.map(fromVersion1) };
  return {
    ...converted,
    decimals: decimalsOfVersion01(snapshot.settings.currency),
    records: Object.fromEntries(Object.entries(records).map(([name, table]) => [name, rowsOf(table)])),
    rate: rates[''],
    agenda: withWantedTimes(agenda),
    outbox: { kept: outbox.emails, dropped: outbox.dropped },
    deliveries: { ...deliveries, kept: deliveries.kept.map(withoutDrills) },
    effects: {
      pushes: { kept: journal.pushes, dropped: journal.pushesDropped },
      suppressed: { kept: effects.suppressed, dropped: effects.suppressedDropped },
      waiting: effects.waiting.flatMap(waitingEffect),
    },
    faults: faults && { ...faults, rules: faults.standing.map(onRequests) },
  };
}

/** Version 0.1 computed with the decimals of the runtime. The snapshot does not say which, so this runtime is the best guess. */
function decimalsOfVersion01(currency: string): number | undefined {
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
}

/** Reports whether the contract still has the behavior or the override. */
function isKnown(variant: object): boolean {
  try {
    checkVariant(variant);
    return true;
  } catch {
    return false;
  }
}

/** Version 0.1 wrote most records as a table: `{ columns: [name, …], rows: [[value, …], …] }`. */
function rowsOf(table: Version01): Version01 {
  if (Array.isArray(table)) return table;
  return table.rows.map((row: Version01) => Object.fromEntries(table.columns.map((name: string, n: number) => [name, row[n]])));
}

/** Version 0.1 wrote the time of a delayed reminder into a second list: `[cardId, planned, wanted]`. */
function withWantedTimes({ planned, reminders }: Version01): Version01 {
  const wanted = new Map<string, number>(reminders.map(([cardId, , at]: Version01) => [cardId, at]));
  const timeOf = ({ kind, cardId, at }: Version01) => (kind === 'reminder' ? (wanted.get(cardId) ?? at) : at);
  return { planned: planned.map((due: Version01) => ({ ...due, at: timeOf(due) })) };
}

/** Version 0.1 wrote a waiting delivery twice: into this list and into the list of deliveries. Drops the copy in this list. */
function waitingEffect({ kind, card, effect, cause }: Version01): Version01[] {
  if (kind === 'email') return [{ effect, cause }];
  return kind === 'push' ? [{ effect: { kind, card }, cause }] : [];
}

function withoutDrills({ attempts, ...delivery }: Version01): Version01 {
  const kindOf = ({ kind }: Version01) => (kind === 'drill' ? 'fault' : kind);
  return { ...delivery, attempts: attempts.map((attempt: Version01) => ({ ...attempt, kind: kindOf(attempt) })) };
}

/** Converts a fault of version 0.1. All such faults strike requests. Drops the verdicts. */
function onRequests(fault: Version01): Version01 {
  return { ...fault, rule: { ...fault.rule, on: 'request' }, strikes: [] };
}
