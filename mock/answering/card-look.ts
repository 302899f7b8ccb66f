import type { Readings } from '../../openapi/generated/clauses.ts';
import { shownId } from '../domain/card-ids.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord, TimelineRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';
import { time } from '../time/time.ts';
import type { GiftCard } from './written.ts';

/** A card as answers show it, made from what they show by default. */
export type Look = (whole: GiftCard, card: CardRecord, timeline: readonly TimelineRecord[] | undefined) => GiftCard;

/** What is always there ("Gift card: response, text 1"). */
const NAMED = [
  'id',
  'code',
  'balance',
  'currency',
  'status',
  'customField1',
  'customField2',
  'customField3',
  'viewBalanceUrl',
  'appleWalletUrl',
  'googleWalletUrl',
] as const satisfies readonly (keyof GiftCard)[];

/** How these readings show a card; undefined where they show it as the contract is written. */
export function lookOf(readings: Readings): Look | undefined {
  const isNamedOnly = readings['gift-card.response.further-properties'] === 'named-only';
  const hasNotes = readings['gift-card.notes-shown-where'] === 'in-the-answer';
  const hasTimeline = readings['gift-card.timeline-shown-where'] === 'in-the-answer';
  const idForm = readings['gift-card.response.id-form'];
  const isVoidedOnceDeleted = readings['gift-card.deleted-shown-as'] === 'Voided';
  if (!isNamedOnly && hasNotes && !hasTimeline && idForm === 'guid' && !isVoidedOnceDeleted) return undefined;
  return (whole, card, timeline) => {
    const shown: Partial<Record<keyof GiftCard | 'timeline', unknown>> = isNamedOnly ? only(NAMED, whole) : { ...whole };
    shown.id = shownId(card.id, idForm);
    shown.status = statusShown(card, readings);
    if (!hasNotes) delete shown.notes;
    if (hasTimeline) shown.timeline = (timeline ?? []).map(({ at, text }) => ({ atUtc: time(at), text }));
    return shown as GiftCard; // as the contract has it that was loosened for these readings
  };
}

/** gift-card.deleted-shown-as */
export function statusShown({ status, deletedAt }: CardRecord, readings: Readings): CardRecord['status'] {
  return deletedAt !== null && readings['gift-card.deleted-shown-as'] === 'Voided' ? 'Voided' : status;
}

/** The lines of a card's timeline once these changes have been carried out, the oldest first. */
export function timelineAfter(
  cardId: string,
  changes: readonly Change[],
  state: Pick<View, 'timelineOf'>,
): readonly TimelineRecord[] {
  const lines = [...state.timelineOf(cardId)];
  for (const change of changes) if (change.table === 'timeline' && change.put.cardId === cardId) lines.push(change.put);
  return lines;
}

function only<Name extends keyof GiftCard>(names: readonly Name[], whole: GiftCard): Partial<GiftCard> {
  return Object.fromEntries(names.map((name) => [name, whole[name]])) as Partial<GiftCard>;
}
