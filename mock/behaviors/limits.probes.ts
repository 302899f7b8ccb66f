import { allowanceOf } from '../control/account-views.ts';
import { NOON } from '../testing/fixture.ts';
import { answerTo } from './asked.ts';
import type { Probes } from './probe.ts';

const LIST = '/api/GiftCard/List';
const TWO_KEYS = { keys: [{ key: 'one' }, { key: 'two' }] };

/** The questions of openapi/clauses/limits.yaml. */
export const limitsProbes = {
  'limits.rate-scope': {
    account: TWO_KEYS,
    rateLimit: 1,
    observe: (fixture) =>
      [
        ['one', '10.0.0.1'],
        ['two', '10.0.0.1'],
        ['one', '10.0.0.2'],
      ].map(([key, address]) => answerTo(fixture, { headers: { 'x-api-key': key }, address }).status),
    shows: { account: [200, 429, 429], key: [200, 200, 429], address: [200, 429, 200] },
  },
  'limits.rate-shared': {
    rateLimit: 1,
    observe: ({ ask }) => [LIST, LIST, '/api/Company/Profile'].map((path) => ask('GET', path).status),
    shows: { together: [200, 429, 429], 'each-endpoint': [200, 429, 200] },
  },
  'limits.rate-window': {
    rateLimit: 1,
    observe: ({ ask, at }) =>
      [NOON + 59_000, NOON + 59_999, NOON + 60_000, NOON + 119_000].map((moment) => {
        at(moment);
        return ask('GET', LIST).status;
      }),
    shows: { sliding: [200, 429, 429, 200], fixed: [200, 429, 200, 429] },
  },
  'limits.refused-requests-count': {
    rateLimit: 1,
    observe: ({ ask, at }) =>
      [0, 30_000, 60_000].map((later) => {
        at(NOON + later);
        return ask('GET', LIST).status;
      }),
    shows: { no: [200, 429, 200], yes: [200, 429, 429] },
  },
  'limits.keyless-requests-count': {
    account: { keys: [{ key: 'one' }, { key: 'gone', deleted: true }] },
    rateLimit: 1,
    observe: ({ ask }) => ['gone', 'one'].map((key) => ask('GET', LIST, undefined, key).status),
    shows: { no: [401, 200], yes: [401, 429] },
  },
  'limits.rejected-requests-count': {
    rateLimit: 1,
    observe: ({ ask }) => ['/api/GiftCard/GetByCode/NONE', LIST].map((path) => ask('GET', path).status),
    shows: { yes: [404, 429], no: [404, 200] },
  },
  'limits.retry-after': {
    rateLimit: 1,
    observe: (fixture) => {
      fixture.ask('GET', LIST);
      fixture.at(NOON + 20_500);
      return answerTo(fixture, {}).headers['retry-after'];
    },
    shows: { none: undefined, seconds: '40' },
  },
  'limits.rate-headers': {
    rateLimit: 3,
    observe: (fixture) => {
      const { headers } = answerTo(fixture, {});
      return ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);
    },
    shows: { none: [undefined, undefined, undefined], 'x-rate-limit': ['3', '2', '60'] },
  },
  'limits.allowance-counts-automation-cards': {
    account: { automations: [{ name: 'Thanks', eventName: 'review', amount: 5 }] },
    observe: ({ ask, account }) => {
      const event = { event_name: 'review', recipient_email: 'ada@example.com', properties: {} };
      ask('POST', '/api/AutomationTriggerEvents', event);
      return allowanceOf(account).used;
    },
    shows: { yes: 1, no: 0 },
  },
  'limits.allowance-month': {
    account: { timeZone: 'America/New_York' },
    observe: ({ account, at }) =>
      ['2026-02-01T02:00:00Z', '2026-02-10T00:00:00Z', '2026-02-20T00:00:00Z'].map((moment) => {
        at(Date.parse(moment));
        return allowanceOf(account).month;
      }),
    shows: {
      'calendar-in-account-zone': ['2026-01', '2026-02', '2026-02'],
      'calendar-in-utc': ['2026-02', '2026-02', '2026-02'],
      'billing-period': ['2026-01', '2026-01', '2026-02'],
    },
  },
  'limits.allowance-void-in-later-month': {
    observe: ({ create, ask, account, at }) => {
      const { code } = create();
      at(Date.UTC(2026, 1, 10));
      create();
      ask('DELETE', `/api/GiftCard/VoidByCode/${code}`);
      const later = allowanceOf(account).used;
      at(NOON);
      return [allowanceOf(account).used, later];
    },
    shows: { 'month-of-issue': [0, 1], 'month-of-void': [1, 0], none: [1, 1] },
  },
} satisfies Partial<Probes>;
