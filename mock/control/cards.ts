import type { Account } from '../account/account.ts';
import { formatTime } from '../domain/dates.ts';
import { isTaken } from '../domain/gift-cards.ts';
import { toAmount } from '../domain/money.ts';
import { onCreate } from '../domain/notifications.ts';
import { commit } from '../pipeline/commit.ts';
import type { CardRecord } from '../state/records.ts';
import { buildCard } from '../world/cards.ts';
import type { Card } from '../world/description.ts';
import { partOf } from '../world/read.ts';
import { present, shown } from './act.ts';
import { inChannel } from './channels.ts';
import { ControlError } from './control-error.ts';

/**
 * Puts a card into the account as a world file would describe it, in whatever state. A new one, whose notification is asked for, is told of and
 * delivered like any that is issued.
 */
export function addCard(account: Account, given: object) {
  const { settings, state, agenda, effects } = account;
  const automations = [...state.automations()];
  const { currency, channels } = settings;
  const described = partOf('cards', given, { currency, channels, automations: automations.map(({ name }) => ({ name })) });
  mustBeFree(account, described);
  const now = present(account);
  const context = account.context(now, 'the dashboard');
  const { card, changes } = buildCard(described, {
    account: { currency },
    channels,
    now,
    automationIds: new Map(automations.map(({ id, name }) => [name, id])),
    newId: context.newId,
    newCode: context.newCode,
  });
  const isNew = card.createdAt === now && card.status === 'Active' && card.deletedAt === null;
  const told = isNew && card.shouldSendNotification ? onCreate(card, context) : [];
  commit(account, { changes, effects: told }, account.cause('control', 'addCard', now));
  agenda.forget(now); // what came before it, in a card that is described as it stands now
  effects.plan();
  return shown(account, card.id, context);
}

/** No value of the description may be one that the account has given away already. */
function mustBeFree({ settings, state, behaviors }: Account, { id, code, uniqueId, adjustments, inChannels }: Card): void {
  if (id !== undefined && state.card(id.toLowerCase())) throw taken('id', id);
  if (code !== undefined && isTaken(code, { state, behaviors })) throw taken('code', code);
  if (uniqueId !== null && state.cardByUniqueId(uniqueId)) throw taken('uniqueId', uniqueId);
  for (const { uniqueAdjustmentId } of adjustments)
    if (uniqueAdjustmentId !== null && state.adjustmentByUniqueId(uniqueAdjustmentId))
      throw taken('uniqueAdjustmentId', uniqueAdjustmentId);
  for (const { id: channel } of settings.channels) {
    const sourceId = inChannels[channel]?.sourceId;
    if (sourceId !== undefined && state.cardBySource(channel, sourceId)) throw taken('sourceId', sourceId);
  }
}

function taken(name: string, value: string): ControlError {
  return new ControlError(409, `The ${name} ${value} is in use on the account already; choose another.`);
}

/** What the dashboard shows of a card beside what the API does. */
export function viewOf(account: Account, card: CardRecord) {
  const { state, settings, clock } = account;
  return {
    giftCard: shown(account, card.id, account.context(clock.now(), 'the dashboard')),
    kind: card.kind,
    issuedThrough: card.issuedThrough,
    totalIssued: toAmount(card.totalIssued, card.currency),
    deletedAtUtc: formatTime(card.deletedAt),
    batchId: card.batchId,
    campaignId: card.campaignId,
    automationId: card.automationId,
    apiEventName: card.apiEventName,
    inChannels: Object.fromEntries(
      settings.channels.flatMap(({ id }) => {
        const listing = state.listing(id, card.id);
        return listing ? [[id, inChannel(listing, card)]] : [];
      }),
    ),
  };
}
