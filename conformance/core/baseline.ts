import { writeFileSync } from 'node:fs';
import { UsageError } from '../../cli/usage-error.ts';
import { readJson } from '../../cli/user-files.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { ruleTexts } from './contract.ts';
import { causeAt, hasSucceeded, missingOperations } from './endpoints.ts';
import { serviceOperations } from './operations.ts';
import type { RuleResult, RunResult } from './result.ts';
import { excerpt, formatCount } from './text.ts';

/** What the user accepts for now, each with a reason: a rule · "not tested: " and a rule that may be untestable, but not violated · an operation that may be missing, such as "GET /api/Webhook/List" · "--leave-cards N". */
export type Baseline = ReadonlyMap<string, string>;

const notTested = (rule: string) => `not tested: ${rule}`;
const leaveCardsEntry = /^--leave-cards ([1-9]\d{0,5})$/;

const operationNames = new Set(serviceOperations.map(({ name }) => name));
const isRule = (entry: string): entry is RuleName => ruleTexts.has(entry as RuleName);

/** Reads a JSON file with entries, each with a reason. Throws UsageError for an unknown entry and for a missing reason. */
export function readBaseline(file: string): Baseline {
  const read = readJson(file, 'baseline');
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    throw new UsageError(`The baseline ${file} must be a JSON object with a reason for each entry.`);
  for (const [entry, reason] of Object.entries(read)) {
    const name = entry.startsWith(notTested('')) ? entry.slice(notTested('').length) : entry;
    if (!isRule(name) && !operationNames.has(entry) && !leaveCardsEntry.test(entry)) {
      const meant = didYouMean(name, [...ruleTexts.keys(), ...operationNames, '--leave-cards 1']);
      throw new UsageError(`The baseline ${file} names "${name}", which is not a rule and not an operation.${meant}`);
    }
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new UsageError(`The baseline ${file} gives no reason for "${entry}". State why the target may do this for now.`);
  }
  return new Map(Object.entries(read));
}

export const leaveCardsOf = (baseline: Baseline): number | undefined =>
  [...baseline.keys()].flatMap((entry) => leaveCardsEntry.exec(entry)?.[1] ?? []).map(Number)[0];

const reasonWanted = 'REASON WANTED';

/** Reports whether a baseline may list the rule. If the target gave no response, the baseline may not list the rule, because the next run may get a response. */
const isExcusable = ({ verdict, reason, level }: RuleResult) =>
  verdict === 'fail' ||
  verdict === 'blocked' ||
  (verdict === 'untested' && (reason === 'control-failed' || (reason === 'fact-missing' && level === 'stated')));

/** Returns the entry that excuses a rule. For a violation, an entry about the rule takes precedence over an entry about an operation. */
function entryOf(rule: RuleResult, baseline: Baseline): string | undefined {
  if (!isExcusable(rule)) return undefined;
  const { name, verdict } = rule;
  const cause = causeAt(rule);
  const operation = cause?.isMissing ? cause.operation : '';
  const entries = verdict === 'fail' ? [name, operation] : [operation, name, notTested(name)];
  return entries.find((entry) => baseline.has(entry));
}

export function markIfKnown(rule: RuleResult, baseline: Baseline): RuleResult {
  const entry = entryOf(rule, baseline);
  if (entry === undefined) return rule;
  const reason = baseline.get(entry) ?? '';
  return { ...rule, verdict: 'known-fail', known: operationNames.has(entry) ? `${entry} is missing: ${reason}` : reason };
}

/** Reports whether the target no longer needs an entry: the rule holds, or the entry of a missing operation excuses it. An entry "not tested" is never stale, because such a rule may pass in one run and be blocked in the next. */
function isStale(entry: string, result: RunResult, baseline: Baseline): boolean {
  if (operationNames.has(entry)) return hasSucceeded(entry, result);
  if (leaveCardsEntry.test(entry)) return result.cards.voided > 0 && result.cards.left.length === 0;
  const rule = result.rules.find(({ name }) => name === entry);
  if (!rule || rule.verdict === 'fail') return false;
  return rule.verdict === 'pass' || rule.verdict === 'observed' || operationNames.has(entryOf(rule, baseline) ?? '');
}

export function applyBaseline(result: RunResult, baseline: Baseline): RunResult {
  return {
    ...result,
    rules: result.rules.map((rule) => markIfKnown(rule, baseline)),
    staleBaseline: [...baseline.keys()].filter((entry) => isStale(entry, result, baseline)),
    withoutReason: [...baseline.keys()].filter((entry) => baseline.get(entry)?.startsWith(reasonWanted)),
  };
}

/** Returns the new baseline. It keeps known reasons, drops stale entries, and adds an entry for each missing operation and for each other failure. */
export function buildBaseline(result: RunResult, before: Baseline): Baseline {
  const baseline = new Map([...before].filter(([entry]) => !isStale(entry, result, before)));
  const add = (entry: string, what: string) => {
    if (baseline.has(entry)) return;
    baseline.set(entry, `${reasonWanted}: why may this stay for now? Seen ${result.startedAt.slice(0, 10)}: ${what}`);
  };
  const missing = missingOperations(result);
  const { leaveCards, cards } = result;
  if (leaveCards !== undefined && cards.left.length > 0 && leaveCards !== leaveCardsOf(baseline)) {
    baseline.delete(`--leave-cards ${leaveCardsOf(baseline)}`);
    add(`--leave-cards ${leaveCards}`, formatCount(cards.left.length, 'card'));
  }
  for (const rule of result.rules.filter(isExcusable)) {
    const { name, verdict, expected = '', got = '', detail = '' } = rule;
    const { operation = '', isMissing = false } = causeAt(rule) ?? {};
    if (isMissing && missing.includes(operation)) add(operation, 'the operation is missing');
    else if (entryOf(rule, baseline) !== undefined) continue;
    else if (verdict === 'fail') add(name, `expected ${excerpt(expected)}; got ${excerpt(got)}`);
    else add(notTested(name), excerpt(detail));
  }
  return baseline;
}

export function writeBaseline(file: string, baseline: Baseline): void {
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(baseline), null, 2)}\n`);
}
