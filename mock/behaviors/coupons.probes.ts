import type { Fixture } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const COUPONS = '/api/WebStoreCoupon';
const SPRING = { code: 'SPRING', discountType: 'Percentage', discountValue: 10 } as const;
const STOCKED = { coupons: [{ id: '5d0c9a1e-8a55-4b43-9a9e-7f6b1c2d3e4f', ...SPRING, usageLimit: 3 }] };

/** Which of these names the coupon has. */
function namesOf({ ask }: Fixture, ...names: string[]): string[] {
  return Object.keys(ask('GET', `${COUPONS}/GetByCode/SPRING`).body).filter((name) => names.includes(name));
}

/** The questions of openapi/clauses/coupons.yaml. */
export const couponsProbes = {
  'coupon.discount-type-name': {
    account: STOCKED,
    observe: (fixture) => namesOf(fixture, 'discountType', 'type'),
    shows: { discountType: ['discountType'], type: ['type'] },
  },
  'coupon.discount-value-name': {
    account: STOCKED,
    observe: (fixture) => namesOf(fixture, 'discountValue', 'value', 'amount'),
    shows: { discountValue: ['discountValue'], value: ['value'], amount: ['amount'] },
  },
  'coupon.start-name': {
    account: STOCKED,
    observe: (fixture) => namesOf(fixture, 'startsAtUtc', 'startDate'),
    shows: { startsAtUtc: ['startsAtUtc'], startDate: ['startDate'] },
  },
  'coupon.end-name': {
    account: STOCKED,
    observe: (fixture) => namesOf(fixture, 'endsAtUtc', 'endDate', 'expiresAtUtc'),
    shows: { endsAtUtc: ['endsAtUtc'], endDate: ['endDate'], expiresAtUtc: ['expiresAtUtc'] },
  },
  'coupon.usage-limit-name': {
    account: STOCKED,
    observe: (fixture) => namesOf(fixture, 'usageLimit', 'maxUses'),
    shows: { usageLimit: ['usageLimit'], maxUses: ['maxUses'] },
  },
  'coupon.active-name': {
    account: STOCKED,
    observe: (fixture) => namesOf(fixture, 'isActive', 'active', 'enabled'),
    shows: { isActive: ['isActive'], active: ['active'], enabled: ['enabled'] },
  },
  'coupon.discount-types': {
    observe: ({ ask }) => {
      const { status, body } = ask('POST', `${COUPONS}/Create`, { ...SPRING, discountType: 'FreeShipping' });
      return status === 200 ? body.discountType : status;
    },
    shows: { 'Percentage-and-FixedAmount': 400, 'with-FreeShipping': 'FreeShipping' },
  },
  'coupon.code-unique': {
    account: STOCKED,
    observe: ({ ask }) => [ask('POST', `${COUPONS}/Create`, SPRING).status, ask('GET', `${COUPONS}/List`).body.length],
    shows: { refused: [400, 1], accepted: [200, 2] },
  },
  'coupon.code-letter-case': {
    account: STOCKED,
    observe: ({ ask }) => [
      ask('GET', `${COUPONS}/GetByCode/spring`).status,
      ask('POST', `${COUPONS}/Create`, { ...SPRING, code: 'spring' }).status,
    ],
    shows: { same: [200, 400], different: [404, 200] },
  },
  'coupon.update-is-whole': {
    account: STOCKED,
    observe: ({ ask }) => {
      const path = `${COUPONS}/Update/${STOCKED.coupons[0]?.id}`;
      const short = ask('PUT', path, { discountValue: 20 });
      const { usageLimit } = ask('PUT', path, { ...SPRING, discountValue: 30 }).body;
      return [short.status, short.body.discountValue, usageLimit];
    },
    shows: { whole: [400, undefined, null], 'given-properties-only': [200, 20, 3] },
  },
  'coupon.list-shape': {
    observe: ({ ask }) => ask('GET', `${COUPONS}/List`).body,
    shows: { array: [], coupons: { coupons: [] } },
  },
  'coupon.delete-body': {
    account: STOCKED,
    observe: ({ ask }) => ask('DELETE', `${COUPONS}/Delete/${STOCKED.coupons[0]?.id}`).body,
    shows: { true: true, empty: '' },
  },
  'coupon.unknown': {
    observe: ({ ask }) => ask('GET', `${COUPONS}/GetByCode/NONE`).status,
    shows: { '404': 404, '400': 400 },
  },
} satisfies Partial<Probes>;
