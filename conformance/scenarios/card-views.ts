import { fullPage } from '../core/card-list.ts';
import { giftCard } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { recordWith } from '../http/structure.ts';
import { history } from './adjustments.ts';
import { getByCode, getById } from './card-requests.ts';
import type { Card } from './cards.ts';
import { cardIn } from './histories.ts';
import { list } from './lists.ts';

/** One way of looking at a card, in words, and what it shows of it. */
export interface Look {
  readonly how: string;
  readonly shown: Readonly<Record<string, unknown>>;
}

/**
 * The card by its code and by its ID, and besides in its history and on the first page of the list, which show of it what they like. A Violation where
 * one of the first two does not answer with the card.
 */
export async function looksAt(t: Trial, on: Card): Promise<Look[]> {
  const looks: Look[] = [
    { how: 'by code', shown: giftCard(await getByCode(t, on.code), `${on.name}, looked up by code`) },
    { how: 'by ID', shown: giftCard(await getById(t, on.id), `${on.name}, looked up by ID`) },
  ];
  const others = [
    { how: 'in its history', shown: cardIn((await history(t, on.code)).json, on) },
    { how: 'in the list', shown: recordWith((await list(t, { pageSize: fullPage })).json, on.code) },
  ];
  for (const { how, shown } of others) if (typeof shown === 'object' && shown !== null) looks.push({ how, shown: { ...shown } });
  return looks;
}

/** What each of the looks shows under that name; those that show nothing there are left out. */
export const shownIn = (looks: readonly Look[], name: string): { how: string; value: unknown }[] =>
  looks.flatMap(({ how, shown }) => (name in shown ? [{ how, value: shown[name] }] : []));
