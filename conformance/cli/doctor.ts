import { clauseValues } from '../../openapi/generated/clauses.ts';
import { shortList } from '../core/card-list.ts';
import { counted } from '../core/counted.ts';
import { looked, preflight, troubleTold, webhooksPresent } from '../core/preflight.ts';
import { openSession } from '../core/session.ts';
import { excerpt } from '../http/excerpt.ts';
import { realTime } from '../http/rate.ts';
import { describeDamage, leftoversIn } from '../safety/leftovers.ts';
import { policyOf } from '../safety/policy.ts';
import { toldWaiting } from './asking.ts';
import { type Command, noWords, say } from './command-line.ts';
import { cardsTold } from './profile-cards.ts';
import { keysTold } from './profile-keys.ts';
import { progress } from './progress.ts';
import { ledgerOf, targeting, targetOf } from './targeting.ts';

/** What a run would find before its first check; looks only, and changes nothing. 4 where a safe run could create nothing, wherever the target is, the list of cards is none, or something in the profile is not what it says. */
export const doctor: Command = {
  takes: targeting,
  async run(asked) {
    noWords(asked, 'doctor');
    const target = targetOf(asked);
    const file = ledgerOf(asked);
    const session = openSession(
      target,
      toldWaiting(progress([], asked.io.stderr, realTime.now).waits),
      policyOf('read-only', [], {}),
    );
    try {
      const { entries, living } = await leftoversIn(file, target);
      let trouble = await preflight(session);
      let [barred, isWrong] = [false, false];
      const lines: [string, string][] = [
        ['target', trouble ?? `${target.url} answers, and takes the key`],
        [
          'left over',
          entries.length === 0
            ? 'nothing of earlier runs'
            : `${counted(entries.length, 'card or webhook', 'cards or webhooks')} of earlier runs; sweep takes ${entries.length === 1 ? 'it' : 'them'} away`,
        ],
      ];
      for (const sentence of describeDamage(file.damage())) lines.push(['damaged', sentence]);
      if (living.length > 0) lines.push(['under way', counted(living.length, 'other run')]);
      if (trouble === undefined) {
        const before = Date.now();
        const list = await looked(session, () => session.client.send(shortList));
        if (list.trouble === undefined) {
          const { headers, status, json } = list.value;
          if (status !== 200 || json === undefined) {
            const got = status === 200 ? 'with something that is no JSON' : `with ${status}`;
            lines[0] = [
              'target',
              `${target.url} answers GET /api/GiftCard/List ${got}: is it the base URL, to which /api/… is appended?`,
            ];
            isWrong = true;
          }
          lines.push(['clock', skew(headers.date, (before + Date.now()) / 2)]);
          lines.push(['rate', session.names.mask(headroom(headers))]);
        }
        const present = list.trouble === undefined ? await webhooksPresent(session) : list;
        if (present.trouble === undefined) {
          lines.push(['webhooks', registered(present.value)]);
          barred = present.value !== 0;
        }
        const keys = present.trouble === undefined ? await keysTold(session) : present;
        for (const sentence of keys.value ?? []) lines.push(['profile', session.names.mask(sentence)]);
        const cards = keys.trouble === undefined ? await cardsTold(session) : keys;
        for (const { says } of cards.value ?? []) lines.push(['profile', session.names.mask(says)]);
        isWrong ||= (keys.value ?? []).length > 0 || (cards.value ?? []).some(({ wrong }) => wrong);
        if (cards.trouble !== undefined) {
          trouble = troubleTold(cards.trouble);
          lines.push(['trouble', trouble]);
        }
      }
      say(asked.io, lines.map(([label, text]) => `${label.padEnd(11)}${excerpt(text, 300)}\n`).join(''));
      if (entries.length + file.damage().length > 0) return 5;
      return trouble !== undefined ? 3 : barred || isWrong ? 4 : 0;
    } finally {
      await session.client.close();
      file.close();
    }
  },
};

const registered = (present: number | 'unknown'): string =>
  present === 'unknown'
    ? 'the list could not be read; a safe run creates nothing until --allow webhooks'
    : present === 0
      ? 'none'
      : `${present}; a safe run creates nothing until --allow webhooks`;

/** The header counts whole seconds. */
function skew(date: string | undefined, now: number): string {
  const there = Date.parse(date ?? '');
  if (Number.isNaN(there)) return 'the target does not tell its time';
  const seconds = Math.round((there + 500 - now) / 1_000);
  return Math.abs(seconds) <= 2
    ? 'the same there and here'
    : `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine's`;
}

function headroom(headers: Readonly<Record<string, string>>): string {
  const told = Object.entries(headers).filter(([name]) => /rate-?limit|retry-after/i.test(name));
  return told.length === 0
    ? `no header tells what is left; the service is said to let in ${clauseValues['limits.rate-admits']} requests a minute`
    : told.map(([name, value]) => `${name}: ${value}`).join(', ');
}
