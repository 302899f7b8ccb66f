import { type Fixture, NOON } from '../testing/fixture.ts';
import type { Probes } from './probe.ts';

const DAY = 86_400_000;

const created = ({ ask }: Fixture, fields: object) => ask('POST', '/api/GiftCard/Create', { balance: 25, ...fields });
const adjusted = ({ adjust }: Fixture, code: string, uniqueAdjustmentId: string) =>
  adjust(code, 1, { uniqueAdjustmentId }).status;

/** What became of the automations that waited for an event. */
const run = ({ ask }: Fixture, fields: object): string[] =>
  ask('POST', '/api/AutomationTriggerEvents', {
    ...{ event_name: 'review', recipient_email: 'rita@example.com', idempotency_key: 'key' },
    ...fields,
  }).body.automations.map(({ status }: { status: string }) => status);

const REVIEW = { name: 'Thanks', eventName: 'review' };

/** The questions of openapi/clauses/idempotency.yaml. */
export const idempotencyProbes = {
  'idempotency.create.repeat-with-taken-code': {
    observe: (fixture) => {
      fixture.create({ code: 'TAKEN', uniqueId: 'order-1' });
      const { body } = created(fixture, { code: 'TAKEN', uniqueId: 'order-1' });
      return ['TAKEN', 'order-1'].filter((named) => body.includes(named));
    },
    shows: { 'unique-id': ['order-1'], code: ['TAKEN'] },
  },
  'idempotency.adjustment.repeat-that-would-overdraw': {
    observe: (fixture) => {
      const { id: giftCardId } = fixture.create();
      const all = { giftCardId, adjustmentAmount: -25, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'sale-1' };
      const redeem = () => fixture.ask('POST', '/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', all);
      redeem();
      return redeem().body.includes('sale-1');
    },
    shows: { 'unique-id': true, balance: false },
  },
  'idempotency.create.after-void': {
    observe: (fixture) => {
      const { id } = fixture.create({ uniqueId: 'order-1' });
      fixture.ask('DELETE', `/api/GiftCard/VoidById/${id}`);
      return created(fixture, { uniqueId: 'order-1' }).status;
    },
    shows: { 'still-used': 400, free: 200 },
  },
  'idempotency.values-letter-case': {
    account: { automations: [REVIEW] },
    observe: (fixture) => {
      const { code } = fixture.create({ uniqueId: 'Order-1' });
      adjusted(fixture, code, 'Sale-1');
      run(fixture, {});
      return [
        created(fixture, { uniqueId: 'order-1' }).status,
        adjusted(fixture, code, 'sale-1'),
        run(fixture, { idempotency_key: 'KEY' }),
      ];
    },
    shows: { different: [200, 200, ['Created']], same: [400, 400, ['SkippedIdempotent']] },
  },
  'idempotency.values-kept': {
    account: { automations: [REVIEW] },
    observe: (fixture) => {
      const { code } = fixture.create({ uniqueId: 'order-1' });
      adjusted(fixture, code, 'sale-1');
      run(fixture, {});
      fixture.at(NOON + DAY);
      return [created(fixture, { uniqueId: 'order-1' }).status, adjusted(fixture, code, 'sale-1'), run(fixture, {})];
    },
    shows: { 'for-ever': [400, 400, ['SkippedIdempotent']], '24-hours': [200, 200, ['Created']] },
  },
  'idempotency.automation.skipped-run': {
    account: { automations: [{ ...REVIEW, usageLimit: 0 }] },
    observe: (fixture) => [...run(fixture, {}), ...run(fixture, {})],
    shows: { no: ['SkippedUsageLimit', 'SkippedUsageLimit'], yes: ['SkippedUsageLimit', 'SkippedIdempotent'] },
  },
  'idempotency.automation.other-recipient': {
    account: { automations: [REVIEW] },
    observe: (fixture) => [...run(fixture, {}), ...run(fixture, { recipient_email: 'ada@example.com' }), ...run(fixture, {})],
    shows: { yes: ['Created', 'SkippedIdempotent', 'SkippedIdempotent'], no: ['Created', 'Created', 'SkippedIdempotent'] },
  },
  'idempotency.value-spaces': {
    observe: (fixture) => {
      const { code } = fixture.create({ uniqueId: 'value-1' });
      const asAdjustment = adjusted(fixture, code, 'value-1');
      adjusted(fixture, code, 'value-2');
      return [asAdjustment, created(fixture, { uniqueId: 'value-2' }).status];
    },
    shows: { separate: [200, 200], shared: [400, 400] },
  },
  'idempotency.refused-request': {
    observe: (fixture) => {
      const { code } = fixture.create();
      created(fixture, { code, uniqueId: 'order-1' });
      adjusted(fixture, 'UNKNOWN', 'sale-1');
      return [created(fixture, { uniqueId: 'order-1' }).status, adjusted(fixture, code, 'sale-1')];
    },
    shows: { 'stays-free': [200, 200], 'used-up': [400, 400] },
  },
} satisfies Partial<Probes>;
