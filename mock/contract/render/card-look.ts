import type { Behaviors } from '../../../openapi/generated/clauses.ts';
import { time } from '../../domain/calendar.ts';
import { shownId } from '../../domain/card-ids.ts';
import type { Change } from '../../state/change.ts';
import type { CardRecord, TimelineRecord } from '../../state/records.ts';
import type { View } from '../../state/view.ts';
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

/** How these behaviors show a card; undefined where they show it as the contract is written. */
export function lookOf(behaviors: Behaviors): Look | undefined {
  const isNamedOnly = behaviors['gift-card.response.further-properties'] === 'named-only';
  const hasNotes = behaviors['gift-card.notes-shown-where'] === 'in-the-answer';
  const hasTimeline = behaviors['gift-card.timeline-shown-where'] === 'in-the-answer';
  const idForm = behaviors['gift-card.response.id-form'];
  const isVoidedOnceDeleted = behaviors['gift-card.deleted-shown-as'] === 'Voided';
  if (!isNamedOnly && hasNotes && !hasTimeline && idForm === 'guid' && !isVoidedOnceDeleted) return undefined;
  return (whole, card, timeline) => {
    const shown: Partial<Record<keyof GiftCard | 'timeline', unknown>> = isNamedOnly ? only(NAMED, whole) : { ...whole };
    shown.id = shownId(card.id, idForm);
    shown.status = statusShown(card, behaviors);
    if (!hasNotes) delete shown.notes;
    if (hasTimeline) shown.timeline = (timeline ?? []).map(({ at, text }) => ({ atUtc: time(at), text }));
    return shown as GiftCard; // as the contract has it that was loosened for these behaviors
  };
}

/** gift-card.deleted-shown-as */
export function statusShown({ status, deletedAt }: CardRecord, behaviors: Behaviors): CardRecord['status'] {
  return deletedAt !== null && behaviors['gift-card.deleted-shown-as'] === 'Voided' ? 'Voided' : status;
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
