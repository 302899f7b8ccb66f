import { existsSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { UsageError } from '../../cli/usage-error.ts';
import { mayWrite, readText } from '../../cli/user-files.ts';
import { ruleTable, standardDocument } from '../../openapi/effective/behaviors.ts';
import { conflictsBetween } from '../../openapi/effective/conflicts.ts';
import type { Override, SourcedOverride } from '../../openapi/effective/overrides.ts';
import { overrideProblem, type Variant } from '../../openapi/effective/variant.ts';
import type { Behaviors, RuleName } from '../../openapi/generated/rules.ts';
import { levelOf, ruleTexts } from '../core/contract.ts';
import { effectKindsOfCheck } from '../core/planner.ts';
import type { RuleResult, RunResult } from '../core/result.ts';

const mark =
  '# Written by "giftcard-sandbox conformance learn", which overwrites it. Put your own changes into a second file: --variant';

/** Throws UsageError if the file cannot be written, or if `conformance learn` did not write the existing file. */
export function checkOutput(file: string): void {
  mayWrite(file, 'variant file');
  if (existsSync(file) && !readText(file, 'variant file').startsWith(mark))
    throw new UsageError(
      `The variant file ${file} was not written by conformance learn, so learn does not overwrite it. Name another file with --out. Nothing was sent.`,
    );
}

/** Returns the questions among the names. Questions whose probes only read come first, because reading costs no cards. */
export function learnedQuestions(names: readonly RuleName[]): RuleName[] {
  const open = names.filter((name) => ['ambiguous', 'open'].includes(levelOf(name)));
  const cost = (name: RuleName) => Number(effectKindsOfCheck(name).length > 0);
  return open.toSorted((one, other) => cost(one) - cost(other));
}

/** Returns a variant with the observations of the run. `conflicts` are the reasons for omitted observations. */
export function learnVariant(result: RunResult): { variant: Variant; conflicts: readonly string[] } {
  const { claims, conflicts } = consistent(result.rules);
  const options = claims.flatMap(({ question, option }) => (option === undefined ? [] : [[question, option]]));
  const overrides = claims.flatMap((claim) => claim.overrides);
  const distinct = [...new Map(overrides.map((each) => [JSON.stringify(each), each])).values()];
  return { variant: { behaviors: Object.fromEntries(options) as Partial<Behaviors>, overrides: distinct }, conflicts };
}

/** Writes the variant as YAML. Comments in the file list the observations that the variant omits. */
export function writeVariant(
  file: string,
  { behaviors, overrides }: Variant,
  result: RunResult,
  conflicts: readonly string[],
): void {
  const unlisted = result.rules.flatMap(({ name, observation }) =>
    observation?.option === null && !observation.overrides?.length && ruleTexts.get(name)?.behaviors
      ? [`${name}: ${observation.text}`]
      : [],
  );
  const comments = [
    `Observed at ${result.target}, ${result.startedAt}. An observation may be a setting of the account, not a rule of the service.`,
    ...unlisted.map((each) => `No option covers: ${each}`),
    ...conflicts.map((each) => `Left out: ${each}`),
  ];
  const head = [mark, ...comments.map((each) => `# ${each.replaceAll(/\s+/g, ' ')}`)].join('\n');
  // Quotes keep options such as 409 and true as strings.
  const asStrings = { lineWidth: 0, defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' } as const;
  writeFileSync(file, `${head}\n${stringify({ behaviors, overrides }, asStrings)}`);
}

/** Marks each observation as new, the same as in the variant, or changed. */
export function withVariant(result: RunResult, { behaviors }: Pick<Variant, 'behaviors'>): RunResult {
  const known = new Map<string, string>(Object.entries(behaviors));
  const rules = result.rules.map((rule) => {
    const { observation } = rule;
    if (!observation) return rule;
    const was = known.get(rule.name);
    if (was === undefined) return { ...rule, observation: { ...observation, since: 'new' as const } };
    if (was === observation.option) return { ...rule, observation: { ...observation, since: 'same' as const } };
    return { ...rule, observation: { ...observation, since: 'changed' as const, was } };
  });
  return { ...result, rules };
}

/** A part of an observation: an option, or overrides. One part may fit into a contract that conflicts with the other part. */
interface Claim {
  readonly question: RuleName;
  readonly option?: string;
  readonly overrides: readonly Override[];
}

/** Returns the observations that fit into one contract. If two observations conflict, keeps the first. Tries the other again at the end, because a later observation may resolve the conflict. `conflicts` are sentences about the claims that were left out. */
function consistent(rules: readonly Pick<RuleResult, 'name' | 'observation'>[]) {
  const claims = rules.flatMap(({ name, observation }): Claim[] => {
    const overrides = (observation?.overrides ?? []) as Override[];
    const option = observation?.option == null ? [] : [{ question: name, option: observation.option, overrides: [] }];
    return [...option, ...(overrides.length > 0 ? [{ question: name, overrides }] : [])];
  });
  const kept: Claim[] = [];
  let others = claims;
  for (let before = -1; before < kept.length; ) {
    before = kept.length;
    others = others.filter((claim) => {
      const fits = conflictOf([...kept, claim]) === undefined;
      if (fits) kept.push(claim);
      return !fits;
    });
  }
  return { claims: kept, conflicts: others.flatMap((claim) => conflictOf([...kept, claim]) ?? []) };
}

function conflictOf(claims: readonly Claim[]): string | undefined {
  const invalid = claims.flatMap(({ overrides }) => overrides.flatMap((each) => overrideProblem(each) ?? []));
  return [...invalid, ...conflictsBetween(claims.flatMap(rowsOf), standardDocument)][0];
}

function rowsOf({ question, option, overrides }: Claim): SourcedOverride[] {
  const ofOption = option === undefined ? [] : (ruleTable[question]?.behaviors?.[option]?.wire ?? []);
  return [...ofOption, ...overrides].map((override) => ({ override, from: question }));
}
