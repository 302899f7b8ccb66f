import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Profile } from '../../http/target.ts';
import { api, changesResponse, namedCard, refusesIf } from './faults/fault.ts';
import { defaultOptions } from './options.ts';
import { DAY_MS, type ServerAdjustment } from './records.ts';
import type { ServerOptions } from './server.ts';
import { isOrdinaryCheck, referenceTarget, suiteFindings } from './suite-findings.ts';
import { enabledWebhooks } from './webhooks.ts';

type Variant = [
  what: string,
  options: ServerOptions,
  /** The rules that the variant may affect. */
  rules: RegExp,
  more?: { readonly profile?: Profile; readonly untested?: RegExp },
];

const entries = (what: string, change: (entry: ServerAdjustment) => object): Variant => [
  what,
  { historyEntry: (entry) => ({ ...defaultOptions.historyEntry(entry), ...change(entry) }) },
  /^adjustment\./,
];
const company = (what: string, response: (currency: string) => unknown): Variant => [
  what,
  { company: (currency) => ({ zone: 'Europe/Oslo', ...Object(response(currency)) }) },
  /^(company\.|gift-card\.create\.uses-account-currency|http\.camel-case-names)/,
];
const refusing = (...request: Parameters<typeof refusesIf>): ServerOptions => ({ hooks: refusesIf(...request)() });
const isNotGuid = (value: unknown) => value !== undefined && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(String(value));
const cardRules = /^(gift-card\.(create\.|get)|adjustment\.|idempotency\.|errors\.|automation\.)/;
const webhookRules = /^(webhook|delivery|errors\.malformed|authentication\.lists)/;
const automationRules = /^(automation\.|idempotency\.automation\.|delivery\.payload\.a)/;
const nullable = [
  'RecipientName',
  'RecipientEmailAddress',
  'GiftCardMessage',
  'GiftCardBatchId',
  'AutomationId',
  'CampaignId',
  'ApiEventName',
];

function withMoreProperties(json: unknown): unknown {
  if (typeof json !== 'object' || json === null) return json;
  if (Array.isArray(json)) return json.map(withMoreProperties);
  const own = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withMoreProperties(value)]));
  return { revision: 3, ...own, tags: [], links: { self: 'https://cards.example/self', help: null }, isNew: true };
}

/** History entries with times as milliseconds since 1970 and amounts as text. The specification does not state these types. */
const historiesWithOtherTypes = changesResponse(api.histories, (json) =>
  eachLeaf(json, (value, name) => {
    if (isTime(value)) return Date.parse(/Z$|[+-]\d\d:\d\d$/.test(value) ? value : `${value}Z`);
    return name === 'number' ? Number(value).toFixed(2) : value;
  }),
);

function eachLeaf(json: unknown, change: (value: unknown, name: string) => unknown, name = ''): unknown {
  if (typeof json !== 'object' || json === null) return change(json, name);
  if (Array.isArray(json)) return json.map((item) => eachLeaf(item, change, name));
  return Object.fromEntries(Object.entries(json).map(([inner, value]) => [inner, eachLeaf(value, change, inner)]));
}

const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);

