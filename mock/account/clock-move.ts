import type { ClockMove } from './log.ts';

type Events = Pick<ClockMove, 'events'>;

/** By name in the counts, the noun in a sentence. */
const NOUNS = {
  expiry: 'expiry',
  start: 'activation',
  gift: 'gift',
  reminder: 'reminder',
  emails: 'email',
  deliveries: 'delivery',
};

/** Counts the events that fell due, and their effects: `{ expiry: 1, emails: 2 }`. */
export function countsOf({ events }: Events): Readonly<Partial<Record<keyof typeof NOUNS, number>>> {
  const all = events.flatMap(({ what, emails = [], deliveries = [] }) => {
    return [what, ...emails.map(() => 'emails'), ...deliveries.map(() => 'deliveries')];
  });
  const counts = Object.keys(NOUNS).map((name) => [name, all.filter((each) => each === name).length] as const);
  return Object.fromEntries(counts.filter(([, number]) => number > 0));
}

/** Returns the counts in words: `1 expiry, 2 emails`, or `nothing fell due`. */
export function summaryOf(change: Events): string {
  const counts = Object.entries(countsOf(change)).map(([name, number]) => counted(number, NOUNS[name as keyof typeof NOUNS]));
  return counts.length === 0 ? 'nothing fell due' : `${change.events.length < 1000 ? '' : 'at least '}${counts.join(', ')}`;
}

/** Returns a number with its noun: `1 expiry`, `2 expiries`. */
export function counted(number: number, noun: string): string {
  return `${number} ${number === 1 ? noun : `${noun.replace(/(?<![aeiou])y$/, 'ie')}s`}`;
}
