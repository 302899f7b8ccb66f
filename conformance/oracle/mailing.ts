import { arrays } from '../http/structure.ts';
import type { Docket } from '../proxy/finding.ts';
import { cardIn, type Fields, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { isBefore } from './span.ts';

/** The addresses that a create names, whatever their letter case, of which nobody knows whether it counts. */
export const addressesIn = (asked: Fields): readonly string[] =>
  [asked.recipientEmailAddress, asked.buyerEmailAddress].flatMap((each) => addressOf(each) ?? []);

function addressOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  return /^a([0-9a-f]{12})[0-9a-f]{4}@veiled\.example$/.exec(text)?.[1] ?? (/^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined);
}

/** A card that was created for one recipient was not sent to another. */
export function judgeByEmail(read: Read, account: SeenAccount, docket: Docket): void {
  const { seen, accepted, told, parameters } = read;
  const asked = addressOf(parameters.emailAddress);
  if (!accepted || asked === undefined || seen.doubtful) return;
  for (const each of arrays(told).flat()) {
    const names = cardIn(each);
    const { made, name } = (names && account.byId(names.id)) ?? {};
    if (!made || made.addresses.length === 0 || !isBefore(made.span, seen) || made.addresses.includes(asked)) continue;
    docket.contradicts(
      'gift-card.get-by-email.finds-cards-sent-to-recipient',
      `${name} was created for another recipient than the one that is asked for.`,
      made.span.n,
      seen.n,
    );
  }
}
