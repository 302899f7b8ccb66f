import type { components } from '../../openapi/generated/types.ts';
import type { Input } from '../contract/contract.ts';
import { time } from '../domain/calendar.ts';
import * as coupons from '../domain/coupons.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import type { CouponRecord } from '../state/records.ts';
import { moment, text } from './values.ts';

type Schemas = components['schemas'];

export function listWebStoreCoupons(_: Input, { state }: Context) {
  return { reply: [...state.coupons()].map(view), changes: [], effects: [] };
}

export function getWebStoreCouponById({ parameters }: Input, context: Context) {
  return found(coupons.byId(parameters.id as string, context));
}

export function getWebStoreCouponByCode({ parameters }: Input, context: Context) {
  return found(coupons.byCode(parameters.code as string, context));
}

export function createWebStoreCoupon({ body }: Input, context: Context) {
  const wanted = read(body as Schemas['CreateWebStoreCouponRequest']);
  return refused(wanted) ? wanted : shown(coupons.create(wanted, context));
}

/** coupon.update-is-whole: what is left out gets the value that it would get at creation, or keeps the one that it has. */
export function updateWebStoreCoupon({ parameters, body }: Input, context: Context) {
  const id = parameters.id as string;
  const kept = context.behaviors['coupon.update-is-whole'] === 'whole' ? undefined : coupons.byId(id, context);
  if (refused(kept)) return kept;
  const wanted = read(kept ? { ...view(kept), ...given(body as object) } : (body as Schemas['UpdateWebStoreCouponRequest']));
  return refused(wanted) ? wanted : shown(coupons.update(id, wanted, context));
}

/** What is there and not null (http.null-property). */
function given(body: object): object {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

export function deleteWebStoreCoupon({ parameters }: Input, context: Context) {
  return coupons.remove(parameters.id as string, context);
}

function read(body: Schemas['CreateWebStoreCouponRequest']): coupons.NewCoupon | Refusal {
  const startsAt = moment('startsAtUtc', body.startsAtUtc);
  if (refused(startsAt)) return startsAt;
  const endsAt = moment('endsAtUtc', body.endsAtUtc);
  if (refused(endsAt)) return endsAt;
  const { discountType, discountValue } = body;
  const code = text(body.code);
  if (code === null) return refuse('request.incomplete', 'code is missing');
  return {
    code,
    discountType,
    discountValue,
    startsAt,
    endsAt,
    usageLimit: body.usageLimit ?? null,
    isActive: body.isActive ?? true,
  };
}

function found(coupon: CouponRecord | Refusal) {
  return refused(coupon) ? coupon : { reply: view(coupon), changes: [], effects: [] };
}

function shown(outcome: Outcome<CouponRecord> | Refusal) {
  return refused(outcome) ? outcome : { ...outcome, reply: view(outcome.reply) };
}

function view({
  id,
  code,
  discountType,
  discountValue,
  startsAt,
  endsAt,
  usageLimit,
  isActive,
}: CouponRecord): Schemas['WebStoreCoupon'] {
  // Of a type of its own only where the contract has it (coupon.discount-types).
  const type = discountType as Schemas['DiscountType'];
  return {
    id,
    code,
    discountType: type,
    discountValue,
    startsAtUtc: time(startsAt),
    endsAtUtc: time(endsAt),
    usageLimit,
    isActive,
  };
}
