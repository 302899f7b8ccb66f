import type { Row } from '../../openapi/effective/rows.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import type { Observation, RunResult } from '../core/result.ts';
import type { Names } from '../http/redactor.ts';
import { agreeing, type Claim, unusable } from './agreeing.ts';
import type { FactsFile, Sighting } from './file.ts';
import { namesOf, seenAt } from './known.ts';

/** What is known once a run has looked, and sentences about what cannot stand beside the rest. */
interface Learned {
  readonly file: FactsFile;
  readonly leftOut: readonly string[];
}

/**
 * What a run saw, put together with what was known: what was seen now goes before what was seen earlier, which stays with its date, and what
 * somebody chose by hand goes before either. All of it together is what a mock takes.
 */
export function learned(result: RunResult, before: FactsFile = {}, _names?: Names): Learned {
  const fresh = new Map(
    result.clauses.flatMap(({ name, observation, exchanges }) =>
      observation ? [[name, { observation, exchanges }] as const] : [],
    ),
  );
  const pinned = before.pinned ?? {};
  const earlier = namesOf(before).filter((name) => !fresh.has(name) && pinned[name] === undefined);
  const { kept, leftOut } = agreeing([
    ...handRows(before).map((row): Claim => ({ name: undefined, from: `the row ${JSON.stringify(row)}`, rows: [row] })),
    ...claims(Object.keys(pinned) as ClauseName[], 'pinned', (name) => ({ reading: before.facts?.[name] })),
    ...claims(
      [...fresh.keys()].filter((name) => pinned[name] === undefined),
      'seen',
      (name) => factOf(fresh.get(name)?.observation),
    ),
    ...claims(earlier, 'known', (name) => ({ reading: before.facts?.[name], rows: before.seen?.[name]?.wire })),
  ]);
  const holds = new Map(kept.flatMap(({ name, reading }) => (name && reading !== undefined ? [[name, reading] as const] : [])));
  const words = new Map(
    [...clauseTexts.keys()].flatMap((name) => {
      const told = fresh.has(name) ? wordsOfFact(fresh.get(name)?.observation) : before.unforeseen?.[name];
      return told === undefined || pinned[name] !== undefined ? [] : [[name, told] as const];
    }),
  );
  const seen = new Map(
    [...clauseTexts.keys()].flatMap((name): [ClauseName, Sighting][] => {
      const now = fresh.get(name);
      const was = before.seen?.[name];
      if (!now) {
        const at = seenAt(before, name);
        const isKnown = holds.has(name) || words.has(name);
        return at === undefined || !(was || isKnown) ? [] : [[name, was ?? { at }]];
      }
      const { observation } = now;
      const told = observation.option ?? observation.text;
      const stands = (holds.get(name) ?? words.get(name)) === told;
      const rows = factOf(observation).rows?.filter((row) => unusable([row]).length === 0);
      return [[name, { at: result.startedAt, ...(stands ? {} : { as: told }), ...(rows?.length ? { wire: rows } : {}) }]];
    }),
  );
  const wire = [...new Map(kept.flatMap(({ rows }) => rows).map((row) => [JSON.stringify(row), row])).values()];
  const file: FactsFile = {
    about: { target: result.target, at: result.startedAt, by: result.suite },
    facts: inOrder(holds),
    ...(words.size > 0 ? { unforeseen: inOrder(words) } : {}),
    ...(wire.length > 0 ? { wire } : {}),
    ...(Object.keys(pinned).length > 0 ? { pinned } : {}),
    ...(seen.size > 0 ? { seen: Object.fromEntries(seen) } : {}),
  };
  return { file, leftOut: leftOut.map(({ why }) => why) };
}

/** Rows that somebody wrote, which no sighting explains. */
export function handRows({ wire = [], seen = {} }: FactsFile): Row[] {
  const explained = new Set(Object.values(seen).flatMap((each) => (each.wire ?? []).map((row) => JSON.stringify(row))));
  return wire.filter((row) => !explained.has(JSON.stringify(row)));
}

interface Known {
  readonly reading?: string | undefined;
  readonly rows?: readonly Row[] | undefined;
}

/** A reading and the rows beside it are claims of their own, since one can stand where the other cannot. */
function claims(names: readonly ClauseName[], how: string, of: (name: ClauseName) => Known): Claim[] {
  return names.flatMap((name): Claim[] => {
    const { reading, rows = [] } = of(name);
    const from = `what is ${how} of ${name}`;
    return [
      ...(reading === undefined ? [] : [{ name, from: `${from} (${reading})`, reading, rows: [] }]),
      ...(rows.length > 0 ? [{ name, from, rows }] : []),
    ];
  });
}

const factOf = (observation: Observation | undefined): Known => ({
  reading: observation?.option ?? undefined,
  rows: observation?.overrides as Row[] | undefined,
});

const wordsOfFact = (observation: Observation | undefined): string | undefined =>
  observation?.option === null ? observation.text : undefined;

function inOrder<T>(by: ReadonlyMap<ClauseName, T>): Partial<Record<ClauseName, T>> {
  return Object.fromEntries([...clauseTexts.keys()].flatMap((name) => (by.has(name) ? [[name, by.get(name)]] : [])));
}
