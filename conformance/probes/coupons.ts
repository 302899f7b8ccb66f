import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted } from '../core/expect.ts';
import { otherBody, statusOf, taken } from '../core/form.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { arraysIn, instantOf, mentions, namedAs, recordWith, stepsTo } from '../http/structure.ts';
import { rowAt } from '../learn/rows.ts';
import {
  anyCoupon,
  type Coupon,
  coupon,
  couponFields,
  couponList,
  createCoupon,
  deleteCoupon,
  ENDS,
  listCoupons,
  STARTS,
  USES,
} from '../scenarios/coupons.ts';
import { list } from '../scenarios/lists.ts';
import { onlyPlace, wrappedIn } from './names.ts';

/** The name of a property: of whatever coupon there is where it is listed, or else of one of the run's own, by what that was made of. */
async function named<const Name extends string>(t: Trial, part: CouponPart, ...behaviors: Name[]): Promise<Name | SomethingElse> {
  const names = Object.fromEntries(Object.keys((await anyCoupon(t)) as object).map((name) => [name, null]));
  const seen = namedAs(names, ...behaviors);
  if (typeof seen === 'string') return seen;
  const path = await ownPlace(t, part);
  const listed = behaviors.find((name) => path === `/${name}`);
  if (listed !== undefined) return listed;
  return path === undefined
    ? seen
    : somethingElse(`under ${stepsTo(path) ?? path}`, { rows: rowAt(`WebStoreCoupon.${part}`, path) });
}

async function ownPlace(t: Trial, part: CouponPart): Promise<string | undefined> {
  try {
    const { record } = await creatable(t);
    return onlyPlace(record, (value) => (instantOf(value) ?? value) === own[part]);
  } catch (error) {
    // One that the run must not make, or cannot, tells nothing.
    if (error instanceof Untested) return undefined;
    throw error;
  }
}

type CouponPart = keyof typeof own;

/** What a coupon of the run is made of, under the contract's names. */
const own = {
  discountType: 'Percentage',
  discountValue: 1,
  startsAtUtc: Date.parse(STARTS),
  endsAtUtc: Date.parse(ENDS),
  usageLimit: USES,
  isActive: false,
} as const;

probe('coupon.paths', {}, async (t) => {
  await t.control('the list of cards', async () => accepted(await list(t, { pageSize: 1 }), 'it'));
  const { status } = await listCoupons(t);
  return status === 200 ? 'named-like-the-others' : somethingElse(`answers ${status} at /api/WebStoreCoupon/List`);
});

probe('coupon.discount-type-name', {}, (t) => named(t, 'discountType', 'discountType', 'type'));

probe('coupon.discount-value-name', {}, (t) => named(t, 'discountValue', 'discountValue', 'value', 'amount'));

probe('coupon.start-name', {}, (t) => named(t, 'startsAtUtc', 'startsAtUtc', 'startDate'));

probe('coupon.end-name', {}, (t) => named(t, 'endsAtUtc', 'endsAtUtc', 'endDate', 'expiresAtUtc'));

probe('coupon.usage-limit-name', {}, (t) => named(t, 'usageLimit', 'usageLimit', 'maxUses'));

probe('coupon.active-name', {}, (t) => named(t, 'isActive', 'isActive', 'active', 'enabled'));

probe('coupon.list-shape', {}, async (t) => {
  const { json } = await couponList(t);
  return Array.isArray(json) ? 'array' : wrappedIn(arraysIn(json)[0]?.path, ['coupons']);
});

probe('coupon.unknown', {}, async (t) => {
  await couponList(t);
  const path = `/api/WebStoreCoupon/GetByCode/${t.run.ledger.fresh('GCSNONE')}`;
  return statusOf(await t.send('look up a coupon that is none', { method: 'GET', path }), '404', '400');
});

/** That coupons can be created with the names that are tried. */
function creatable(t: Trial): Promise<Coupon> {
  return t.shared('a coupon', coupon);
}

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
  return answer.json === true ? 'true' : otherBody(answer.json);
});
