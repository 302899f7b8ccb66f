import { checks } from '../clause.ts';
import { type Asked, type Command, say, selected, selecting } from '../command-line.ts';
import { makeable } from '../run.ts';
import { type Plan, planned } from '../safety/planner.ts';
import type { Policy } from '../safety/policy.ts';
import { withReceiver } from '../target.ts';
import { limiting, limitsOf, profileOf, urlOf } from './targeting.ts';

/** Says what a run would send and cost. Sends nothing and needs no key. */
export const plan: Command = {
  takes: ['target', 'profile', ...limiting, ...selecting],
  run(asked: Asked) {
    const url = urlOf(asked);
    const policy = limitsOf(asked, url);
    const names = makeable(selected(asked), checks(), withReceiver({ url, profile: profileOf(asked) }));
    return say(asked.io, planTold(planned(names, policy), policy));
  },
};

export function planTold({ chosen, leftOut, total, requests, unknown }: Plan, { mode }: Policy): string {
  const why = new Map<string, number>();
  for (const { reason, detail } of leftOut.values()) why.set(`${reason}: ${detail}`, (why.get(`${reason}: ${detail}`) ?? 0) + 1);
  const lines = [
    `A ${mode} run of ${chosen.length} checks sends ${requests} requests, ${total.cleaning} of them to clean up.`,
    `  cards created            ${total.creates}, with ${total.faceValue.toFixed(2)} on them in all`,
    `  emails                   ${total.emails}`,
    `  automation events        ${total.events}, each of which issues what the account's automations give`,
    `  webhooks registered      ${total.webhooks}, and deleted again`,
    `  posted to each webhook   at least ${total.creates + total.emails} deliveries: every void is one`,
    `  cannot be undone         ${total.creates} voids, ${total.adjustments} adjustments on those cards`,
    ...(unknown.length > 0 ? [`  of unknown cost          ${unknown.length} more checks: ${unknown.join(', ')}`] : []),
    ...(leftOut.size > 0 ? [`Left out are ${leftOut.size} checks:`] : []),
    ...[...why].map(([text, count]) => `  ${String(count).padStart(4)}  ${text}`),
  ];
  return `${lines.join('\n')}\n`;
}
