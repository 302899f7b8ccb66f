import type { Card, Entry } from './records-fixture.ts';
import type { Ways } from './ways-fixture.ts';

/** A text in the place of one that says something, as the judges see it. */
const veiled = (text: string) => `text-${text}`;

/** The answer to a request for the history of a card, which is shown as given. */
export function historyOf(card: Card, shown: object, ways: Ways['history']): unknown {
  const newest = card.entries.toReversed();
  if (ways.orderedBy === 'moment') newest.sort((one, other) => other.at - one.at);
  const rows = newest.slice(0, ways.size).map((entry) => rowOf(entry, ways));
  if (ways.card === 'around') return { ...shown, history: rows };
  if (ways.card === 'beside') return { giftCard: shown, adjustments: rows };
  return { giftCard: shown, adjustments: rows.map((row) => ({ ...row, code: card.code })) };
}

function rowOf({ amount, type, notes, at, booked }: Entry, ways: Ways['history']): object {
  const { names, isSigned, typeIsVeiled, decoratesNotes } = ways;
  const kind = type === 'adjustment' ? (amount < 0 ? 'Redemption' : 'TopUp') : type;
  const text = notes !== undefined && decoratesNotes ? veiled(`noted ${notes}`) : notes;
  return {
    [names.amount]: isSigned ? amount : Math.abs(amount),
    [names.type]: typeIsVeiled ? veiled(kind) : kind,
    [names.notes]: text ?? null,
    ...timesOf(at, booked, ways),
  };
}

function timesOf(at: number, booked: number, { times, names }: Ways['history']): object {
  const [moment, recorded] = [new Date(at).toISOString(), new Date(booked).toISOString()];
  if (times === 'both') return { [names.at]: moment, [names.booked]: recorded };
  if (times === 'day') return { [names.at]: veiled(moment.slice(0, 10)) };
  return { [names.at]: times === 'moment' ? moment : moment.replace('Z', '') };
}
