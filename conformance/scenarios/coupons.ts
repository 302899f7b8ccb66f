import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { arrays, idOf, recordWith } from '../http/structure.ts';

/** Web store coupons, of which nothing is given: paths like those of the other resources are tried, and names that are likely. */

const way = { what: 'coupon', list: '/api/WebStoreCoupon/List', remove: '/api/WebStoreCoupon/Delete/{id}' } as const;

export const listCoupons = (t: Trial): Promise<Answer> => t.send('list coupons', { method: 'GET', path: way.list });

/** The list, or Untested where there is none at that path. */
export async function couponList(t: Trial): Promise<Answer> {
  const answer = await t.shared('the list of coupons', listCoupons);
  if (answer.status !== 200 || arrays(answer.json).length === 0)
    throw new Untested('fact-missing', `GET ${way.list} answers ${answer.status}, and no other path is given`);
  return answer;
}

/** A record of a coupon, for its names only; one is created where the account has none. */
export async function anyCoupon(t: Trial): Promise<unknown> {
  const [first] = arrays((await couponList(t)).json)[0] ?? [];
  return first ?? (await t.shared('a coupon', coupon)).record;
}

/** What a coupon may be made of, under each of the names that are likely; switched off, so that nobody can use it. */
export const couponFields = (code: string): Record<string, unknown> => ({
  code,
  discountType: 'Percentage',
  type: 'Percentage',
  discountValue: 1,
  value: 1,
  amount: 1,
  isActive: false,
  active: false,
  enabled: false,
});

/** An unlikely number of uses, so that it is known again under any name. */
export const USES = 4_711;

/** When it begins and ends, likewise. */
export const STARTS = '2031-02-03T04:05:06.000Z';
export const ENDS = '2032-03-04T05:06:07.000Z';

/** Asks for a coupon, which the ledger has before, and judges nothing. */
export async function createCoupon(t: Trial, code: string, fields: Record<string, unknown> = {}): Promise<Answer> {
  await couponList(t);
  const entry = entryOf(t, code) ?? t.run.ledger.openRecord(way, code);
  const body = { ...couponFields(code), ...fields };
  const ask: Ask = { method: 'POST', path: '/api/WebStoreCoupon/Create', body, odd: true, entry };
  const answer = await t.send('create a coupon', ask);
  // One that is refused for its code leaves the one that has it.
  if (entry.state === 'asked' || answer.status === 200) t.run.ledger.settle(entry, answer);
  return answer;
}

const entryOf = (t: Trial, code: string) => t.run.ledger.all.find((entry) => entry.kind === 'record' && entry.url === code);

/** Deletes the coupon by its id, and notes that it is gone once the list shows it no more. */
export async function deleteCoupon(t: Trial, { code, id }: Coupon): Promise<Answer> {
  const path = way.remove.replace('{id}', encodeURIComponent(id));
  const entry = entryOf(t, code);
  if (entry?.kind === 'record') {
    t.run.ledger.shown(entry);
    t.run.ledger.mayBeGone(entry);
  }
  const answer = await t.send('delete the coupon', { method: 'DELETE', path });
  const left = await listCoupons(t);
  if (entry && left.status === 200 && recordWith(left.json, code) === undefined) t.run.ledger.gone(entry);
  return answer;
}

export interface Coupon {
  code: string;
  id: string | number;
  record: unknown;
}

/** A coupon that exists and is limited to so many uses. Untested where none can be created with the names that are tried. */
export async function coupon(t: Trial): Promise<Coupon> {
  const code = t.run.ledger.fresh('GCSCOUPON');
  const limited = { usageLimit: USES, maxUses: USES };
  const dated = { startsAtUtc: STARTS, startDate: STARTS, endsAtUtc: ENDS, endDate: ENDS, expiresAtUtc: ENDS };
  let { status } = await createCoupon(t, code, { ...limited, ...dated });
  if (status !== 200) ({ status } = await createCoupon(t, code, limited));
  const record = recordWith((await listCoupons(t)).json, code);
  const id = idOf(record);
  if (status !== 200 || id === undefined)
    throw new Untested('fact-missing', `no coupon could be created with the names that are tried: ${status}`);
  return { code, id, record };
}
