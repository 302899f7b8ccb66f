import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Why } from '../safety/policy.ts';
import { clauseTexts } from './contract.ts';
import type { Reason } from './verdict.ts';

/** Why a clause has no check: no request and no delivery shows it. Each sentence says what would have to be seen or done instead. */
export function beyondReach(name: ClauseName): Why {
  const why = reasons.get(name);
  if (why) return why;
  const reason = clauseTexts.get(name)?.reason;
  return { reason: 'untestable', detail: reason ?? 'the run was given no check of it' };
}

/** Clauses as they stand here, for the test that none is forgotten, none has a check besides, and none stands here twice. */
export const withoutCheck = (): readonly ClauseName[] => needed.flatMap(([, , names]) => names);

const needed: readonly (readonly [Reason, string, readonly ClauseName[]])[] = [
  [
    'needs-control',
    'a sales channel would have to be looked at',
    [
      'adjustment.pushed-to-channels',
      'channels.api-changes-pushed',
      'channels.automation-cards',
      'gift-card.create.added-to-channels-after-answer',
      'gift-card.create.unaccepted-code-shows-sync-error',
      'gift-card.void.zeroes-balance-in-channels',
      'gift-card.void.leaves-card-in-channels',
    ],
  ],
  [
    'needs-control',
    'a balance would have to be changed inside a sales channel, and the channels looked at',
    ['adjustment.corrects-channel-drift', 'channels.own-changes-drift'],
  ],
  [
    'needs-control',
    'a balance would have to be changed inside a sales channel, with nothing bought or sold',
    ['channels.own-changes-not-picked-up'],
  ],
  ['needs-control', 'a sales channel would have to be looked at once a card has expired', ['channels.expiry']],
  [
    'needs-control',
    'something would have to be changed in the dashboard, and a sales channel looked at',
    ['channels.dashboard-changes-pushed'],
  ],
  [
    'needs-control',
    "the recipient's emails would have to be read",
    [
      'adjustment.sends-no-email',
      'automation.sends-its-email',
      'emails.notification-sent',
      'emails.none-by-default',
      'emails.gifted-takes-its-place',
      'emails.gift-flag-alone-sends-none',
      'emails.gifted-names-and-message',
      'emails.disabled-for-card',
      'gift-card.void.email',
    ],
  ],
  [
    'needs-control',
    'the email of an automation whose text names a property of the event would have to be read',
    ['automation.properties-in-email', 'automation.unknown-email-property'],
  ],
  [
    'needs-control',
    'an email would have to be read, and a sales channel looked at at the same time',
    ['emails.sent-after-channels'],
  ],
  [
    'needs-control',
    'a sales channel would have to refuse a card, and the email about the card be waited for',
    ['emails.channels-failing'],
  ],
  ['needs-control', 'the emails of a recipient whose card has expired would have to be read', ['emails.of-expired-card']],
  [
    'needs-control',
    'reminders would have to be set for the account, and weeks pass on its clock',
    ['emails.reminder-when', 'delivery.reminder.on-reminder'],
  ],
  [
    'needs-control',
    'a card would have to be used in an order, or changed in the dashboard with a notification',
    ['delivery.updated.on-balance-change'],
  ],
  [
    'needs-control',
    "the account's subscription would have to lapse",
    ['authentication.inactive-subscription', 'delivery.only-while-subscribed', 'delivery.missed-while-unsubscribed'],
  ],
  ['needs-control', "the account's plan would have to change during the run", ['authentication.plan-change-takes-effect']],
  [
    'needs-control',
    'a key would have to be deleted in the dashboard during the run',
    ['authentication.deleted-key-takes-effect'],
  ],
  [
    'needs-control',
    "the dashboard's count of the month's allowance would have to be read",
    ['gift-card.create.counts-toward-allowance', 'gift-card.void.leaves-allowance', 'limits.allowance-counts-automation-cards'],
  ],
  [
    'needs-control',
    "the dashboard's count of the allowance would have to be read in two months",
    ['limits.allowance-month', 'limits.allowance-void-in-later-month'],
  ],
  [
    'needs-control',
    "the account's allowance, whose size nobody is told, would have to be used up",
    ['limits.allowance-does-not-refuse'],
  ],
  [
    'needs-control',
    "the card's timeline would have to be looked at in the dashboard",
    ['gift-card.create.timeline-records-origin'],
  ],
  ['needs-control', 'a card would have to be deleted during the run, which no request does', ['list.update-by-deletion']],
  ['needs-control', 'a card would have to be changed in the dashboard during the run', ['list.update-by-dashboard-change']],
  ['needs-control', 'somebody would have to look in the dashboard what deletes a card', ['gift-card.deleted-by']],
  ['needs-control', 'somebody would have to look in the dashboard what makes a card a voucher', ['gift-card.voucher-made-by']],
  [
    'needs-control',
    'requests with two keys of the account would have to come from two addresses, since from one the account and the address look alike',
    ['limits.rate-scope'],
  ],
  [
    'budget',
    'an answer to a delivery would have to be held back for half a minute and more, which is longer than a check may take',
    ['delivery.time-out'],
  ],
];

const reasons = new Map(
  needed.flatMap(([reason, detail, names]) => names.map((name): [ClauseName, Why] => [name, { reason, detail }])),
);
