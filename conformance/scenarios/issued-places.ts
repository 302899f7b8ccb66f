import type { Row } from '../../openapi/effective/rows.ts';
import { instantOf, type Leaf, leaves } from '../http/structure.ts';
import { rowAt } from '../learn/rows.ts';
import type { Happened } from './events.ts';

/** Where the record of an automation's run has what it says beside its status. */
export interface RunPlaces {
  readonly id: string | undefined;
  readonly title: string | undefined;
  readonly card: string | undefined;
}

/** Told by the values: the card is known, and of what is left one looks like an ID and one does not. */
export function runPlaces(record: unknown, { cards }: Happened): RunPlaces {
  const ids = cards.map(({ card }) => card.id);
  const all = leaves(record).filter(
    ({ value }) => (typeof value === 'string' || typeof value === 'number') && value !== 'Created',
  );
  const rest = all.filter(({ value }) => !ids.includes(value));
  const isId = ({ value }: Leaf) => typeof value === 'number' || /^(?=\S*\d)[\w-]{4,}$/.test(String(value));
  return {
    card: only(all.filter(({ value }) => ids.includes(value))),
    id: only(rest.filter(isId)),
    title: only(rest.filter((leaf) => !isId(leaf) && instantOf(leaf.value) === undefined)),
  };
}

const only = ([found, ...others]: readonly Leaf[]): string | undefined => (others.length > 0 ? undefined : found?.path);

/** In the spelling of the event's answer, with the card's own name where that is stated. */
const ofCard: Readonly<Record<string, string>> = {
  id: 'id',
  code: 'code',
  balance: 'balance',
  currency: 'currency',
  status: 'status',
  view_balance_url: 'viewBalanceUrl',
  apple_wallet_url: 'appleWalletUrl',
  google_wallet_url: 'googleWalletUrl',
};

/** Rows for what an issued card's record in the answer calls by a name of its own: neither the contract's nor that in the spelling of all other endpoints. */
export function issuedRows({ recipient, cards: [first] }: Happened): Row[] {
  if (!first) return [];
  const { record, card } = first;
  const all = leaves(record);
  const paths = new Set(all.map(({ path }) => path));
  const moments = all.flatMap(({ value }) => instantOf(value) ?? []);
  // One that never expires shows nothing.
  const isExpiry = (leaf: Leaf) => (new Set(moments).size === 2 ? isAt(Math.max(...moments))(leaf) : leaf.value === null);
  const isAt = (moment: number) => (leaf: Leaf) => instantOf(leaf.value) === moment;
  const wanted: [name: string, isIt: (leaf: Leaf) => boolean][] = [
    ...Object.entries(ofCard).map(([name, own]): [string, (leaf: Leaf) => boolean] => [name, ({ value }) => value === card[own]]),
    ['recipient_email_address', ({ value }) => value === recipient],
    ['created_at_utc', isAt(Math.min(...moments))],
    ['expires_at_utc', isExpiry],
  ];
  return wanted.flatMap(([name, isIt]) => {
    const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    if (paths.has(`/${name}`) || paths.has(`/${camel}`)) return [];
    return rowAt(`IssuedGiftCard.${name}`, only(all.filter(isIt)));
  });
}
