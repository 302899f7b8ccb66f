import { createHash } from 'node:crypto';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract.ts';

/** What a call wants done, as far as it takes to tell a repeat of it from something else. */
export interface Deed {
  readonly operation: OperationId;
  /** The value by which the service knows a repeat, with its name: `uniqueId "order-7"`. Null when the call has none. */
  readonly unique: string | null;
  /** A digest of what would be done. */
  readonly content: string;
}

/** What a repeat of an operation does; an operation that is not here may be repeated as it is. */
interface Harm {
  /** The properties by which the service knows a repeat, the best first. */
  readonly unique: readonly string[];
  /** Of the others, those that may differ between two attempts at the same thing. */
  readonly varying: readonly string[];
  /** "the card", and what comes of doing it twice. */
  readonly doubled: string;
}

const adjustment: Harm = {
  unique: ['uniqueAdjustmentId'],
  varying: ['notes', 'actionedAtUtc'],
  doubled: 'counts the amount twice',
};

export const harms: { readonly [id in OperationId]?: Harm } = {
  createGiftCard: {
    unique: ['uniqueId', 'code'],
    varying: ['notes', 'expiresAtUtc', 'giftScheduledForUtc'],
    doubled: 'makes a second card',
  },
  addAdjustmentByGiftCardCode: adjustment,
  addAdjustmentByGiftCardId: adjustment,
  createAutomationTriggerEvent: { unique: ['idempotency_key'], varying: [], doubled: 'gives the reward twice' },
  createWebhook: {
    unique: [],
    varying: ['description', 'requestHeaderVerificationToken'],
    doubled: 'makes a second registration, so that everything is delivered twice',
  },
  createWebStoreCoupon: { unique: ['code'], varying: [], doubled: 'makes a second coupon' },
};

export function deedOf(operation: OperationId, { parameters, body }: Input): Deed {
  const harm = harms[operation];
  if (!harm) return { operation, unique: null, content: digest([parameters, body]) };
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const name = harm.unique.find((each) => typeof given[each] === 'string' && given[each] !== '');
  const unique = name === undefined ? null : `${name} ${JSON.stringify(given[name])}`;
  const told = Object.entries(given).filter(([each]) => !harm.unique.includes(each) && !harm.varying.includes(each));
  return { operation, unique, content: digest(told.sort(([one], [other]) => (one < other ? -1 : 1))) };
}

function digest(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64');
}
