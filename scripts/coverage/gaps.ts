import type { Rules } from '../generate/rule-names.ts';

/** The data to compare. It is plain data, so that a test can create every gap. */
export interface Evidence {
  readonly items: readonly string[];
  /** The items in the specification's own file, if this file exists. */
  readonly specification?: readonly string[];
  readonly rules: Pick<Rules, string>;
  readonly exclusions: Exclusions;
  /** Rules that a test of the suite checks. */
  readonly checked: ReadonlySet<string>;
  /** Rules that a fault of the reference server violates. */
  readonly broken: ReadonlySet<string>;
  /** Rules that a test of the mock names in a string. */
  readonly testedInMock: ReadonlySet<string>;
}

export interface Exclusions {
  /** Items without a rule, each with the reason. */
  readonly items: Readonly<Record<string, string>>;
  /** Statements without a rule, from items that have rules. */
  readonly statements: readonly { readonly item: string; readonly statement: string; readonly reason: string }[];
}

/** Returns the items and rules that are missing or unknown, by the kind of gap. */
export function gapsIn(evidence: Evidence): Record<string, string[]> {
  const gaps = { ...itemGaps(evidence), ...ruleGaps(evidence) };
  return Object.fromEntries(Object.entries(gaps).filter(([, names]) => names.length > 0));
}

function itemGaps({ items, specification, rules, exclusions }: Evidence): Record<string, string[]> {
  const known = new Set(items);
  const covered = new Set(Object.values(rules).flatMap(({ from }) => from));
  const excluded = Object.keys(exclusions.items);
  const named = [...covered, ...excluded, ...exclusions.statements.map(({ item }) => item)];
  return {
    'items listed twice in items.yaml': items.filter((item, index) => items.indexOf(item) !== index),
    'items of the specification that items.yaml lacks': (specification ?? []).filter((item) => !known.has(item)),
    'items of items.yaml that the specification does not have': specification
      ? items.filter((item) => !specification.includes(item))
      : [],
    'items without a rule or an exclusion': items.filter((item) => !covered.has(item) && !excluded.includes(item)),
    'items with both a rule and an exclusion': excluded.filter((item) => covered.has(item)),
    'unknown items in rules or exclusions': named.filter((item) => !known.has(item)),
    'exclusions without a reason': [
      ...excluded.filter((item) => !exclusions.items[item]?.trim()),
      ...exclusions.statements.flatMap(({ item, statement, reason }) => (reason.trim() ? [] : [`${item}: ${statement}`])),
    ],
  };
}

function ruleGaps({ rules, checked, broken, testedInMock }: Evidence): Record<string, string[]> {
  const stated = Object.entries(rules).filter(([, { level }]) => level === 'stated');
  return {
    'stated rules that the suite tests and no fault violates (conformance/testing/reference-server/faults)': stated.flatMap(
      ([name]) => (checked.has(name) && !broken.has(name) ? [name] : []),
    ),
    'stated rules without a test, in the suite or (seen: control) in the mock': stated.flatMap(([name, { seen }]) => {
      const isTested = checked.has(name) || (seen === 'control' && testedInMock.has(name));
      return isTested || seen === 'none' ? [] : [name];
    }),
  };
}
