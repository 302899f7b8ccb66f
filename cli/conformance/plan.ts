import { levelOf } from '../../conformance/core/contract.ts';
import { costOf, costOfShared, planRun, type RunPlan, sumCosts } from '../../conformance/core/planner.ts';
import { type Check, checks } from '../../conformance/core/rule.ts';
import { formatCount } from '../../conformance/core/text.ts';
import { testableRules, whyUntestable } from '../../conformance/core/untestable.ts';
import { withReceiver } from '../../conformance/http/target.ts';
import { type RuleName, ruleValues } from '../../openapi/generated/rules.ts';
import { jsonFlag } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { type CliContext, printJson } from './context.ts';
import { examplesOf, exitNotes, policyFlags, selectionFlags, targetFlags, webhookFlags } from './flags.ts';
import { type PlannedTarget, plannedTargetFrom, selectedRules } from './target.ts';

export const planCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'plan [rules...]',
    summary: 'Prints what a run would send and cost; sends nothing and needs no key',
    flags: { ...targetFlags, ...webhookFlags, ...policyFlags, ...selectionFlags, ...jsonFlag },
    notes: exitNotes([0, 2], { 0: 'the plan is printed', 2: 'a flag, argument or file is missing or wrong' }),
    examples: examplesOf(
      'plan',
      '--target https://api.example.com',
      "--target https://api.example.com --max-creates 3 'gift-card.*'",
      '--target http://127.0.0.1:8460 --mode full --json',
    ),
    run(values, words) {
      const planned = plannedTargetFrom(values, context);
      const plan = planOfTarget(selectedRules(values, words), planned);
      if (values.json) {
        printJson(context, planJson(plan, planned));
        return 0;
      }
      if (planned.trust.place === 'near' && values.mode === undefined)
        context.io.stdout.write(
          'If the target proves to be the mock, the mode of a run is full, and not safe as in this plan.\n',
        );
      context.io.stdout.write(`${planText(plan, planned)}Rules:\n${plan.chosen.map((name) => `  ${name}\n`).join('')}`);
      return 0;
    },
  });

/** Returns the rules that the profile, the policy and the budget allow, and their cost. */
export const planOfTarget = (names: readonly RuleName[], { target, policy }: PlannedTarget): RunPlan =>
  planRun(testableRules(names, checks(), withReceiver(target), policy), policy);

/** Returns lines with the number of requests and the cost of a run. */
export function planText({ chosen, leftOut, total, requests }: RunPlan, { target, policy: { mode } }: PlannedTarget): string {
  const reasons = [...leftOut.values()].map(({ reason, detail }) => `${reason}: ${detail}`);
  const stated = chosen.filter((name) => levelOf(name) === 'stated').length;
  const { creates, faceValue, adjustments, emails, events, webhooks, cleaning } = total;
  const rows: [number, label: string, text: string][] = [
    [1, 'takes', duration(requests, target.ratePerMinute)],
    [1, 'cards created', `${creates}, face value ${faceValue.toFixed(2)} in all`],
    [creates, 'cannot be undone', `${formatCount(creates, 'void')}, ${formatCount(adjustments, 'adjustment')} of these cards`],
    [emails, 'emails', String(emails)],
    [events, 'automation events', `${events}; each runs automations, which may issue cards`],
    [webhooks, 'webhooks registered', `${webhooks}, deleted again`],
    [creates + emails, 'posted to each webhook', `at least ${formatCount(creates + emails, 'delivery', 'deliveries')}`],
    [1, 'rules', `${stated} stated, ${chosen.length - stated} others`],
  ];
  return [
    `A ${mode} run of ${formatCount(chosen.length, 'rule')} sends ${formatCount(requests, 'request')}, ${cleaning} of them for cleanup.\n`,
    ...rows.flatMap(([number, label, text]) => (number === 0 ? [] : [`  ${label.padEnd(25)}${text}\n`])),
    ...(reasons.length > 0 ? [`Left out: ${formatCount(reasons.length, 'rule')}\n`] : []),
    ...[...new Set(reasons)].map((each) => `  ${reasons.filter((other) => other === each).length}  ${each}\n`),
  ].join('');
}

/** Returns the object that `plan --json` prints. */
function planJson(
  { chosen, leftOut, total, requests }: RunPlan,
  { target: { url, ratePerMinute }, policy: { mode } }: PlannedTarget,
) {
  const { requests: _, ...effects } = total;
  return {
    target: url,
    mode,
    requests,
    requestsPerMinute: rateOf(ratePerMinute),
    effects,
    rules: chosen,
    leftOut: Array.from(leftOut, ([rule, why]) => ({ rule, ...why })),
  };
}

const rateOf = (ownRate: number | undefined): number => ownRate ?? ruleValues['limits.rate-admits'];

/** Returns the shortest duration of a run. */
function duration(requests: number, ownRate: number | undefined): string {
  const rate = rateOf(ownRate);
  const minutes = Math.floor(requests / rate);
  const time = minutes === 0 ? 'less than a minute' : `at least ${formatCount(minutes, 'minute')}`;
  return `${time}, at ${formatCount(rate, 'request')} a minute`;
}

export const listCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'list [rules...]',
    summary: 'Lists the rules with their level, cost and needs; sends nothing',
    flags: { ...selectionFlags, ...jsonFlag },
    notes: exitNotes([0, 2], { 0: 'the rules are listed', 2: 'a flag or argument is wrong' }),
    examples: examplesOf('list', "'adjustment.*'", '--level open', "--level stated --skip 'webhook.*' --json"),
    run(values, words) {
      const tests = new Map(checks().map((check) => [check.name, check]));
      const names = selectedRules(values, words);
      const rows = names.map((name) => [name, tests.get(name)] as const);
      if (values.json)
        printJson(
          context,
          rows.map(([name, test]) => ruleJson(name, test)),
        );
      else for (const [name, test] of rows) context.io.stdout.write(ruleLine(name, test));
      return 0;
    },
  });

/** Returns an element of the list that `list --json` prints. A rule without a test has `untestable` instead of `needs` and `cost`. */
function ruleJson(name: RuleName, test: Check | undefined) {
  const common = { rule: name, level: levelOf(name) };
  if (!test) return { ...common, untestable: whyUntestable(name).detail };
  return { ...common, needs: test.needs, needsOneOf: test.needsOneOf ?? [], cost: wholeCostOf(name) ?? null };
}

function ruleLine(name: RuleName, test: Check | undefined): string {
  const head = `${levelOf(name).padEnd(12)}${name.padEnd(62)}`;
  if (!test) return `${head}untestable: ${whyUntestable(name).detail}\n`;
  const needs = [test.needs.join(', '), (test.needsOneOf ?? []).join(' or ')].filter(Boolean);
  return `${head}${costText(name).padEnd(33)} ${needs.length === 0 ? 'tested' : `needs ${needs.join(', ')}`}\n`;
}

/** Returns the cost of a rule, including the cards that the rule shares with other rules. */
function wholeCostOf(name: RuleName) {
  const cost = costOf(name);
  if (!cost) return undefined;
  const { requests, cleaning, creates, faceValue } = sumCosts([cost, ...(cost.shared ?? []).map(costOfShared)]);
  return { requests: requests + cleaning, cards: creates, faceValue };
}

function costText(name: RuleName): string {
  const cost = wholeCostOf(name);
  if (!cost) return 'cost unknown';
  const { requests, cards: creates, faceValue } = cost;
  const cards = creates === 0 ? '' : `, ${formatCount(creates, 'card')} of ${faceValue.toFixed(2)}`;
  return `${formatCount(requests, 'request')}${cards}`;
}
