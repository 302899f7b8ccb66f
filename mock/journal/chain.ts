import { formatTime } from '../domain/dates.ts';
import type { CardRecord } from '../state/records.ts';
import { type EffectRecords, effectsOf } from './effects.ts';
import type { Entry, Exchange } from './entry.ts';
import type { Redactor } from './redaction.ts';
import { changeView, refusalView } from './views.ts';

/**
 * Everything that changed a card, tried to, or had effects for it, by cause and in order: requests with their answers, changes, channels, emails,
 * deliveries with their receivers' answers, and suppressed effects with their clauses. Reads are left out.
 */
export function chainOf(account: EffectRecords, card: CardRecord, redactor: Redactor) {
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
      const { cause, effects = [] } = byCause.get(number) ?? {};
      const request = entry?.kind === 'request' ? entry : undefined;
      const what = entry?.kind === 'request' ? entry.operation : (entry ?? cause)?.what;
      const touched = (entry?.touched ?? []).filter(({ cardId }) => cardId === card.id);
      return {
        number,
        kind: entry?.kind ?? cause?.kind ?? 'request',
        what: what ?? null,
        atUtc: formatTime(entry?.at ?? cause?.at ?? 0),
        request: request ? `${request.method} ${redactor.values(request.target)}` : null,
        status: request?.status ?? null,
        refusal: refusalView(request),
        fault: request?.fault ?? null,
        changes: touched.map((each) => changeView(each, card.currency)),
        effects: effects
          .filter(({ giftCardId }) => giftCardId === card.id)
          .map((effect) => ({ ...effect, what: redactor.values(effect.what) })),
      };
    });
  return { giftCardId: card.id, code: card.code, causes };
}

/** True if the entry changed the card. */
export function touches({ touched }: Entry, cardId: string): boolean {
  return touched.some((each) => each.cardId === cardId);
}

/** Returns a test of whether a request names the card in its URL or body, by ID or code. */
export function mentions({ id, code }: CardRecord): (exchange: Exchange) => boolean {
  const names = [id, code].map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const named = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`, 'i');
  return ({ target, body }) =>
    named.test(decoded(target)) || (body ? named.test(Buffer.from(body.text, 'latin1').toString('utf8')) : false);
}

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** A request that wanted a change, and was refused or struck by a fault. */
function isAttempt({ method, refusal, fault }: Exchange): boolean {
  return method !== 'GET' && method !== 'HEAD' && (refusal !== undefined || fault !== undefined);
}