const variants: Variant[] = [
  ['defaults', {}, /./],
  ['additional properties in every object', { hooks: { operation: (call, next) => withMoreProperties(next(call)) } }, /./],
  ['histories with times as numbers and amounts as text', { hooks: historiesWithOtherTypes() }, /^adjustment\./],
  ['IDs that end in a dash', { idOf: (serial) => `${serial}-` }, /./],
  [
    'codes with blanks and IDs with signs',
    { idOf: (serial) => `g/${serial}+=#% é`, newCode: () => `zz-${crypto.randomUUID().replaceAll('-', ' ')}` },
    /^(automation\.|idempotency\.automation\.|gift-card\.create\.(generates|code-follows))/,
  ],
  [
    'empty texts in deliveries, and a GET to new webhooks',
    {
      hooks: {
        payload: (payload) => ({ ...payload, ...Object.fromEntries(nullable.map((name) => [name, payload[name] ?? ''])) }),
      },
      webhookCheck: { method: 'GET' },
    },
    webhookRules,
  ],
  ['an empty POST to new webhooks', { webhookCheck: { method: 'POST', body: '' } }, webhookRules],
  company('a plan called current', (iso) => ({ currentPlan: 'Pro', business: 'B', money: { iso } })),
  company('a format of amounts', (iso) => ({ business: 'B', currencyFormat: 'kr {{amount}}', money: { iso } })),
  company('the name of the currency before its code', (code) => ({ currency: { name: 'Norske kroner', code, decimals: 2 } })),
  company('code and name of the currency in one text', (code) => ({ business: 'B', currency: `${code} - crowns` })),
  company('a symbol before the code', (currencyCode) => ({ business: 'B', currencySymbol: 'kr', currencyCode })),
  company('rates of two currencies', (iso) => ({ business: 'B', rates: { NOK: 1, EUR: 11.5 }, money: { iso } })),
  company('a time zone in minutes', (iso) => ({ business: 'B', money: { iso }, zone: undefined, utcOffsetMinutes: 60 })),
  ['the currency in small letters', { currency: 'nok' }, /^(company\.|gift-card\.)/],
  ['the currency as a symbol', { currency: 'kr' }, /^(company\.|gift-card\.)/],
  [
    'entries with the time of recording only',
    { historyEntry: (entry) => ({ ...defaultOptions.historyEntry(entry), when: new Date(entry.recordedAt) }) },
    /^adjustment\.(keeps|history\.entry)/,
    { untested: /^adjustment\.keeps-actioned-at$/ },
  ],
  entries('types as numbers', ({ type, amount }) => ({ value: { number: amount }, kind: type === 'issue' ? 1 : 2 })),
  entries('text around notes', ({ notes }) => ({ memo: notes === undefined ? null : `API: ${notes}` })),
  entries('times as in headers', ({ type, actionedAtUtc, recordedAt }) => ({
    when: { happened: type === 'issue' ? undefined : new Date(actionedAtUtc).toUTCString(), recorded: new Date(recordedAt) },
  })),
  ['a currency without decimals that refuses fractions', { currency: 'JPY', decimals: 0, preciseAmountStatus: 400 }, /./],
  ['a currency without decimals that rounds', { currency: 'JPY', decimals: 0 }, cardRules],
  ['a currency of three decimals', { currency: 'KWD', decimals: 3 }, cardRules],
  [
    'GUIDs only as unique values',
    refusing([api.create, ...api.adjusts], ({ body }) => isNotGuid(body.uniqueId ?? body.uniqueAdjustmentId)),
    cardRules,
  ],
  [
    'no expiry after 2079',
    refusing(api.create, ({ body }) => Date.parse(String(body.expiresAtUtc)) > Date.UTC(2079, 5, 6)),
    /^(gift-card\.create\.|delivery\.payload\.expiry)/,
  ],
  [
    'no recipient at example.com',
    refusing(api.create, ({ body }) => /@example\.com$/.test(String(body.recipientEmailAddress ?? body.buyerEmailAddress ?? ''))),
    /^(gift-card\.|delivery\.payload\.|automation\.)/,
    { profile: { recipientDomain: 'people.test' } },
  ],
  [
    'no adjustment from before the card',
    refusing(api.adjusts, (call) => Date.parse(String(call.body.actionedAtUtc)) < namedCard(call).issuedAtRealTime),
    /^(adjustment\.|gift-card\.void|idempotency\.adjustment|list\.|http\.date-form)/,
    { untested: /^(adjustment\.(history\.order|unreadable-actioned-at)|http\.date-form)$/ },
  ],
  [
    'no adjustment below a tenth',
    refusing(api.adjusts, ({ body }) => Math.abs(Number(body.adjustmentAmount)) < 0.1),
    /^(adjustment\.|gift-card\.|list\.)/,
    { untested: /^adjustment\.zero-amount$/ },
  ],
  [
    'at most five webhooks',
    refusing(api.createWebhook, ({ account }) => enabledWebhooks(account).length >= 5),
    /^(webhook\.|delivery\.)/,
    { untested: /^(delivery\.|webhook\.(disabled|failures|list\.enabled|create.*again-|delete\.(removes|disabled)))/ },
  ],
  [
    'CreatedAt in another time zone',
    {
      hooks: {
        payload: (payload) => ({
          ...payload,
          CreatedAt: new Date(Date.parse(`${payload.CreatedAt}Z`) + 3_600_000).toISOString().replace('.000Z', ''),
        }),
      },
    },
    /^(delivery\.payload\.|list\.since)/,
  ],
  [
    'outcomes of an event counted by name',
    {
      eventResponse: (cards, runs) => ({
        ...Object(defaultOptions.eventResponse(cards, runs)),
        counts: { Created: cards.length },
      }),
    },
    automationRules,
  ],
  ...(['code', 'id'] as const).map(
    (name): Variant => [
      `cards of an event as plain values: ${name}`,
      {
        eventResponse: (cards, runs) => ({
          ...Object(defaultOptions.eventResponse(cards, runs)),
          made_now: cards.map((card) => card[name]),
        }),
      },
      automationRules,
      { untested: /^automation\.issued-card-case$/ },
    ],
  ),
  ['webhooks listed by description', { listedWebhook: ({ id, description }) => ({ id, label: description }) }, webhookRules],
  [
    'webhooks listed by a masked URL and the description',
    { listedWebhook: ({ id, url, description }) => ({ id, label: description, url: url.replace(/\w{8}.*/, '…') }) },
    webhookRules,
  ],
  ['webhooks listed by URL', { listedWebhook: ({ id, url }) => ({ id, target: url }) }, webhookRules],
  [
    'webhooks listed by ID, which their creation returns',
    { listedWebhook: ({ id }) => ({ hookId: id }), createdWebhook: ({ id }) => ({ id }) },
    webhookRules,
    { untested: /^webhook\.create\.(url|description)-required$/ },
  ],
  [
    'webhooks listed as plain IDs, which their creation returns under another name',
    { listedWebhook: ({ id }) => id, createdWebhook: ({ id }) => ({ hookId: id }) },
    webhookRules,
    { untested: /^webhook\.create\.(url|description)-required$/ },
  ],
  [
    'two workers, latency and jitter',
    { deliveries: { queues: 'one', workers: 2, latency: 10, jitter: 30, isNewestFirst: false } },
    webhookRules,
  ],
  [
    'four workers, newest delivery first',
    { deliveries: { queues: 'one', workers: 4, latency: 5, jitter: 10, isNewestFirst: true } },
    webhookRules,
  ],
  ['gifts delivered once a day', { giftEvery: DAY_MS }, /^emails\.gifted-deferred$/],
];

