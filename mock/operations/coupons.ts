import type { components } from '../../openapi/generated/types.ts';
import * as coupons from '../domain/coupons.ts';
import { formatTime } from '../domain/dates.ts';
import type { Context } from '../domain/outcome.ts';
import { isRefused, type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CouponRecord } from '../state/records.ts';
import type { OperationInput } from './operation-types.ts';
import { mapResponse, optionalText, optionalTime, respondWith } from './values.ts';

type Schemas = components['schemas'];

export function listWebStoreCoupons(_: OperationInput<'listWebStoreCoupons'>, { state }: Context) {
  return respondWith([...state.coupons()].map(couponView));
}

export function getWebStoreCouponById({ parameters }: OperationInput<'getWebStoreCouponById'>, context: Context) {
  return read(coupons.couponById(parameters.id, context));
}

export function getWebStoreCouponByCode({ parameters }: OperationInput<'getWebStoreCouponByCode'>, context: Context) {
  return read(coupons.couponByCode(parameters.code, context));
}

export function createWebStoreCoupon({ body }: OperationInput<'createWebStoreCoupon'>, context: Context) {
  const wanted = parse(body);
  return isRefused(wanted) ? wanted : mapResponse(coupons.createCoupon(wanted, context), couponView);
}

/** Replaces the whole coupon (coupon.update-is-whole). */
export function updateWebStoreCoupon({ parameters, body }: OperationInput<'updateWebStoreCoupon'>, context: Context) {
  const wanted = parse(body);
  return isRefused(wanted) ? wanted : mapResponse(coupons.update(parameters.id, wanted, context), couponView);
}

export function deleteWebStoreCoupon({ parameters }: OperationInput<'deleteWebStoreCoupon'>, context: Context) {
  return coupons.removeCoupon(parameters.id, context);
}

function parse(body: Schemas['CreateWebStoreCouponRequest']): coupons.NewCoupon | Refusal {
  const startsAt = optionalTime('startsAtUtc', body.startsAtUtc);
  if (isRefused(startsAt)) return startsAt;
  const endsAt = optionalTime('endsAtUtc', body.endsAtUtc);
  if (isRefused(endsAt)) return endsAt;
  const { discountType, discountValue } = body;
  const code = optionalText(body.code);
  if (code === null) return refuse('request.incomplete', 'code is missing');
  const [usageLimit, isActive] = [body.usageLimit ?? null, body.isActive ?? true];
  return { code, discountType, discountValue, startsAt, endsAt, usageLimit, isActive };
}

function read(coupon: CouponRecord | Refusal) {
  return isRefused(coupon) ? coupon : respondWith(couponView(coupon));
}

function couponView(coupon: CouponRecord): Schemas['WebStoreCoupon'] {
  const { id, code, discountType, discountValue, startsAt, endsAt, usageLimit, isActive } = coupon;
  const [startsAtUtc, endsAtUtc] = [formatTime(startsAt), formatTime(endsAt)];
  return { id, code, discountType, discountValue, startsAtUtc, endsAtUtc, usageLimit, isActive };
}
