import { checks } from '../clause.ts';
import { type Asked, type Command, say, selected, selecting } from '../command-line.ts';
import { levelOf } from '../contract.ts';
import { makeable } from '../makeable.ts';
import { type Plan, planned } from '../safety/planner.ts';
import type { Policy } from '../safety/policy.ts';
import { withReceiver } from '../target.ts';
import { limiting, limitsOf, profileOf, rateOf, urlOf } from './targeting.ts';

/** Says what a run would send and cost. Sends nothing and needs no key. */
export const plan: Command = {
  takes: ['target', 'profile', 'rate', 'webhook-listen', 'webhook-url', ...limiting, ...selecting],
  run(asked: Asked) {
    const url = urlOf(asked);
    const policy = limitsOf(asked, url);
    const profile = withReceiver({ url, profile: profileOf(asked), ...(asked.io.fetch ? { fetch: asked.io.fetch } : {}) });
    const names = makeable(selected(asked), checks(), profile, policy);
    const found = planned(names, policy);
    // Of a full run these are nearly all that `list` shows.
    const chosen = policy.mode === 'full' ? '' : `Judged are:\n${found.chosen.map((name) => `  ${name}\n`).join('')}`;
    return say(asked.io, planTold(found, policy, rateOf(asked, url)) + chosen);
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
  const statements = chosen.filter((name) => levelOf(name) === 'stated').length;
  const lines = [
    `A ${mode} run of ${chosen.length} checks sends ${requests} requests, ${total.cleaning} of them to clean up.`,
    ...(rate === undefined ? [] : [`  takes at least           ${minutes(requests, rate)}, at ${rate} requests a minute`]),
    `  cards created            ${total.creates}, with ${total.faceValue.toFixed(2)} on them in all`,
    `  emails                   ${total.emails}`,
    `  automation events        ${total.events}, each of which issues what the account's automations give`,
    `  coupons made             ${total.coupons}, and deleted again`,
    `  webhooks registered      ${total.webhooks}, and deleted again`,
    `  posted to each webhook   at least ${total.creates + total.emails} deliveries: every void is one`,
    `  cannot be undone         ${total.creates} voids, ${total.adjustments} adjustments on those cards`,
    `  judges                   ${statements} statements, and asks ${chosen.length - statements} questions`,
    ...(unknown.length > 0 ? [`  of unknown cost          ${unknown.length} more checks: ${unknown.join(', ')}`] : []),
    ...(leftOut.size > 0 ? [`Left out are ${leftOut.size} checks:`] : []),
    ...[...why].map(([text, count]) => `  ${String(count).padStart(4)}  ${text}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The requests of the first minute leave at once. */
function minutes(requests: number, rate: number): string {
  const whole = Math.max(0, Math.ceil(requests / rate) - 1);
  return whole === 0 ? 'less than a minute' : `${whole} minute${whole === 1 ? '' : 's'}`;
}