test.each(variants)('nothing is wrong with: %s', async (_what, options, rules, { profile = {}, untested } = {}) => {
  const isWanted = (name: string) => rules.test(name) || name === 'authentication.missing-key-is-401';
  const target = referenceTarget(options, profile);
  expect(await suiteFindings(target, (check) => isOrdinaryCheck(check) && isWanted(check.name), untested)).toEqual([]);
});

test('nothing is wrong over HTTP with gzip, small chunks and HTML refusals', async () => {
  const { fetch, key, profile } = referenceTarget();
  const { url, close } = await overHttp((request) => fetch(request, { odd: false }));
  expect(await suiteFindings({ url, key, profile }, isOrdinaryCheck).finally(close)).toEqual([]);
});

test('nothing is wrong with a rate counted by minutes of the clock', async () => {
  const target = referenceTarget({ perMinute: 200 }, { noRateLimit: false });
  expect(await suiteFindings(target, ({ burst }) => burst === true)).toEqual([]);
});

test('odd input finds nothing wrong', async () => {
  expect(await suiteFindings(referenceTarget(), ({ inputs }) => inputs === true)).toEqual([]);
});

/**
 * Starts a local server that behaves lawfully but unusually. It sends gzip without request, small chunks, a byte order mark before JSON, and header names
 * in capitals. Its clock is seven minutes slow. It sends HTML for refusals whose format is open, and closes the connection after each request.
 */
async function overHttp(fetch: (request: Request) => Promise<Response>): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, res) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const body = parts.length > 0 ? { body: new Uint8Array(Buffer.concat(parts)) } : {};
    const { method = 'GET' } = request;
    await write(await fetch(new Request(`http://127.0.0.1${request.url}`, { method, headers, ...body })), res);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function write(response: Response, res: ServerResponse): Promise<void> {
  const isPage = [401, 402, 404, 429].includes(response.status);
  const text = isPage ? '<!doctype html><title>No</title><h1>No.</h1>' : await response.text();
  const type = isPage ? 'text/html' : (response.headers.get('content-type') ?? '');
  res.sendDate = false;
  res.writeHead(response.status, {
    'CONTENT-TYPE': type,
    'CONTENT-ENCODING': 'gzip',
    CONNECTION: 'close',
    DATE: new Date(Date.now() - 7 * 60_000).toUTCString(),
  });
  const bytes = gzipSync(/json/.test(type) ? `\uFEFF${text}` : text);
  for (let start = 0; start < bytes.length; start += 100) res.write(bytes.subarray(start, start + 100));
  res.end();
}
