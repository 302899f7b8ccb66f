import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Why } from '../safety/policy.ts';
import { clauseTexts } from './contract.ts';

/** Why a clause has no test: what a test would need that no request and no delivery provides. */
export function whyUntestable(name: ClauseName): Why {
  if (name === 'delivery.time-out')
    return {
      reason: 'budget',
      detail: 'A test would have to delay a response by more than 30 s, which is longer than a test may take.',
    };
  const needs = Object.entries(clausesByNeed).find(([, names]) => names.includes(name))?.[0];
  if (needs) return { reason: 'needs-control', detail: `A test would have to ${needs}.` };
  return { reason: 'untestable', detail: clauseTexts.get(name)?.reason ?? 'This run includes no test of the clause.' };
}

/** All clauses that this file names. */
export const clausesWithoutTest = (): readonly ClauseName[] => ['delivery.time-out', ...Object.values(clausesByNeed).flat()];

/** By what a test would have to do. */
const clausesByNeed: Readonly<Record<string, readonly ClauseName[]>> = {
  'look into a sales channel': [
    'adjustment.pushed-to-channels',
    'channels.api-changes-pushed',
    'gift-card.create.added-to-channels-after-answer',
    'gift-card.create.unaccepted-code-shows-sync-error',
    'gift-card.void.zeroes-balance-in-channels',
    'gift-card.void.leaves-card-in-channels',
  ],
  'change a balance inside a sales channel and look into the channels': [
    'adjustment.corrects-channel-drift',
    'channels.own-changes-drift',
    'channels.own-changes-not-picked-up',
  ],
  'change a card in the dashboard and look into a sales channel': ['channels.dashboard-changes-pushed'],
  "read the recipient's emails": [
    'adjustment.sends-no-email',
    'automation.sends-its-email',
    'emails.notification-sent',
    'emails.none-by-default',
    'emails.gifted-takes-its-place',
    'emails.gift-flag-alone-sends-none',
    'emails.gifted-names-and-message',
    'emails.disabled-for-card',
  ],
  'read the email of an automation whose text uses a property of the event': ['automation.properties-in-email'],
  'read an email and look into a sales channel at the same time': ['emails.sent-after-channels'],
  'configure reminders for the account and advance its clock by weeks': ['delivery.reminder.on-reminder'],
  'use a card in an order, or change it in the dashboard with a notification': ['delivery.updated.on-balance-change'],
  "end the account's subscription": ['authentication.inactive-subscription', 'delivery.only-while-subscribed'],
  "read the dashboard's count of the monthly allowance": [
    'gift-card.create.counts-toward-allowance',
    'gift-card.void.leaves-allowance',
  ],
  "use up the account's allowance, whose size is unknown": ['limits.allowance-does-not-refuse'],
  "read the card's timeline in the dashboard": ['gift-card.create.timeline-records-origin'],
};
