import { overridesOfVersion01 } from '../../openapi/effective/names.ts';
import { checkVariant } from '../../openapi/variant/variant.ts';
import { adviceRules } from '../journal/advice-rules.ts';
import { Journal } from '../journal/journal.ts';
import { VERSION } from './capture.ts';

type Value = Readonly<Record<string, unknown>>;

/** Converts a snapshot of version 0.1, of an account or of all, to the present form. The value was not checked yet. */
export function fromVersion1({ facts, wire, records, rates, accounts, journal, drills, ...rest }: Value): Value {
  const isAccount = records !== undefined;
  return {
    ...rest,
    ...(isAccount ? { ...outboundOf({ ...rest, journal }), records: withObjects(records), rate: list(object(rates)['']) } : {}),
    journal: journalOf(object(journal)),
    version: VERSION,
    behaviors: knownBehaviors(facts),
    overrides: [...namesOf(facts), ...list(wire)].filter((override) => isKnown({ overrides: [override] })),
    ...(accounts === undefined ? {} : { accounts: list(accounts).map((account) => fromVersion1(object(account))) }),
  };
}

/** Deliveries, effects and faults. A delivery that was held back is queued. Verdicts of faults and the faults of deliveries are dropped. */
function outboundOf({ deliveries, effects, faults, journal }: Value): Value {
  const { pushes, pushesDropped } = object(journal);
  const { kept, dropped, waiting, heldBack, overtaking } = object(deliveries);
  const { suppressed, suppressedDropped, waiting: inQueue, missed } = object(effects);
  const queued = list(inQueue).map(object);
  // Version 0.1 refers to a delivery by its position in `kept`, or includes the whole delivery if it is no longer kept.
  const references = [
    ...list(waiting),
    ...[...list(heldBack), ...list(overtaking)].map((each) => object(each).delivery),
    ...queued.filter(({ kind }) => kind === 'dispatch').map((each) => each.delivery),
    ...list(missed),
  ];
  const others = references.filter((each) => typeof each !== 'number');
  return {
    deliveries: { kept: [...others, ...list(kept)].map(withoutDrills), dropped },
    effects: {
      pushes,
      pushesDropped,
      suppressed,
      suppressedDropped,
      waiting: queued.filter(({ kind }) => kind === 'push' || kind === 'email'),
    },
    faults: faults && { ...object(faults), rules: list(object(faults).standing).map(withoutTrials) },
  };
}

function withoutDrills(delivery: unknown): Value {
  const attempts = list(object(delivery).attempts).map((each) => {
    const { drill, kind, ...attempt } = object(each);
    return { ...attempt, kind: kind === 'drill' ? 'fault' : kind, fault: drill };
  });
  return { ...object(delivery), attempts };
}

function withoutTrials(fault: unknown): Value {
  const { trials, rule, ...rest } = object(fault);
  return { ...rest, rule: { on: 'request', ...object(rule) }, strikes: [] };
}

/** Advice that no longer exists is dropped. */
function journalOf({ advice, ...rest }: Value): Value {
  const isKnown = (each: unknown) => Object.hasOwn(adviceRules, String(object(each).name));
  return { ...rest, memory: [], advice: list(advice).filter(isKnown) };
}

/** Behaviors and overrides that the contract no longer has are dropped. */
function knownBehaviors(facts: unknown): Value {
  return Object.fromEntries(
    Object.entries(object(facts)).filter(([clause, option]) => isKnown({ behaviors: { [clause]: option } })),
  );
}

/** Version 0.1 had a clause for each name, which is an override now. */
function namesOf(facts: unknown): readonly unknown[] {
  return Object.entries(object(facts)).flatMap(([clause, option]) => overridesOfVersion01(clause, String(option)) ?? []);
}

function isKnown(variant: Value): boolean {
  try {
    checkVariant(variant);
    return true;
  } catch {
    return false;
  }
}

/** Version 1 wrote records as tables: `{ columns: [name, …], rows: [[value, …], …] }`. */
function withObjects(records: unknown): Value {
  return Object.fromEntries(
    Object.entries(object(records)).map(([name, table]) => {
      if (Array.isArray(table)) return [name, table];
      const { columns, rows } = object(table);
      return [name, list(rows).map((row) => Object.fromEntries(list(columns).map((column, n) => [column, list(row)[n]])))];
    }),
  );
}

/** Parts that a test can do without. Where their content does not fit the present form, they become empty. */
const DISPENSABLE: Readonly<Record<string, () => unknown>> = {
  journal: () => new Journal().state(),
  outbox: () => ({ emails: [], dropped: 0 }),
  faults: () => null,
};

/** Empties the dispensable part that a JSON pointer leads into. False if it leads elsewhere. */
export function emptied(snapshot: unknown, pointer: string): boolean {
  const [, account, part = ''] = /^(?:\/accounts\/(\d+))?\/(\w+)/.exec(pointer) ?? [];
  const empty = DISPENSABLE[part];
  if (!empty) return false;
  const holder = account === undefined ? snapshot : list(object(snapshot).accounts)[Number(account)];
  (holder as Record<string, unknown>)[part] = empty();
  return true;
}

function object(value: unknown): Value {
  return typeof value === 'object' && value !== null ? (value as Value) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
