import type { CardRecord } from '../state/records.ts';
import { type EffectRecords, effectsOfCause } from './effects.ts';
import type { JournalEntry, JournalExchange } from './entry.ts';
import type { Journal } from './journal.ts';
import { escapeRegExp, type JournalRedactor } from './redaction.ts';
import { entryView } from './views.ts';

/** Returns the causes that changed a card, tried to change the card, or had effects for the card, oldest first. Leaves out reads. */
export function chainOf(account: EffectRecords & { readonly journal: Journal }, card: CardRecord, redactor: JournalRedactor) {
  const isOfCard = ({ giftCardId }: { readonly giftCardId: string | null }) => giftCardId === card.id;
  const effects = effectsOfCause(account);
  const isAbout = mentionsCard(card);
  const causes = account.journal.entries().flatMap((entry) => {
    const own = effects(entry.number).filter(isOfCard);
    if (own.length === 0 && !touches(entry, card.id) && !(isAttempt(entry) && isAbout(entry))) return [];
    const { request, response, changes, curl: _, advice: __, ...view } = entryView(entry, own, redactor, card.currency);
    return [
      {
        ...view,
        request: request && `${request.method} ${request.target}`,
        status: response?.status ?? null,
        changes: changes.filter(isOfCard),
      },
    ];
  });
  return { giftCardId: card.id, code: card.code, causes, dropped: account.journal.dropped };
}

/** Reports whether the entry changed the card. */
export function touches({ touched }: JournalEntry, cardId: string): boolean {
  return touched.some((each) => each.cardId === cardId);
}

/** Returns a function that reports whether a request names the card in URL or body, by ID or code. */
export function mentionsCard({ id, code }: CardRecord): (exchange: JournalExchange) => boolean {
  const names = [id, code, encodeURIComponent(code)].map(escapeRegExp);
  const named = new RegExp(`(?<![\\w-])(?:${names.join('|')})(?![\\w-])`, 'i');
  return ({ target, body }) => named.test(target) || (body ? named.test(body.text) : false);
}

/** Reports whether a request tried to change something, and was refused or matched by a fault. */
function isAttempt(entry: JournalEntry): entry is JournalExchange {
  if (entry.kind !== 'request' || entry.method === 'GET' || entry.method === 'HEAD') return false;
  return entry.refusal !== undefined || entry.fault !== undefined;
}
