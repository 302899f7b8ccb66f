import { createHash } from 'node:crypto';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract/contract.ts';

/** What a call wants done, as far as it takes to tell a repeat of it from something else. */
export interface Deed {
  readonly operation: OperationId;
  /** The value by which the service knows a repeat, with its name: `uniqueId "order-7"`. Null when the call has none. */
  readonly unique: string | null;
  /** A digest of what would be done. */
  readonly content: string;
  /** The same with what may differ between two attempts; null where it does not say for whom or what, as of a card for nobody. */
  readonly exactly: string | null;
}

/** What a repeat of an operation does; an operation that is not here may be repeated as it is. */
interface Harm {
  /** The properties by which the service knows a repeat, the best first. */
  readonly unique: readonly string[];
  /** Of the others, those that may differ between two attempts at the same thing. */
  readonly varying: readonly string[];
  /** Where not every one says for whom or what it is: the properties that do. */
  readonly meant?: readonly string[];
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
    meant: ['recipientEmailAddress', 'recipientName', 'customField1', 'customField2', 'customField3'],
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
  if (!harm) return { operation, unique: null, content: digest([parameters, body]), exactly: null };
  const given = (body ?? {}) as Readonly<Record<string, unknown>>;
  const name = harm.unique.find((each) => typeof given[each] === 'string' && given[each] !== '');
  const unique = name === undefined ? null : `${name} ${JSON.stringify(given[name])}`;
  const told = Object.entries(given)
    .filter(([each]) => !harm.unique.includes(each))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const isMeant = harm.meant === undefined || told.some(([each, value]) => harm.meant?.includes(each) && value);
  const content = digest(told.filter(([each]) => !harm.varying.includes(each)));
  return { operation, unique, content, exactly: isMeant ? digest(told) : null };
}

function digest(value: unknown): string {
  return createHash('sha1').update(JSON.stringify(value)).digest('base64');
}
