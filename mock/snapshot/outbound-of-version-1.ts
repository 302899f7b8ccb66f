type Value = Readonly<Record<string, unknown>>;

/** The deliveries, effects and faults of an account snapshot of version 0.1 in the present form; the value was not checked yet. */
export function outboundFromVersion1({ drills, ...snapshot }: Value): Value {
  if (drills === undefined) return snapshot;
  const { kept, dropped, waiting, heldBack, overtaking } = object(snapshot.deliveries);
  const { suppressed, suppressedDropped, waiting: effects, missed } = object(snapshot.effects);
  const queued = list(effects).map(object);
  // Version 0.1 referred to a delivery by its position in `kept`, or gave it as a whole if it was no longer kept. A delivery that a drill kept back
  // is sent now. A trial of a webhook no longer exists.
  const references = [
    ...list(waiting),
    ...[...list(heldBack), ...list(overtaking)].map((each) => object(each).delivery),
    ...queued.flatMap(({ kind, delivery: waits }) => (kind === 'dispatch' ? [waits] : [])),
    ...list(missed),
  ];
  const others = references.filter((each) => typeof each !== 'number');
  const inQueue = queued.filter(({ kind }) => kind === 'push' || kind === 'email');
  return {
    ...snapshot,
    deliveries: { kept: [...others, ...list(kept)].map(delivery), dropped },
    effects: { suppressed, suppressedDropped, waiting: inQueue },
    faults: snapshot.faults === null && drills === null ? null : faultsOf(object(snapshot.faults), object(drills)),
  };
}

function delivery(value: unknown): unknown {
  const attempts = list(object(value).attempts).map((each) => {
    const { drill, kind, ...attempt } = object(each);
    return { ...attempt, kind: kind === 'drill' ? 'fault' : kind, fault: drill };
  });
  return { ...object(value), attempts };
}

const kinds: Value = { 'unusual-bytes': 're-serialized', 'signed-after-parsing': 're-serialized' };

/** A drill becomes a fault of deliveries for as many deliveries as it had left; one that reorders is dropped. */
function faultsOf(faults: Value, drills: Value): Value {
  const onRequests = list(faults.standing).map((each) => {
    const { trials, rule, ...rest } = object(each);
    return { ...rest, on: 'request', rule: { on: 'request', ...object(rule) }, strikes: list(trials).map(strike) };
  });
  const onDeliveries = list(drills.standing).flatMap((each) => {
    const { rule, left } = object(each);
    const { drill, topic, webhookId, milliseconds } = object(rule);
    if (drill === 'reorder' || left === 0) return [];
    const fault = kinds[String(drill)] ?? drill;
    return { on: 'delivery', fault, topic, webhookId, milliseconds, first: left, nth: null, probability: null };
  });
  const made = Number(faults.made ?? 0);
  const converted = onDeliveries.map((rule, n) => ({
    on: 'delivery',
    id: `fault-${made + n + 1}`,
    rule,
    calls: 0,
    hits: 0,
    strikes: [],
  }));
  return {
    made: made + converted.length,
    rules: [...onRequests, ...converted],
    chance: faults.chance ?? [1, 2, 3, 4],
  };
}

function strike(trial: unknown): Value {
  const { operation, unique, content, at, done, again, looked, left, other } = object(trial);
  return {
    ...{ operation, unique, content, at, real: at, changed: done, repeatedAfter: again },
    other: other === false || other === undefined ? null : { unique: other },
    listed: looked,
    abandoned: left,
  };
}

function object(value: unknown): Value {
  return typeof value === 'object' && value !== null ? (value as Value) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
