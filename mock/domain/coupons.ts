import type { Context, Outcome } from '../outcome.ts';
import type { CouponRecord } from '../records.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** The specification says only that coupons can be listed, looked up, created, updated and deleted (coupon.can-be-managed); the rest is ours. */
export type NewCoupon = Omit<CouponRecord, 'id'>;

export function byId(id: string, { state }: Context): CouponRecord | Refusal {
  return state.coupon(id) ?? refuse('coupon.not-found', `the id ${id}`); // coupon.unknown
}

export function byCode(code: string, context: Context): CouponRecord | Refusal {
  return withCode(code, context) ?? refuse('coupon.not-found', `the code ${code}`);
}

export function create(wanted: NewCoupon, context: Context): Outcome<CouponRecord> | Refusal {
  if (withCode(wanted.code, context)) return refuse('coupon.code-taken', wanted.code); // coupon.code-unique
  return put({ id: context.newId(), ...wanted });
}

/** What is left out gets the value that it would get at creation (coupon.update-is-whole). */
export function update(id: string, wanted: NewCoupon, context: Context): Outcome<CouponRecord> | Refusal {
  if (!context.state.coupon(id)) return refuse('coupon.not-found', `the id ${id}`);
  const holder = withCode(wanted.code, context);
  if (holder && holder.id !== id) return refuse('coupon.code-taken', wanted.code);
  return put({ id, ...wanted });
}

export function remove(id: string, { state }: Context): Outcome<true> | Refusal {
  if (!state.coupon(id)) return refuse('coupon.not-found', `the id ${id}`);
  return { reply: true, changes: [{ table: 'coupons', remove: id }], effects: [] }; // coupon.delete-body
}

function put(coupon: CouponRecord): Outcome<CouponRecord> {
  return { reply: coupon, changes: [{ table: 'coupons', put: coupon }], effects: [] };
}

/** coupon.code-letter-case: the same code in any letter case. */
function withCode(code: string, { state }: Context): CouponRecord | undefined {
  for (const coupon of state.coupons()) if (coupon.code.toLowerCase() === code.toLowerCase()) return coupon;
  return undefined;
}
