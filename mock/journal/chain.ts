import type { Account } from '../account/account.ts';
import { decoded } from '../contract/parse/decoded.ts';
import { time } from '../domain/calendar.ts';
import { problems } from '../pipeline/problems.ts';
import { inWords } from '../state/change-summary.ts';
import type { CardRecord } from '../state/records.ts';
import { effectsOf } from './effects.ts';
import { type Entry, type Exchange, LONGEST } from './entry.ts';
import type { Held } from './redaction/held.ts';
import { hiddenInAddress } from './redaction/hide-in-address.ts';

/**
 * What became of one card and why: each cause that changed it, tried to, or made something leave (or not leave), in order, with the request's answer, the
 * changes, the channels, the emails, the deliveries with their receivers' answers, and what was held back with its clause. Reads are left out.
 */
export function chainOf(account: Account, card: CardRecord, held: Held) {
  const byCause = effectsOf(account);
  const isAbout = mentions(card);
  const entries = new Map(account.journal.entries().map((entry) => [entry.number, entry]));
  const numbers = new Set<number>();
  for (const entry of entries.values())
    if (touches(entry, card.id) || (entry.kind === 'request' && isAttempt(entry) && isAbout(entry))) numbers.add(entry.number);
  for (const [number, { effects }] of byCause) if (effects.some(({ giftCardId }) => giftCardId === card.id)) numbers.add(number);
  const causes = [...numbers]
    .sort((one, other) => one - other)
    .map((number) => {
      const entry = entries.get(number);
      const cause = byCause.get(number)?.cause;
      const request = entry?.kind === 'request' ? entry : undefined;
      return {
        number,
        kind: entry?.kind ?? cause?.kind ?? 'request',
        what: request
          ? (request.operation ?? null)
          : entry?.kind === undefined
            ? (cause?.what ?? null)
            : (entry as { what: string }).what,
        atUtc: time(entry?.at ?? cause?.at ?? 0),
        request: request ? `${request.method} ${held.hidden(hiddenInAddress(request.target))}` : null,
        status: request?.status ?? null,
        refusal: request?.refusal === undefined ? null : { code: request.refusal, clause: problems[request.refusal].clause },
        fault: request?.fault ?? null,
        changes: (entry?.touched ?? [])
          .filter(({ cardId }) => cardId === card.id)
          .map((each) => ({ table: each.table, id: each.id, giftCardId: each.cardId, what: inWords(each, card.currency) })),
        effects: (byCause.get(number)?.effects ?? [])
          .filter(({ giftCardId }) => giftCardId === card.id)
          .map((effect) => ({ ...effect, what: held.hidden(effect.what) })),
      };
    });
  return { giftCardId: card.id, code: card.code, causes };
}

/** Whether the entry changed something of the card. */
export function touches({ touched }: Entry, cardId: string): boolean {
  return touched.some((each) => each.cardId === cardId);
}

/** Tells whether a request names the card in its address or body, by ID or code. */
export function mentions({ id, code }: CardRecord): (exchange: Exchange) => boolean {
  const names = [id, code].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const named = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`, 'i');
  return ({ target, body }) =>
    named.test(decoded(target.slice(0, LONGEST))) ||
    (body ? named.test(Buffer.from(body.text, 'latin1').toString('utf8')) : false);
}

/** Wanted to change something, and was refused or struck. */
function isAttempt({ method, refusal, fault }: Exchange): boolean {
  return method !== 'GET' && method !== 'HEAD' && (refusal !== undefined || fault !== undefined);
}
