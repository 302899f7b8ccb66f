import { type Refusal, refuse } from '../pipeline/refusal.ts';
import type { CouponRecord } from '../state/records.ts';
import type { Context, Outcome } from './outcome.ts';

/** The specification only says that coupons can be listed, looked up, created, updated and deleted (coupon.can-be-managed). The rest is our choice. */
export type NewCoupon = Omit<CouponRecord, 'id'>;

export function byId(id: string, { state }: Context): CouponRecord | Refusal {
  return state.coupon(id) ?? refuse('coupon.not-found', `the id ${id}`); // coupon.unknown
}

export function byCode(code: string, context: Context): CouponRecord | Refusal {
  return withCode(code, context) ?? refuse('coupon.not-found', `the code ${code}`);
}

export function create(wanted: NewCoupon, context: Context): Outcome<CouponRecord> | Refusal {
  if (isTaken(wanted.code, undefined, context)) return refuse('coupon.code-taken', wanted.code);
  return put({ id: context.newId(), ...wanted });
}

export function update(id: string, wanted: NewCoupon, context: Context): Outcome<CouponRecord> | Refusal {
  if (!context.state.coupon(id)) return refuse('coupon.not-found', `the id ${id}`);
  if (isTaken(wanted.code, id, context)) return refuse('coupon.code-taken', wanted.code);
  return put({ id, ...wanted });
}

export function remove(id: string, { state }: Context): Outcome<true> | Refusal {
  if (!state.coupon(id)) return refuse('coupon.not-found', `the id ${id}`);
  return { reply: true, changes: [{ table: 'coupons', remove: id }], effects: [] }; // coupon.delete-body
}

function put(coupon: CouponRecord): Outcome<CouponRecord> {
  return { reply: coupon, changes: [{ table: 'coupons', put: coupon }], effects: [] };
}

/** Whether a coupon other than `id` has the code (coupon.code-unique). */
function isTaken(code: string, id: string | undefined, context: Context): boolean {
  const owner = withCode(code, context);
  return owner !== undefined && owner.id !== id;
}

/** In any letter case (coupon.code-letter-case). */
function withCode(code: string, { state }: Context): CouponRecord | undefined {
  const wanted = code.toLowerCase();
  for (const coupon of state.coupons()) if (coupon.code.toLowerCase() === wanted) return coupon;
  return undefined;
}
