import { describe, expect, test } from 'vitest';
import { effectsOfRequest, type TargetRequest } from './effects.ts';
import type { LedgerEntry } from './entries.ts';
import { Gate } from './gate.ts';
import { type Allowance, type Mode, policyOf, policyWithWebhooks, Untested } from './policy.ts';

const create = (body: Record<string, unknown> = {}): TargetRequest => ({
  method: 'POST',
  path: '/api/GiftCard/Create',
  body: { balance: 1, disableEmails: true, ...body },
});
const list: TargetRequest = { method: 'GET', path: '/api/GiftCard/List' };
const emailing = create({ shouldSendNotification: true, disableEmails: false });
const register: TargetRequest = { method: 'POST', path: '/api/Webhook/Create', body: { url: 'https://example.com' } };
const event: TargetRequest = { method: 'POST', path: '/api/AutomationTriggerEvents', body: {} };
const voiding: TargetRequest = { method: 'DELETE', path: '/api/GiftCard/VoidByCode/A1' };
const burst = { ...list, burst: true };

describe('effects are derived from the request', () => {
  test.each<[string, TargetRequest, object]>([
    ['a look-up', list, { changes: false, creates: 0 }],
    ['a create', create(), { changes: true, creates: 1, faceValue: 1, emails: 0 }],
    ['a create without disableEmails and without a notification', create({ disableEmails: undefined }), { emails: 0 }],
    ['a create with a notification', emailing, { emails: 1 }],
    ['a create with a notification and with disabled emails', create({ shouldSendNotification: true }), { emails: 0 }],
    [
      'a create whose notification is not a boolean',
      create({ shouldSendNotification: 'no', disableEmails: 'true' }),
      { emails: 1 },
    ],
    ['names in another letter case', create({ ShouldSendNotification: true, disableEmails: undefined }), { emails: 1 }],
    ['a balance as text', create({ balance: '12.5' }), { faceValue: 12.5 }],
    ['a path in another letter case', { ...create(), path: '/api//giftcard/CREATE/' }, { creates: 1 }],
    ['a path with escapes', { ...create(), path: '/api/GiftCard/%43reate' }, { creates: 1 }],
    [
      'a text',
      { method: 'POST', path: '/api/GiftCard/Create', text: '{"balance":3,"shouldSendNotification":true}' } as TargetRequest,
      { faceValue: 3, emails: 1 },
    ],
    [
      'a text that is not JSON',
      { method: 'POST', path: '/api/GiftCard/Create', text: '{"shouldSendNotification":tru' } as TargetRequest,
      { creates: 1, emails: 1 },
    ],
    [
      'a GET with an overridden method',
      { ...list, headers: { 'X-HTTP-Method-Override': 'DELETE' } } as TargetRequest,
      { changes: true },
    ],
    ['a registration', register, { webhooks: 1 }],
    ['an event', event, { events: 1 }],
    ['a void', voiding, { voids: 1 }],
    ['a burst', burst, { burst: true, changes: false }],
  ])('%s', (_, request, expected) => expect(effectsOfRequest(request)).toMatchObject(expected));
});

const gate = (mode: Mode, allow: Allowance[] = [], budget: Parameters<typeof policyOf>[2] = {}) =>
  new Gate(policyOf(mode, allow, budget));

function reason(on: Gate, request: TargetRequest): string {
  try {
    on.admit(request);
    return 'sent';
  } catch (thrown) {
    return thrown instanceof Untested ? thrown.reason : String(thrown);
  }
}

