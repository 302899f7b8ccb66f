import {
  anyCoupon,
  coupon,
  couponFields,
  couponList,
  createCoupon,
  deleteCoupon,
  listCoupons,
  USES,
} from '../arrange/coupons.ts';
import { list } from '../arrange/lists.ts';
import { probe, somethingElse } from '../clause.ts';
import { accepted } from '../expect.ts';
import { statusOf, taken } from '../form.ts';
import { mentions, namedAs, recordWith } from '../structure.ts';
import { arranged, type Trial } from '../trial.ts';
import { Untested } from '../verdict.ts';

/** The names of a coupon, and nothing of what it says. */
async function names(t: Trial): Promise<Record<string, null>> {
  const record = await anyCoupon(t);
  return Object.fromEntries(Object.keys(record as object).map((name) => [name, null]));
}

probe('coupon.paths', {}, async (t) => {
  await t.control('the list of cards', async () => accepted(await list(t, { pageSize: 1 }), 'it'));
  const { status } = await listCoupons(t);
  return status === 200 ? 'named-like-the-others' : somethingElse(`answers ${status} at /api/WebStoreCoupon/List`);
});

probe('coupon.discount-type-name', {}, async (t) => namedAs(await names(t), 'discountType', 'type'));

probe('coupon.discount-value-name', {}, async (t) => namedAs(await names(t), 'discountValue', 'value', 'amount'));

probe('coupon.start-name', {}, async (t) => namedAs(await names(t), 'startsAtUtc', 'startDate'));

probe('coupon.end-name', {}, async (t) => namedAs(await names(t), 'endsAtUtc', 'endDate', 'expiresAtUtc'));

probe('coupon.usage-limit-name', {}, async (t) => namedAs(await names(t), 'usageLimit', 'maxUses'));

probe('coupon.active-name', {}, async (t) => namedAs(await names(t), 'isActive', 'active', 'enabled'));

probe('coupon.list-shape', {}, async (t) => {
  const { json } = await couponList(t);
  if (Array.isArray(json)) return 'array';
  const wrapped = (json as { coupons?: unknown }).coupons;
  return Array.isArray(wrapped) ? 'coupons' : somethingElse(`an object of ${Object.keys(json as object).join(', ')}`);
});

probe('coupon.unknown', {}, async (t) => {
  await couponList(t);
  const path = `/api/WebStoreCoupon/GetByCode/${t.run.ledger.fresh('GCSNONE')}`;
  return statusOf(await t.send('look up a coupon that is none', { method: 'GET', path }), '404', '400');
});

/** That coupons can be created with the names that are tried. */
const creatable = (t: Trial) => t.shared('a coupon', coupon);

probe('coupon.discount-types', {}, async (t) => {
  await creatable(t);
  const fields = { discountType: 'FreeShipping', type: 'FreeShipping' };
  const answer = await createCoupon(t, t.run.ledger.fresh('GCSCOUPON'), fields);
  return taken(answer, 'Percentage-and-FixedAmount', 'with-FreeShipping');
});

probe('coupon.code-unique', {}, async (t) => {
  const { code } = await creatable(t);
  return taken(await createCoupon(t, code), 'refused', 'accepted');
});

probe('coupon.code-letter-case', {}, async (t) => {
  const { code } = await creatable(t);
  const path = `/api/WebStoreCoupon/GetByCode/${code.toLowerCase()}`;
  const { status } = await t.send('look the coupon up in small letters', { method: 'GET', path });
  if (status === 200) return 'same';
  return status === 404 || status === 400 ? 'different' : somethingElse(`answers ${status}`);
});

probe('coupon.update-is-whole', {}, async (t) => {
  const { code, id, record } = await coupon(t);
  if (!mentions(record, USES)) throw new Untested('fact-missing', 'the coupon does not tell its number of uses');
  const path = `/api/WebStoreCoupon/Update/${encodeURIComponent(id)}`;
  const update = { method: 'PUT' as const, path, body: couponFields(code), odd: true };
  const answer = await t.send('update the coupon without its number of uses', update);
  if (answer.status !== 200) return somethingElse(`answers ${answer.status}`);
  const updated = recordWith(arranged(await listCoupons(t), 'listing coupons').json, code);
  return mentions(updated, USES) ? 'given-properties-only' : 'whole';
});

probe('coupon.delete-body', {}, async (t) => {
  const answer = await deleteCoupon(t, await coupon(t));
  if (answer.status !== 200 && answer.status !== 204) return somethingElse(`answers ${answer.status}`);
  if (answer.body === '') return 'empty';
  return answer.json === true ? 'true' : somethingElse('answers with something else');
});
