import type { ComponentChildren } from 'preact';
import type { AccountDetails, ListedCard, paths } from '../../../../mock/control/generated/types.ts';
import { Field } from '../../../components/form.tsx';
import { formatAmount } from '../../../components/formats.ts';

export interface ActedOn {
  readonly card: ListedCard;
  readonly account: AccountDetails;
  readonly areEmailsDisabled: boolean;
}

type PathOfCard = Extract<keyof paths, `/accounts/{account}/cards/{card}/${string}`>;

export interface CardAction {
  /** The word on the button. */
  readonly title: string;
  /** The statuses in which the control API accepts the action. Default: Active. */
  readonly statuses?: readonly ListedCard['status'][];
  /** True for an action that cannot be reversed. */
  readonly isFinal?: boolean;
  /** The fields of a form, by the names of the body's properties. Without fields, a dialog asks before the action. */
  readonly fields?: ComponentChildren;
  /** What the action will cause, one sentence each. */
  readonly causes: (on: ActedOn) => readonly string[];
  /** The path in the control API; null to delete the card. */
  readonly path: Exclude<PathOfCard, `${string}/${'timeline' | 'chain'}`> | null;
}

const amount = <Field label="Amount" name="amount" type="number" step="any" min="0" required />;
const order = <Field label="Order number" name="order" placeholder="1001" />;

const pushed = ({ account: { channels } }: ActedOn) =>
  `The card is pushed to ${channels.map(({ name }) => name).join(' and ') || 'no channel'}.`;

function delivered({ account: { webhooks, subscriptionActive } }: ActedOn, topic: string): string {
  const { length } = webhooks.filter(({ enabled }) => enabled);
  if (!subscriptionActive) return `Webhooks do not get ${topic}, because the subscription is not active.`;
  return length === 0
    ? `The account has no webhook that would get ${topic}.`
    : `${length} ${length === 1 ? 'webhook gets' : 'webhooks get'} ${topic}.`;
}

function notified(on: ActedOn, email: string, topic: string): string[] {
  const { card, areEmailsDisabled } = on;
  if (areEmailsDisabled) return [`Emails are disabled for the card, so neither the ${email} email nor ${topic} is sent.`];
  if (card.recipientEmailAddress === null)
    return [`The card has no recipient address, so neither the ${email} email nor ${topic} is sent.`];
  return [`${card.recipientEmailAddress} gets the ${email} email.`, delivered(on, topic)];
}

const changesBalance = (on: ActedOn) => [pushed(on), ...notified(on, 'balance change', 'giftcard/updated')];
const emptied = ({ card: { balance, currency } }: ActedOn) =>
  `The balance ${formatAmount(balance, currency)} becomes ${formatAmount(0, currency)}.`;

const adjust: CardAction = {
  title: 'Adjust',
  statuses: ['Active', 'Scheduled', 'Redeemed'],
  fields: (
    <>
      <Field
        label="Amount"
        hint="Positive for a top-up, negative for a redemption"
        name="amount"
        type="number"
        step="any"
        required
      />
      <Field label="Notes" name="notes" />
    </>
  ),
  causes: changesBalance,
  path: '/accounts/{account}/cards/{card}/adjustments',
};

const pay: CardAction = {
  title: 'Pay',
  fields: [amount, order],
  causes: changesBalance,
  path: '/accounts/{account}/cards/{card}/payments',
};

const redeem: CardAction = {
  title: 'Redeem',
  fields: order,
  causes: (on) => [emptied(on), ...changesBalance(on)],
  path: '/accounts/{account}/cards/{card}/redemption',
};

const refund: CardAction = {
  title: 'Refund',
  statuses: ['Active', 'Scheduled', 'Redeemed'],
  fields: [amount, order],
  causes: changesBalance,
  path: '/accounts/{account}/cards/{card}/refunds',
};

const gift: CardAction = {
  title: 'Gift',
  statuses: ['Active', 'Scheduled'],
  fields: (
    <>
      <Field label="Recipient's name" name="recipientName" required />
      <Field label="Recipient's email address" name="recipientEmailAddress" type="email" placeholder="ann@example.com" required />
      <Field label="Buyer's name" name="buyerName" required />
      <Field label="Message">
        <textarea name="giftMessage" rows={2} />
      </Field>
      <Field
        label="Send at (UTC)"
        hint="If empty, now. Until that time, the card is Scheduled."
        name="giftScheduledForUtc"
        type="datetime-local"
      />
    </>
  ),
  causes: (on) => [pushed(on), 'When the gift is sent, the recipient gets the gifted email.', delivered(on, 'giftcard/gifted')],
  path: '/accounts/{account}/cards/{card}/gift',
};

const remind: CardAction = {
  title: 'Remind',
  causes: (on) => notified(on, 'reminder', 'giftcard/reminder'),
  path: '/accounts/{account}/cards/{card}/reminder',
};

const voidCard: CardAction = {
  title: 'Void',
  statuses: ['Active', 'Scheduled', 'Redeemed', 'Expired'],
  isFinal: true,
  causes: (on) => [emptied(on), pushed(on), delivered(on, 'giftcard/voided'), 'No email is sent.', 'This cannot be undone.'],
  path: '/accounts/{account}/cards/{card}/void',
};

const remove: CardAction = {
  title: 'Delete',
  statuses: ['Active', 'Scheduled', 'Redeemed', 'Expired', 'Voided'],
  isFinal: true,
  causes: (on) => [
    pushed(on),
    'Afterwards the API finds the card only by ID, and lists it only with includeAll.',
    'Neither an email nor a delivery is sent.',
    'This cannot be undone.',
  ],
  path: null,
};

/** Returns the actions that the card's kind and status allow. */
export function cardActions({ kind, status, deletedAtUtc }: ListedCard): readonly CardAction[] {
  if (deletedAtUtc !== null) return [];
  const change = kind === 'voucher' ? [redeem] : [adjust, pay];
  const all = [...change, refund, remind, ...(kind === 'store-credit' ? [] : [gift]), voidCard, remove];
  // Only a redeemed voucher has something to refund.
  const allowed = kind === 'voucher' && status !== 'Redeemed' ? all.filter((each) => each !== refund) : all;
  return allowed.filter(({ statuses = ['Active'] }) => statuses.includes(status));
}