describe('modes and allowances', () => {
  test.each<[Mode, Allowance[], TargetRequest, string]>([
    ['read-only', [], list, 'sent'],
    ['read-only', [], create(), 'mode'],
    ['read-only', [], voiding, 'mode'],
    ['read-only', ['email', 'webhooks'], register, 'mode'],
    ['safe', [], create(), 'sent'],
    ['safe', [], emailing, 'not-allowed:email'],
    ['safe', ['email'], emailing, 'sent'],
    ['safe', [], register, 'not-allowed:webhooks'],
    ['safe', ['webhooks'], register, 'sent'],
    ['safe', [], event, 'not-allowed:automation'],
    ['safe', ['automation'], event, 'sent'],
    ['safe', [], burst, 'not-allowed:rate-limit'],
    ['safe', ['rate-limit'], burst, 'sent'],
    ['full', [], emailing, 'sent'],
    ['full', [], event, 'sent'],
  ])('%s, allowed %j', (mode, allow, request, expected) => expect(reason(gate(mode, allow), request)).toBe(expected));

  test.each([1, 'unknown'] as const)(
    'with webhooks on the account (%j), a safe run changes something only with void-deliveries',
    (present) => {
      const gateWith = (...allow: Allowance[]) => new Gate(policyWithWebhooks(policyOf('safe', allow, {}), present));
      for (const allow of [[], ['webhooks']] as const)
        expect([create(), register, voiding, list].map((request) => reason(gateWith(...allow), request))).toEqual([
          ...Array(3).fill('not-allowed:void-deliveries'),
          'sent',
        ]);
      const allowed = ['void-deliveries', 'webhooks'] as const;
      expect([create(), register].map((request) => reason(gateWith(...allowed), request))).toEqual(['sent', 'sent']);
      expect([create(), register].map((request) => reason(gateWith('void-deliveries'), request))).toEqual([
        'sent',
        'not-allowed:webhooks',
      ]);
    },
  );
});

describe('budgets', () => {
  test('a budget limits cards and their face value', () => {
    const few = gate('safe', [], { maxCreates: 2 });
    expect([1, 2, 3].map(() => reason(few, create()))).toEqual(['sent', 'sent', 'budget']);
    expect(few.heldBack).toBe(1);
    const poor = gate('safe', [], { maxFaceValue: 0.3 });
    expect([0.1, 0.1, 0.1, 0.1].map((balance) => reason(poor, create({ balance })))).toEqual(['sent', 'sent', 'sent', 'budget']);
  });

  test('a refused create costs one request only', () => {
    const one = gate('safe', [], { maxCreates: 1 });
    one.admit(create())({ status: 400 });
    expect(one.spent).toMatchObject({ requests: 1, creates: 0, faceValue: 0 });
    one.admit(create())({ status: 500 });
    expect(one.spent).toMatchObject({ requests: 2, creates: 1 });
    expect(reason(one, create())).toBe('budget');
  });

  test('a refused create of the ledger counts until its card is proved absent', () => {
    const one = gate('safe', [], { maxCreates: 1 });
    const entry = { state: 'requested' } as LedgerEntry;
    one.admit({ ...create(), entry })({ status: 400 });
    entry.state = 'uncertain';
    expect([one.spent.creates, one.isShortOf(create()), reason(one, create())]).toEqual([1, true, 'budget']);
    entry.state = 'refused';
    expect([one.spent.creates, one.isShortOf(create()), reason(one, create())]).toEqual([0, false, 'sent']);
  });

  test('a create that is sent again after 429 counts once', () => {
    const one = gate('safe', [], { maxCreates: 1, maxRequests: 4 });
    const entry = { state: 'requested' } as LedgerEntry;
    one.admit({ ...create(), entry })({ status: 429 });
    one.admit({ ...create(), entry })({ status: 200 });
    expect(one.spent).toMatchObject({ requests: 2, creates: 1, faceValue: 1 });
    expect([reason(one, { ...create(), entry }), reason(one, create()), reason(one, list)]).toEqual([
      'budget',
      'budget',
      'budget',
    ]);
  });

  test('a removed card needs no further requests', () => {
    const short = gate('safe', [], { maxRequests: 3 });
    const entry = { state: 'requested' } as LedgerEntry;
    expect([{ ...create(), entry }, list].map((request) => reason(short, request))).toEqual(['sent', 'budget']);
    entry.state = 'gone';
    expect(reason(short, list)).toBe('sent');
    expect(short.spent.creates).toBe(1);
  });

  test('requests for cleanup are reserved', () => {
    const short = gate('safe', [], { maxRequests: 5 });
    const entry = { state: 'requested' } as LedgerEntry;
    expect([{ ...create(), entry }, list, list, list].map((request) => reason(short, request))).toEqual([
      'sent',
      'sent',
      'sent',
      'budget',
    ]);
    expect([1, 2, 3].map(() => reason(short, { ...voiding, cleaning: true }))).toEqual(['sent', 'sent', 'sent']);
  });
});
