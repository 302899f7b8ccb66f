import type { Row } from '../../openapi/effective/rows.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { at, leaves } from '../http/structure.ts';
import { rowAt } from '../learn/rows.ts';
import type { Card } from './cards.ts';
import { sentCards } from './sent-cards.ts';
import { purse } from './shared-cards.ts';

/** What is asked for and has no clause of its own about its name, and what a card shows of it that was asked for without. */
const properties: Readonly<Record<string, null | false>> = {
  buyerName: null,
  buyerEmailAddress: null,
  giftMessage: null,
  notes: null,
  uniqueId: null,
  isPromotional: false,
  disableEmails: false,
  shouldSendNotification: false,
  sendAsGift: false,
  giftScheduledForUtc: null,
};

/** Rows for those that the card shows elsewhere than under their own names: found by what several cards were asked for with, where only one place shows that of each. */
export async function furtherRows(t: Trial, full: Card): Promise<Row[]> {
  const shown = full.answer.json as object;
  const lost = Object.keys(properties).filter((name) => !Object.hasOwn(shown, name));
  if (lost.length === 0) return [];
  const cards = [full, await purse(t), ...(await otherwise(t))];
  const open = new Map(
    leaves(shown)
      .filter(({ path }) => !stated.includes(path))
      .map(({ path }) => [path, cards.map(({ answer }) => at(answer.json, path) ?? null)]),
  );
  const wanted = new Map(lost.map((name) => [name, cards.map(({ asked }) => asked?.[name] ?? properties[name])]));
  const rows: Row[] = [];
  for (let found = true; found; ) {
    found = false;
    for (const [name, values] of wanted) {
      const places = [...open].filter(([, there]) => there.every((value, index) => isIt(name, value, values[index])));
      const rivals = [...wanted.values()].filter((other) => JSON.stringify(other) === JSON.stringify(values));
      const [place] = places;
      if (!place || places.length > 1 || rivals.length > 1) continue;
      rows.push(...rowAt(`GiftCard.${name}`, place[0]));
      open.delete(place[0]);
      wanted.delete(name);
      found = true;
    }
  }
  return rows;
}

/** Cards whose emails are asked for, where the run may. */
async function otherwise(t: Trial): Promise<Card[]> {
  try {
    const { older, younger } = await sentCards(t);
    return [older, younger];
  } catch (error) {
    if (error instanceof Untested) return [];
    throw error;
  }
}

/** Beside what was given, notes may tell where the card comes from, and where nothing was given they may tell that alone. */
function isIt(name: string, value: unknown, wanted: unknown): boolean {
  if (name !== 'notes') return value === wanted;
  return typeof wanted !== 'string' || (typeof value === 'string' && value.includes(wanted));
}

const stated = [
  ...['/id', '/code', '/balance', '/currency', '/status', '/viewBalanceUrl', '/appleWalletUrl', '/googleWalletUrl'],
  ...['/customField1', '/customField2', '/customField3'],
];
