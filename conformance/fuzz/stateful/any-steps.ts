import fc, { type Arbitrary } from 'fast-check';
import { type By, type Meddling, mostSteps, type Step } from './steps.ts';

const card = fc.nat(3);
const by = fc.constantFrom<By>('code', 'ID');
const amount = fc.integer({ min: 1, max: 100 });
const is = <D extends Step['does']>(does: D) => fc.constant(does);

const create: Arbitrary<Step> = fc.record({ does: is('create'), amount });
const topUp: Arbitrary<Step> = fc.record({ does: is('top-up'), card, by, amount });
const redeem: Arbitrary<Step> = fc.record({ does: is('redeem'), card, by, amount });
const more = fc.constantFrom<-1 | 0 | 1>(0, 1, -1);
const redeemWhole: Arbitrary<Step> = fc.record({ does: is('redeem-whole'), card, by, more });
const adjustAgain: Arbitrary<Step> = fc.record({ does: is('adjust-again'), card, by, earlier: fc.nat(3), amount });
const unique = fc.constantFrom<'code' | 'uniqueId'>('code', 'uniqueId');
const createAgain: Arbitrary<Step> = fc.record({ does: is('create-again'), card, with: unique });
const voiding: Arbitrary<Step> = fc.record({ does: is('void'), card, by });
const get: Arbitrary<Step> = fc.record({ does: is('get'), card, by });
const history: Arbitrary<Step> = fc.record({ does: is('history'), card, by });
const list: Arbitrary<Step> = fc.record({ does: is('list') });
const since: Arbitrary<Step> = fc.record({ does: is('list-since'), card });
const pages: Arbitrary<Step> = fc.record({ does: is('list-pages'), size: fc.integer({ min: 1, max: 3 }) });
const what = fc.constantFrom<Meddling>('get', 'top-up', 'void', 'history');
const withKey: Arbitrary<Step> = fc.record({
  does: is('with-key'),
  key: fc.constantFrom<'second' | 'wrong'>('second', 'wrong'),
  what,
  card,
  by,
});

const step = fc.oneof(
  { arbitrary: create, weight: 8 },
  { arbitrary: topUp, weight: 3 },
  { arbitrary: redeem, weight: 4 },
  { arbitrary: redeemWhole, weight: 4 },
  { arbitrary: adjustAgain, weight: 2 },
  { arbitrary: createAgain, weight: 2 },
  { arbitrary: voiding, weight: 2 },
  { arbitrary: get, weight: 1 },
  { arbitrary: history, weight: 2 },
  { arbitrary: list, weight: 2 },
  { arbitrary: since, weight: 1 },
  { arbitrary: pages, weight: 1 },
  { arbitrary: withKey, weight: 2 },
);

/** Up to so many steps, of which the long rows are as likely as the short ones. */
export const anySteps = (most = mostSteps): Arbitrary<Step[]> => fc.array(step, { minLength: 1, maxLength: most, size: 'max' });
