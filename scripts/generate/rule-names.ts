import type { Override } from '../../openapi/effective/overrides.ts';
import { generatedFrom } from './compile.ts';

export interface Rule {
  level: 'stated' | 'ambiguous' | 'open';
  from: string | string[];
  text?: string;
  question?: string;
  default?: string;
  behaviors?: Record<string, { says?: string; wire?: Override[] } | null>;
  operations: string[];
  value?: number;
  seen: string;
  reason?: string;
  robustness?: true;
  enforced?: 'schema';
}

export type Rules = Record<string, Rule>;

/** Returns the text of generated/rules.ts: names, behaviors, defaults and numbers of the rules, as types and constants. */
export function ruleNames(rules: Rules, fixedQuestions: readonly string[]): string {
  const entries = Object.entries(rules);
  const namesOf = (level: string) => entries.flatMap(([name, rule]) => (rule.level === level ? [name] : []));
  const withOptions = entries.filter(([, rule]) => rule.behaviors);
  const options = withOptions.map(([name, { behaviors = {} }]) => `  ${text(name)}: ${union(Object.keys(behaviors))};\n`);
  const defaults = withOptions.map(([name, rule]) => [name, rule.default]);
  const values = entries.flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]]));
  return `${generatedFrom('openapi/rules')}
/** The names of all rules and questions by level, in the order of the files. */
export const ruleNames = ${text({ stated: namesOf('stated'), ambiguous: namesOf('ambiguous'), open: namesOf('open') })} as const;

export type StatedRule = (typeof ruleNames.stated)[number];
export type AmbiguousRule = (typeof ruleNames.ambiguous)[number];
export type OpenQuestion = (typeof ruleNames.open)[number];
export type RuleName = StatedRule | AmbiguousRule | OpenQuestion;

/** Questions for which the mock has one fixed behavior (openapi/fixed-behaviors.yaml). */
export type FixedQuestion = ${union(fixedQuestions)};

/** The rules and questions that the mock can give as the reason for a decision. */
export type ReasonName = RuleName | FixedQuestion;

/** The possible options of each question. A value of this type has the chosen option of each question. */
export interface Behaviors {
${options.join('')}}

/** The default options. */
export const defaultBehaviors: Behaviors = ${text(Object.fromEntries(defaults))};

/** The numbers of rules, for the mock and the suite. */
export const ruleValues = ${text(Object.fromEntries(values))} as const;
`;
}

/** Returns the text of generated/names.ts, from openapi/names.yaml. */
export function nameQuestions(table: Readonly<Record<string, readonly object[]>>): string {
  const all = Object.entries(table).flatMap(([question, rows]) => rows.map((each) => ({ question, ...each })));
  return `${generatedFrom('openapi/names.yaml')}import type { RuleName } from './rules.ts';

/** A name of the contract, and the names that a deployment may use instead. */
export interface NameQuestion {
  readonly question: RuleName;
  /** Schema.property, operationId.parameter, or an operationId whose response may be inside an object. */
  readonly targets: readonly string[];
  readonly alternatives: readonly string[];
}

export const names: readonly NameQuestion[] = ${text(all)};
`;
}

const text = (value: unknown): string => JSON.stringify(value, null, 2);
const union = (names: readonly string[]): string => names.map(text).join(' | ');
