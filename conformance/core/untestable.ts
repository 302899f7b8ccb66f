import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Policy, Why } from '../safety/policy.ts';
import type { Check } from './clause.ts';
import { clauseTexts } from './contract.ts';
import type { Need, Profile } from './target.ts';
import type { Reason } from './verdict.ts';

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

const reasonFor = (need: Need): Reason => reasons[need] ?? 'fixture-missing';

const reasons: Partial<Record<Need, Reason>> = {
  secondKey: 'no-second-key',
  noRateLimit: 'budget',
  receiver: 'no-receiver',
  clock: 'needs-control',
};

type Terms = Pick<Policy, 'patient' | 'inputs'>;

/** Those of the clauses that can be tried with what the profile offers. */
export function testableClauses(
  names: readonly ClauseName[],
  checks: readonly Check[],
  profile: Profile,
  policy: Terms = {},
): ClauseName[] {
  const able = new Set(checks.filter((check) => !whyNotOffered(check, profile, policy)).map(({ name }) => name));
  return names.filter((name) => able.has(name));
}

/** Why a check cannot be tried with what the profile offers; undefined where it can. */
export function whyNotOffered(check: Check, profile: Profile, policy: Terms): Why | undefined {
  if (check.inputs && policy.inputs === false)
    return { reason: 'not-allowed:inputs', detail: 'odd input is sent to this machine only, unless --inputs lets it' };
  if (check.inputs && policy.inputs === undefined && !profile.noRateLimit)
    return {
      reason: 'budget',
      detail: 'about four thousand requests of odd input, and the profile does not say noRateLimit; --inputs lets it',
    };
  if (check.burst && profile.noRateLimit) return { reason: 'budget', detail: 'the target says that it limits no rate' };
  if (check.burst && !profile.clock && !policy.patient) {
    const detail = 'minutes have to be waited out, for the profile gives no clock; --allow rate-limit lets it';
    return { reason: 'not-allowed:rate-limit', detail };
  }
  const isMissing = (each: Need) => profile[each] === undefined || profile[each] === false;
  const { needsOneOf = [] } = check;
  if (needsOneOf.length > 0 && needsOneOf.every(isMissing))
    return { reason: 'fixture-missing', detail: `the profile gives neither ${needsOneOf.join(' nor ')}` };
  const need = check.needs.find(isMissing);
  return need && whyNotGiven(need);
}

export const whyNotGiven = (need: Need): Why => ({ reason: reasonFor(need), detail: `the profile gives no ${need}` });
