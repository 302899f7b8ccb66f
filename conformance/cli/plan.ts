import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { type ClauseName, clauseValues } from '../../openapi/generated/clauses.ts';
import { checks } from '../core/clause.ts';
import { levelOf } from '../core/contract.ts';
import { type Target, withReceiver } from '../core/target.ts';
import { formatCount } from '../core/text.ts';
import { testableClauses } from '../core/untestable.ts';
import { type Plan, planRun } from '../safety/planner.ts';
import { type Policy, scaledBudget } from '../safety/policy.ts';
import type { CliContext } from './context.ts';
import { exitNotes, policyFlags, removedFlags, selectionFlags, targetFlags, webhookFlags } from './flags.ts';
import { policyFrom, profileFrom, rateFrom, selectedClauses, urlFrom } from './target.ts';

export const planCommand = ({ io }: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'plan [clauses...]',
    summary: 'Prints what a run would send and cost; sends nothing and needs no key',
    flags: { ...targetFlags, ...webhookFlags, ...policyFlags, ...selectionFlags },
    removedFlags,
    notes: exitNotes([0, 2], { 0: 'the plan is printed', 2: 'the command or a file cannot be used' }),
    run(values, words) {
      const url = urlFrom(values);
      const rate = rateFrom(values.rate, url);
      const target = {
        url,
        profile: profileFrom(values),
        ...(io.fetch ? { fetch: io.fetch } : {}),
        ...(rate === undefined ? {} : { ratePerMinute: rate }),
      };
      const planned = { target, policy: policyFrom(values, url) };
      const plan = planOf(selectedClauses(values, words), planned);
      const names = plan.chosen.map((name) => `  ${name}\n`).join('');
      io.stdout.write(`${planText(plan, planned)}${names === '' ? '' : `Clauses:\n${names}`}`);
      return 0;
    },
  });

interface PlannedTarget {
  readonly target: Omit<Target, 'key'>;
  readonly policy: Policy;
  /** The number of runs that share the budget. Default: 1. */
  readonly runs?: number;
}

/** The clauses that the profile, the policy and the budget allow in one run, and their cost. */
export function planOf(
  names: readonly ClauseName[],
  { target, policy, runs = 1 }: PlannedTarget,
  webhooksPresent?: number | 'unknown',
): Plan {
  const own = scaledBudget(policy, 1 / runs);
  return planRun(testableClauses(names, checks(), withReceiver(target), own), own, webhooksPresent);
}

/** The requests and the cost of a run, in lines. */
export function planText(
  { chosen, leftOut, total, requests, unknown }: Plan,
  { target, policy: { mode } }: PlannedTarget,
): string {
  const reasons = new Map<string, number>();
  for (const { reason, detail } of leftOut.values()) {
    const line = `${reason}: ${detail}`;
    reasons.set(line, (reasons.get(line) ?? 0) + 1);
  }
  const posted = total.creates + total.emails;
  const irreversible = [
    ...(total.creates > 0 ? [formatCount(total.creates, 'void')] : []),
    ...(total.adjustments > 0 ? [`${formatCount(total.adjustments, 'adjustment')} of those cards`] : []),
  ];
  const stated = chosen.filter((name) => levelOf(name) === 'stated').length;
  const rows: [string, string | undefined][] = [
    ['takes', duration(requests, target.ratePerMinute)],
    ['cards created', total.creates === 0 ? '0' : `${total.creates}, face value ${total.faceValue.toFixed(2)} in all`],
    ['emails', String(total.emails)],
    ['automation events', total.events > 0 ? `${total.events}; each issues what the account's automations give` : undefined],
    ['webhooks registered', total.webhooks > 0 ? `${total.webhooks}, deleted again` : undefined],
    ['posted to each webhook', posted > 0 ? `at least ${formatCount(posted, 'delivery', 'deliveries')}` : undefined],
    ['cannot be undone', irreversible.join(', ') || undefined],
    ['clauses', `${stated} stated, ${chosen.length - stated} others`],
    ['unknown cost', unknown.length > 0 ? `${formatCount(unknown.length, 'clause')}: ${unknown.join(', ')}` : undefined],
  ];
  return [
    `A ${mode} run of ${formatCount(chosen.length, 'clause')} sends ${formatCount(requests, 'request')}, ${total.cleaning} of them for cleanup.\n`,
    ...rows.flatMap(([label, value]) => (value === undefined ? [] : [`  ${label.padEnd(25)}${value}\n`])),
    ...(leftOut.size > 0 ? [`Left out: ${formatCount(leftOut.size, 'clause')}\n`] : []),
    ...[...reasons].map(([line, number]) => `  ${String(number).padStart(4)}  ${line}\n`),
  ].join('');
}

/** The requests of the first minute are sent at once. Without a rate of its own, the run is as fast as the service's limit. */
function duration(requests: number, rate: number | undefined): string | undefined {
  const limit = clauseValues['limits.rate-admits'];
  if (rate === undefined && requests <= limit) return undefined;
  const minutes = Math.max(0, Math.ceil(requests / (rate ?? limit)) - 1);
  const time = minutes === 0 ? 'less than a minute' : `at least ${formatCount(minutes, 'minute')}`;
  return `${time}, at ${formatCount(rate ?? limit, 'request')} a minute${rate === undefined ? ' if the target limits the rate' : ''}`;
}
