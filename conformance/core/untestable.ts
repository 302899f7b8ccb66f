import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Policy, Why } from '../safety/policy.ts';
import type { Check } from './clause.ts';
import { clauseTexts } from './contract.ts';
import type { Need, Profile } from './target.ts';
import type { Reason } from './verdict.ts';

/** Why the suite has no test of a clause: it would need something that no request and no delivery provides. */
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

/** All clauses named in this file. */
export const clausesWithoutTest = (): readonly ClauseName[] => ['delivery.time-out', ...Object.values(clausesByNeed).flat()];

/** What a test would have to do, and the clauses that need it. */
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

const reasons: Partial<Record<Need, Reason>> = {
  secondKey: 'no-second-key',
  noRateLimit: 'budget',
  receiver: 'no-receiver',
  clock: 'needs-control',
};

export const whyNotGiven = (need: Need): Why => ({
  reason: reasons[need] ?? 'fixture-missing',
  detail: `the profile does not have ${need}`,
});

type Terms = Pick<Policy, 'patient' | 'inputs'>;

/** The clauses that can be tested with the entries of the profile. */
export function testableClauses(
  names: readonly ClauseName[],
  checks: readonly Check[],
  profile: Profile,
  policy: Terms = {},
): ClauseName[] {
  const able = new Set(checks.filter((check) => !whyNotOffered(check, profile, policy)).map(({ name }) => name));
  return names.filter((name) => able.has(name));
}

/** Why a clause cannot be tested with the entries of the profile; undefined if it can. */
export function whyNotOffered(
  { inputs, burst, needs, needsOneOf = [] }: Check,
  profile: Profile,
  { inputs: mayGenerate = profile.noRateLimit, patient }: Terms,
): Why | undefined {
  if (inputs && !mayGenerate) {
    const detail = 'a run sends generated input only to a local target without a rate limit; run "conformance fuzz inputs"';
    return { reason: 'not-allowed:inputs', detail };
  }
  if (burst && profile.noRateLimit) return { reason: 'budget', detail: 'the profile says that the target has no rate limit' };
  if (burst && !profile.clock && !patient) {
    const detail = 'the profile has no clock, so the test waits for minutes; use --allow rate-limit';
    return { reason: 'not-allowed:rate-limit', detail };
  }
  const isMissing = (each: Need) => profile[each] === undefined || profile[each] === false;
  if (needsOneOf.length > 0 && needsOneOf.every(isMissing))
    return { reason: 'fixture-missing', detail: `the profile has neither ${needsOneOf.join(' nor ')}` };
  const need = needs.find(isMissing);
  return need && whyNotGiven(need);
}
