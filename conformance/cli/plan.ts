import { clauseValues } from '../../openapi/generated/clauses.ts';
import { checks } from '../core/clause.ts';
import { levelOf } from '../core/contract.ts';
import { counted } from '../core/counted.ts';
import { makeable } from '../core/prerequisites.ts';
import { withReceiver } from '../core/target.ts';
import { type Plan, planRun } from '../safety/planner.ts';
import type { Policy } from '../safety/policy.ts';
import { type Asked, type Command, say, selected, selecting } from './command-line.ts';
import { limiting, limitsOf, profileOf, rateOf, urlOf } from './targeting.ts';

/** Says what a run would send and cost. Sends nothing and needs no key. */
export const plan: Command = {
  takes: ['target', 'profile', 'rate', 'webhook-listen', 'webhook-url', ...limiting, ...selecting],
  run(asked: Asked) {
    const url = urlOf(asked);
    const policy = limitsOf(asked, url);
    const profile = withReceiver({ url, profile: profileOf(asked), ...(asked.io.fetch ? { fetch: asked.io.fetch } : {}) });
    const names = makeable(selected(asked), checks(), profile, policy);
    const found = planRun(names, policy);
    const chosen = found.chosen.map((name) => `  ${name}\n`).join('');
    return say(asked.io, `${planTold(found, policy, rateOf(asked, url))}${chosen === '' ? '' : `Judged are:\n${chosen}`}`);
  },
};

/** What a run would send and cost, line by line; `rate` is how many requests a minute it keeps to, if it keeps to any. */
export function planTold(
  { chosen, leftOut, total, requests, unknown }: Plan,
  { mode }: Pick<Policy, 'mode'>,
  rate: number | undefined,
): string {
  const why = new Map<string, number>();
  for (const { reason, detail } of leftOut.values()) why.set(`${reason}: ${detail}`, (why.get(`${reason}: ${detail}`) ?? 0) + 1);
  const posted = total.creates + total.emails;
  const undone = [
    ...some(total.creates, counted(total.creates, 'void')),
    ...some(total.adjustments, `${counted(total.adjustments, 'adjustment')} on those cards`),
  ].join(', ');
  const statements = chosen.filter((name) => levelOf(name) === 'stated').length;
  const lines = [
    `A ${mode} run of ${counted(chosen.length, 'check')} sends ${counted(requests, 'request')}, ${total.cleaning} of them to clean up.`,
    ...duration(requests, rate),
    `  cards created            ${total.creates}${total.creates === 0 ? '' : `, with ${total.faceValue.toFixed(2)} on them in all`}`,
    `  emails                   ${total.emails}`,
    ...some(total.events, `  automation events        ${total.events}, each of which issues what the account's automations give`),
    ...some(total.coupons, `  coupons made             ${total.coupons}, and deleted again`),
    ...some(total.webhooks, `  webhooks registered      ${total.webhooks}, and deleted again`),
    ...some(posted, `  posted to each webhook   at least ${counted(posted, 'delivery', 'deliveries')}: every void is one`),
    ...some(undone.length, `  cannot be undone         ${undone}`),
    `  judges                   ${counted(statements, 'statement')}, and asks ${counted(chosen.length - statements, 'question')}`,
    ...some(unknown.length, `  of unknown cost          ${counted(unknown.length, 'more check')}: ${unknown.join(', ')}`),
    ...some(leftOut.size, `Left out: ${counted(leftOut.size, 'check')}`),
    ...[...why].map(([text, count]) => `  ${String(count).padStart(4)}  ${text}`),
  ];
  return `${lines.join('\n')}\n`;
}

const some = (number: number, line: string): string[] => (number > 0 ? [line] : []);

/** Where the run keeps to no rate, the target may limit it to that of the service, which only matters for more than a minute of it. */
function duration(requests: number, rate: number | undefined): string[] {
  const told = (perMinute: number) =>
    `  takes at least           ${minutes(requests, perMinute)}, at ${counted(perMinute, 'request')} a minute`;
  if (rate !== undefined) return [told(rate)];
  const admitted = clauseValues['limits.rate-admits'];
  return requests > admitted ? [`${told(admitted)} where the target limits them by real time`] : [];
}

/** The requests of the first minute leave at once. */
function minutes(requests: number, rate: number): string {
  const whole = Math.max(0, Math.ceil(requests / rate) - 1);
  return whole === 0 ? 'less than a minute' : counted(whole, 'minute');
}
