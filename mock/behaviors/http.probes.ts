import { LARGEST_BODY } from '../server/http.ts';
import { answerTo, formOf, fourForms, NO_KEY, post } from './asked.ts';
import type { Probes } from './probe.ts';

const CREATE = '/api/GiftCard/Create';
const LIST = '/api/GiftCard/List';
const ADJUST = '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode';
const ADJUSTMENT = { adjustmentAmount: 5, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'one' };
const TOO_LARGE = JSON.stringify({ balance: 5, notes: 'x'.repeat(LARGEST_BODY) });

/** The questions of openapi/clauses/http.yaml. */
export const httpProbes = {
  'http.version-headers': {
    observe: (fixture) => answerTo(fixture, { headers: { 'api-version': '2' } }).status,
    shows: { ignored: 200, refused: 400 },
  },
  'http.unknown-path-without-key': {
    observe: ({ ask }) => ask('GET', '/api/Nowhere', undefined, null).status,
    shows: { '401': 401, '404': 404 },
  },
  'http.unknown-path-body': {
    observe: ({ ask }) => formOf(ask('GET', '/api/Nowhere')),
    shows: fourForms(404),
  },
  'http.wrong-method-status': {
    observe: ({ ask }) => ask('PATCH', LIST).status,
    shows: { '405': 405, '404': 404 },
  },
  'http.wrong-method-body': {
    observe: ({ ask }) => formOf(ask('PATCH', LIST)),
    shows: fourForms(405),
  },
  'http.wrong-method-allow-header': {
    observe: (fixture) => answerTo(fixture, { method: 'PATCH' }).headers.allow,
    shows: { named: 'GET, HEAD', 'left-out': undefined },
  },
  'http.head': {
    observe: ({ ask }) => ask('HEAD', LIST).status,
    shows: { 'like-get': 200, 'method-not-allowed': 405 },
  },
  'http.options': {
    observe: (fixture) => {
      const { status, headers } = answerTo(fixture, { method: 'OPTIONS' });
      return [status, headers.allow];
    },
    shows: {
      'not-found': [404, undefined],
      'method-not-allowed': [405, 'GET, HEAD'],
      'no-content': [204, 'GET, HEAD'],
    },
  },
  'http.cross-origin': {
    observe: (fixture) => {
      const asked = { method: 'OPTIONS', headers: { ...NO_KEY, 'access-control-request-method': 'GET' } };
      return [answerTo(fixture, {}), answerTo(fixture, asked)].map(({ status, headers }) => [
        status,
        headers['access-control-allow-origin'],
      ]);
    },
    shows: {
      never: [
        [200, undefined],
        [401, undefined],
      ],
      always: [
        [200, '*'],
        [204, '*'],
      ],
    },
  },
  'http.trailing-slash': {
    account: { cards: [{ code: 'A-1', initialValue: 5 }] },
    observe: ({ ask }) => [`${LIST}/`, '/api/GiftCard/GetByCode/A-1/'].map((path) => ask('GET', path).status),
    shows: { 'another-path': [404, 404], 'same-path': [200, 200] },
  },
  'http.path-letter-case': {
    account: { cards: [{ code: 'A-1', initialValue: 5 }] },
    observe: ({ ask }) =>
      ['/api/giftcard/list', '/API/GiftCard/getByCode/A-1', '/api/giftcard/getbycode/a-1'].map((path) => ask('GET', path).status),
    shows: { counts: [404, 404, 404], ignored: [200, 200, 404] },
  },
  'http.path-decoding': {
    account: {
      cards: [
        { code: 'A/1', initialValue: 5 },
        { code: 'A%2F1', initialValue: 6 },
      ],
    },
    observe: ({ ask }) => ask('GET', '/api/GiftCard/GetByCode/A%2F1').body.code,
    shows: { once: 'A/1', never: 'A%2F1' },
  },
  'http.path-plus': {
    account: {
      cards: [
        { code: 'A+1', initialValue: 5 },
        { code: 'A 1', initialValue: 6 },
      ],
    },
    observe: ({ ask }) => ask('GET', '/api/GiftCard/GetByCode/A+1').body.code,
    shows: { plus: 'A+1', blank: 'A 1' },
  },
  'http.repeated-parameter': {
    account: { cards: [{ initialValue: 5 }, { initialValue: 6 }] },
    observe: ({ ask }) => ask('GET', `${LIST}?pageSize=1&pageSize=2`).body.giftCards?.length ?? 'refused',
    shows: { first: 1, last: 2, refused: 'refused' },
  },
  'http.content-type': {
    observe: (fixture) =>
      ['text/plain', undefined, 'application/json', 'application/json; charset=utf-8'].map(
        (type) => answerTo(fixture, { ...post(CREATE, '{"balance": 5}'), headers: { 'content-type': type } }).status,
      ),
    shows: { read: [200, 200, 200, 200], refused: [400, 400, 200, 200] },
  },
  'http.unreadable-body-status': {
    observe: ({ ask }) => [ask('POST', CREATE, '{').status, ask('POST', CREATE, '[]').status, ask('POST', CREATE).status],
    shows: { '400': [400, 400, 400], '415': [415, 415, 415], '422': [422, 422, 422] },
  },
  'http.unreadable-body-answer': {
    observe: ({ ask }) => formOf(ask('POST', CREATE, '{')),
    shows: fourForms(400),
  },
  'http.wrong-json-type': {
    observe: ({ ask }) => {
      const { status, body } = ask('POST', CREATE, { balance: '25.00', code: 1234, disableEmails: 'true' });
      return [status, body.balance, body.code, body.disableEmails];
    },
    shows: { refused: [400, undefined, undefined, undefined], converted: [200, 25, '1234', true] },
  },
  'http.unknown-properties': {
    observe: ({ ask }) => ask('POST', CREATE, { balance: 5, colour: 'red' }).status,
    shows: { ignored: 200, refused: 400 },
  },
  'http.null-property': {
    observe: ({ ask }) => ask('POST', CREATE, { balance: 5, notes: null, isPromotional: null }).status,
    shows: { 'as-omitted': 200, refused: 400 },
  },
  'http.blank-string': {
    account: { cards: [{ code: 'A-1', initialValue: 5 }] },
    observe: ({ ask, adjust }) => {
      const { status, body } = ask('POST', CREATE, { balance: 5, uniqueId: ' ', recipientName: '' });
      return [status, body.uniqueId, body.recipientName, adjust('A-1', 5, { uniqueAdjustmentId: ' ' }).status];
    },
    shows: {
      'as-omitted': [200, null, null, 400],
      kept: [200, ' ', '', 200],
      refused: [400, undefined, undefined, 400],
    },
  },
  'http.property-letter-case': {
    observe: ({ ask }) => {
      const { status, body } = ask('POST', CREATE, { Balance: 5, RECIPIENTNAME: 'Ada' });
      return [status, body.recipientName];
    },
    shows: { counts: [400, undefined], ignored: [200, 'Ada'] },
  },
  'http.repeated-property': {
    observe: ({ ask }) => ask('POST', CREATE, '{"balance": 5, "notes": "a {\\"b\\"", "balance": 6}').body.balance,
    shows: { last: 6, first: 5, refused: undefined },
  },
  'http.body-size-limit': {
    observe: ({ ask }) => ask('POST', CREATE, TOO_LARGE).status,
    shows: { '1-mebibyte': 413, unlimited: 200 },
  },
  'http.body-too-large-status': {
    observe: ({ ask }) => ask('POST', CREATE, TOO_LARGE).status,
    shows: { '413': 413, '400': 400 },
  },
  'http.field-length-limits': {
    observe: ({ ask }) => [255, 256].map((length) => ask('POST', CREATE, { balance: 5, notes: 'x'.repeat(length) }).status),
    shows: { unlimited: [200, 200], '255-characters': [200, 400] },
  },
  'http.date-without-zone': {
    observe: ({ ask }) => {
      const created = ask('POST', CREATE, { balance: 5, expiresAtUtc: '2026-03-01T00:00:00' });
      const since = ask('GET', `${LIST}?since=2026-01-01T00:00:00`).status;
      return [created.body.expiresAtUtc, since, ask('GET', `${LIST}?since=2026-01-01T00:00:00Z`).status];
    },
    shows: { utc: ['2026-03-01T00:00:00.000Z', 200, 200], refused: [undefined, 400, 200] },
  },
  'http.date-without-time': {
    observe: ({ ask }) => {
      const created = ask('POST', CREATE, { balance: 5, expiresAtUtc: '2026-03-01' });
      return [created.body.expiresAtUtc, ask('GET', `${LIST}?since=2026-01-01`).status, ask('GET', `${LIST}?since=then`).status];
    },
    shows: { refused: [undefined, 400, 400], midnight: ['2026-03-01T00:00:00.000Z', 200, 400] },
  },
  'http.date-form': {
    observe: ({ create, ask, adjust }) => {
      const { code, createdAtUtc } = create({ notes: '2026-01-15T12:00:00.000Z' });
      adjust(code, 5);
      const { adjustments } = ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${code}`).body;
      const { notes } = ask('GET', LIST).body.giftCards[0];
      return [createdAtUtc, adjustments[0].actionedAtUtc, notes.endsWith('2026-01-15T12:00:00.000Z')];
    },
    shows: {
      'milliseconds-and-z': ['2026-01-15T12:00:00.000Z', '2026-01-15T11:00:00.000Z', true],
      'seconds-and-z': ['2026-01-15T12:00:00Z', '2026-01-15T11:00:00Z', true],
      'without-zone': ['2026-01-15T12:00:00.000', '2026-01-15T11:00:00.000', true],
    },
  },
  'http.valueless-properties': {
    observe: ({ create, ask, adjust }) => {
      const card = create();
      adjust(card.code, 5);
      const { adjustments } = ask('GET', `/api/GiftCardAdjustment/ListAdjustmentsByGiftCardCode/${card.code}`).body;
      return ['giftMessage' in card, 'expiresAtUtc' in ask('GET', LIST).body.giftCards[0], 'notes' in adjustments[0]];
    },
    shows: { null: [true, true, true], 'left-out': [false, false, false] },
  },
  'http.order.size-or-key': {
    observe: ({ ask }) => ask('POST', CREATE, TOO_LARGE, 'wrong').status,
    shows: { size: 413, key: 401 },
  },
  'http.order.key-or-limit': {
    account: { keys: [{ key: 'good' }, { key: 'gone', deleted: true }] },
    rateLimit: 1,
    observe: ({ ask }) => [ask('GET', LIST).status, ask('GET', LIST, undefined, 'gone').status, ask('GET', LIST).status],
    shows: { key: [200, 401, 429], limit: [200, 429, 429] },
  },
  'http.order.limit-or-request': {
    rateLimit: 1,
    observe: ({ ask }) => [ask('GET', LIST).status, ask('POST', CREATE, '{').status, ask('GET', '/api/Nowhere').status],
    shows: { limit: [200, 429, 429], request: [200, 400, 404] },
  },
  'http.order.request-or-record': {
    account: { cards: [{ code: 'A-1', initialValue: 5 }] },
    observe: ({ ask }) =>
      ['NONE', 'A-1'].map(
        (giftCardCode) => ask('POST', ADJUST, { ...ADJUSTMENT, giftCardCode, adjustmentAmount: 'many' }).status,
      ),
    shows: { request: [400, 400], record: [404, 400] },
  },
} satisfies Partial<Probes>;
