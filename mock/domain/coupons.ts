import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CouponRecord } from '../state/records.ts';
import type { Context, Outcome } from './outcome.ts';

/** The specification only says that coupons can be managed (coupon.can-be-managed). Every other rule in this file is our choice. */
export type NewCoupon = Omit<CouponRecord, 'id'>;

export function couponById(id: string, { state }: Context): CouponRecord | Refusal {
  return state.coupon(id) ?? refuse('coupon.not-found', `the id ${id}`); // coupon.unknown
}

export function couponByCode(code: string, context: Context): CouponRecord | Refusal {
  return withCode(code, context) ?? refuse('coupon.not-found', `the code ${code}`);
}

export function createCoupon(wanted: NewCoupon, context: Context): Outcome<CouponRecord> | Refusal {
  if (isTaken(wanted.code, undefined, context)) return refuse('coupon.code-taken', wanted.code);
  return put({ id: context.newId(), ...wanted });
}

export function update(id: string, wanted: NewCoupon, context: Context): Outcome<CouponRecord> | Refusal {
  if (!context.state.coupon(id)) return refuse('coupon.not-found', `the id ${id}`);
  if (isTaken(wanted.code, id, context)) return refuse('coupon.code-taken', wanted.code);
  return put({ id, ...wanted });
}

export function removeCoupon(id: string, { state }: Context): Outcome<true> | Refusal {
  if (!state.coupon(id)) return refuse('coupon.not-found', `the id ${id}`);
  return { response: true, changes: [{ table: 'coupons', remove: id }], effects: [] }; // coupon.delete-body
}

function put(coupon: CouponRecord): Outcome<CouponRecord> {
  return { response: coupon, changes: [{ table: 'coupons', put: coupon }], effects: [] };
}

/** Reports whether a coupon other than `id` has the code (coupon.code-unique). */
function isTaken(code: string, id: string | undefined, context: Context): boolean {
  const owner = withCode(code, context);
  return owner !== undefined && owner.id !== id;
}

/** Finds a coupon by its code, in any letter case (coupon.code-letter-case). */
function withCode(code: string, { state }: Context): CouponRecord | undefined {
  return [...state.coupons()].find((coupon) => coupon.code.toLowerCase() === code.toLowerCase());
}
