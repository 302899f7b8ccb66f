import type { Behaviors } from '../../openapi/generated/clauses.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';

/**
 * A card's ID as the API shows it (gift-card.response.id-form). Every card has a GUID, whatever the API makes of it, so that an account may change
 * its form without changing its cards.
 */
export function shownId(id: string, form: Form): string | number {
  if (form === 'guid') return id;
  return form === 'number' ? numberOf(id) : `gc_${id.replaceAll('-', '')}`;
}

type Form = Behaviors['gift-card.response.id-form'];

/** 48 of a GUID's random bits: a number of JSON holds 53. */
export function numberOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The card that is shown with this ID. */
export function cardShownAs(given: string, state: View, form: Form): CardRecord | undefined {
  if (form === 'guid') return state.card(given);
  if (!looksRight(given, form)) return undefined;
  return form === 'number' ? state.cardByNumber(Number(given)) : state.card(guidOf(given));
}

/** Whether an ID could be one by its look (gift-card.get-by-id.malformed-id). */
export function looksRight(given: string, form: Form): boolean {
  return LOOKS[form].test(given);
}

const LOOKS: Readonly<Record<Form, RegExp>> = {
  guid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  number: /^\d{1,15}$/,
  'other-string': /^gc_[0-9a-f]{32}$/,
};

function guidOf(shown: string): string {
  return shown.replace(/^gc_(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
