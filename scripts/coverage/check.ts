import type { Clause, Clauses } from '../generate/clauses.ts';

/** Everything that is held together; all of it plain values, so that every kind of hole can be shown with a few lines. */
export interface Evidence {
  items: string[];
  /** The items of the specification itself, when it is at hand. */
  specification?: string[];
  clauses: Clauses;
  exclusions: Exclusions;
  operationIds: string[];
  /** Refusals have names of the same shape as clauses. */
  refusalCodes: string[];
  /** Clause names that stand in the mock's source, in the suite's strings, and in the strings of other tests. */
  cited: { mock: Set<string>; suite: Set<string>; tests: Set<string> };
}

export interface Exclusions {
  /** Items that no clause speaks of, each with the reason. */
  items: Record<string, string>;
  /** Statements of items that have clauses, left out of those. */
  statements: { item: string; statement: string; reason: string }[];
  /** Clauses without a test, each with the reason. */
  untested: Record<string, string>;
}

/** What is missing or left over, by kind: the heading says what to do. */
export type Holes = Record<string, string[]>;

export function holesIn(evidence: Evidence): Holes {
  const holes: Holes = { ...itemHoles(evidence), ...exclusionHoles(evidence), ...clauseHoles(evidence) };
  return Object.fromEntries(Object.entries(holes).filter(([, names]) => names.length > 0));
}

function itemHoles({ items, specification, clauses, exclusions }: Evidence): Holes {
  const known = new Set(items);
  const spoken = new Set(Object.values(clauses).flatMap(itemsOfClause));
  return {
    'items listed twice in items.yaml': items.filter((item, index) => items.indexOf(item) !== index),
    'items of the specification that items.yaml lacks': (specification ?? []).filter((item) => !known.has(item)),
    'items of items.yaml that the specification does not have': specification
      ? items.filter((item) => !specification.includes(item))
      : [],
    'items without a clause or an exclusion': items.filter((item) => !spoken.has(item) && !(item in exclusions.items)),
    'items that a clause speaks of although they are excluded': Object.keys(exclusions.items).filter((item) => spoken.has(item)),
    'items in a `from` that items.yaml does not have': [...spoken].filter((item) => !known.has(item)),
  };
}

function exclusionHoles({ items, clauses, exclusions, cited }: Evidence): Holes {
  const known = new Set(items);
  const reasons: [string, string][] = [
    ...Object.entries(exclusions.items),
    ...exclusions.statements.map(({ item, statement, reason }): [string, string] => [`${item}: ${statement}`, reason]),
    ...Object.entries(exclusions.untested),
  ];
  const named = [...Object.keys(exclusions.items), ...exclusions.statements.map(({ item }) => item)];
  const untested = Object.keys(exclusions.untested);
  return {
    'exclusions without a reason': reasons.filter(([, reason]) => !reason?.trim()).map(([name]) => name),
    'exclusions of items that do not exist': named.filter((item) => !known.has(item)),
    'exclusions of clauses that do not exist': untested.filter((name) => !(name in clauses)),
    'clauses excluded from testing that have a test': untested.filter((name) => cited.suite.has(name) || cited.tests.has(name)),
  };
}

function clauseHoles(evidence: Evidence): Holes {
  const { clauses, exclusions, operationIds, cited } = evidence;
  const entries = Object.entries(clauses);
  const names = (wanted: (name: string, clause: Clause) => boolean): string[] =>
    entries.filter(([name, clause]) => wanted(name, clause)).map(([name]) => name);
  const binding = (clause: Clause): boolean => clause.level !== 'open';
  return {
    'operations in a clause that the contract does not have': entries.flatMap(([name, { operations }]) =>
      operations.filter((id) => !operationIds.includes(id)).map((id) => `${name}: ${id}`),
    ),
    'names in code or tests that look like a clause and are none': strangersIn(evidence),
    'clauses that nothing enforces: cite the name in mock/, or say `enforced: schema`': names(
      (name, clause) => binding(clause) && enforcement(name, clause, cited.mock) === 'nothing',
    ),
    'open clauses whose default nothing takes: cite the name in mock/, or say `enforced: schema`': names(
      (name, clause) => !binding(clause) && enforcement(name, clause, cited.mock) === 'nothing',
    ),
    'clauses without a test: name them in conformance/ or a test, or give the reason': names(
      (name, clause) => binding(clause) && !isTested(name, cited) && clause.seen !== 'none' && !(name in exclusions.untested),
    ),
  };
}

function itemsOfClause(clause: Clause): string[] {
  return Array.isArray(clause.from) ? clause.from : [clause.from];
}

export function isTested(name: string, cited: Evidence['cited']): boolean {
  return cited.suite.has(name) || cited.tests.has(name);
}

/**
 * What makes the mock behave as a clause says. A clause whose other behaviors only change the wire needs no code: its default is the
 * contract as it is written.
 */
export function enforcement(name: string, clause: Clause, mock: Set<string>): 'mock' | 'schema' | 'wire' | 'nothing' {
  if (mock.has(name)) return 'mock';
  if (clause.enforced === 'schema') return 'schema';
  const others = Object.entries(clause.behaviors ?? {}).filter(([key]) => key !== clause.default);
  return others.length > 0 && others.every(([, reading]) => reading?.wire !== undefined) ? 'wire' : 'nothing';
}

/**
 * Cited names of no clause: misspelt, or retired. To look like a clause a name needs a hyphen, which no property access has, and a
 * first word that clauses begin with.
 */
function strangersIn({ clauses, refusalCodes, cited }: Evidence): string[] {
  const families = new Set(Object.keys(clauses).map((name) => name.split('.')[0]));
  const all = new Set([...cited.mock, ...cited.suite, ...cited.tests]);
  const looksLikeOne = (name: string): boolean =>
    name.includes('-') && families.has(name.split('.')[0]) && !/\.(ts|js|json|yaml)$/.test(name);
  return [...all].filter((name) => looksLikeOne(name) && !(name in clauses) && !refusalCodes.includes(name));
}
