import type { components } from '../../openapi/generated/types.ts';
import * as coupons from '../domain/coupons.ts';
import { formatTime } from '../domain/dates.ts';
import type { Context, Outcome } from '../domain/outcome.ts';
import { type Refusal, refuse, refused } from '../pipeline/refusal.ts';
import type { CouponRecord } from '../state/records.ts';
import type { OperationInput } from './operation-types.ts';
import { moment, text } from './values.ts';

type Schemas = components['schemas'];

export function listWebStoreCoupons(_: OperationInput<'listWebStoreCoupons'>, { state }: Context) {
  return { reply: [...state.coupons()].map(view), changes: [], effects: [] };
}

export function getWebStoreCouponById({ parameters }: OperationInput<'getWebStoreCouponById'>, context: Context) {
  return found(coupons.byId(parameters.id, context));
}

export function getWebStoreCouponByCode({ parameters }: OperationInput<'getWebStoreCouponByCode'>, context: Context) {
  return found(coupons.byCode(parameters.code, context));
}

export function createWebStoreCoupon({ body }: OperationInput<'createWebStoreCoupon'>, context: Context) {
  const wanted = read(body);
  return refused(wanted) ? wanted : shown(coupons.create(wanted, context));
}

/** coupon.update-is-whole: a property that is omitted gets the value that it gets at creation. */
export function updateWebStoreCoupon({ parameters, body }: OperationInput<'updateWebStoreCoupon'>, context: Context) {
  const wanted = read(body);
  return refused(wanted) ? wanted : shown(coupons.update(parameters.id, wanted, context));
}

export function deleteWebStoreCoupon({ parameters }: OperationInput<'deleteWebStoreCoupon'>, context: Context) {
  return coupons.remove(parameters.id, context);
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

function view(coupon: CouponRecord): Schemas['WebStoreCoupon'] {
  const { id, code, discountType, discountValue, startsAt, endsAt, usageLimit, isActive } = coupon;
  const [startsAtUtc, endsAtUtc] = [formatTime(startsAt), formatTime(endsAt)];
  return { id, code, discountType, discountValue, startsAtUtc, endsAtUtc, usageLimit, isActive };
}
