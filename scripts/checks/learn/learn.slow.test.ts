import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import '../../../conformance/rules/index.ts';
import { main } from '../../../cli/conformance/main.ts';
import { ruleTexts } from '../../../conformance/core/contract.ts';
import { checks } from '../../../conformance/core/rule.ts';
import '../../../conformance/questions/index.ts';
import { type MockOptions, startMock } from '../../../mock/index.ts';
import { overridesFor } from '../../../openapi/effective/names.ts';
import { readVariant, type Variant } from '../../../openapi/effective/variant.ts';
import { names } from '../../../openapi/generated/names.ts';
import { defaultWorldProfile } from '../../default-world-profile.ts';
import { isSample, ranAtLeast } from '../../sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'learn-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Questions whose probes wait for deliveries, or for their absence, take too long. */
const slow = [
  ...['delivery.*', 'webhook.create.again-while-disabled', 'webhook.delete.disabled', '*.again-delivers', '*.update-delivery'],
  '*.waiting-gift',
];
const isSlow = (name: string) =>
  slow.some((glob) => new RegExp(`^${glob.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(name));

/** The questions with options that a run without a rate limit can test. */
const testableQuestions = () => checks().filter(({ name, burst }) => ruleTexts.get(name)?.behaviors && !burst && !isSlow(name));

/** Runs `learn` against a mock with these options, and returns the variant file that it writes. */
async function learn(file: string, options: MockOptions): Promise<Variant> {
  await using mock = await startMock({ listen: false, rateLimit: 'off', ...options });
  const at = (name: string) => join(folder, name);
  writeFileSync(at('profile.json'), JSON.stringify({ ...defaultWorldProfile, noRateLimit: true }));
  const target = ['--target', 'http://127.0.0.1:1', '--profile', at('profile.json'), '--ledger', at('ledger')];
  const errors: string[] = [];
  await main(
    ['learn', ...target, '--quiet', '--out', at(file), ...slow.flatMap((glob) => ['--skip', glob])],
    { GIFTCARD_API_KEY: mock.apiKey, XDG_STATE_HOME: folder },
    { stdout: { write: () => {} }, stderr: { write: (text) => errors.push(text) }, fetch: (request) => mock.fetch(request) },
  );
  expect(errors).toEqual([]);
  return readVariant([at(file)]);
}

/** Returns two variants that `learn` writes: for a mock with these options, and for a second mock with the first variant. */
async function learnTwice(name: string, options: MockOptions): Promise<{ first: Variant; second: Variant }> {
  const first = await learn(`${name}.yaml`, options);
  return { first, second: await learn(`${name}-again.yaml`, { variant: join(folder, `${name}.yaml`) }) };
}

/** Questions for which `learn` observes another behavior if the mock rounds times. */
const dependsOnTime = new Set(['gift-card.create.gift-scheduled-in-past', 'http.date-form', 'http.date-without-zone']);

const pick = (behaviors: object, questions: readonly string[]) =>
  Object.fromEntries(Object.entries(behaviors).filter(([question]) => questions.includes(question)));

const seeds = Array.from({ length: isSample ? 3 : 20 }, (_, index) => index + 1);
ranAtLeast({ whole: 21, sample: 4 });

test.each(seeds)(
  'a mock with the learned variant behaves like the mock it was learned from: seed %i',
  async (seed) => {
    const { first, second } = await learnTwice(`varied-${seed}`, { vary: true, seed });
    // Some options hide other options. For example, cards with only the stated names do not show how their expiry is computed.
    expect(Object.keys(first.behaviors).length).toBeGreaterThanOrEqual(testableQuestions().length - 10);
    const kept = Object.keys(first.behaviors).filter((question) => !dependsOnTime.has(question));
    expect(pick(second.behaviors, kept)).toEqual(pick(first.behaviors, kept));
    expect(second.overrides).toEqual(first.overrides);
    expect(await responseShapes({ variant: first })).toEqual(await responseShapes({ vary: true, seed }));
  },
  400_000,
);

test('names that names.yaml does not list are learned by their values', async () => {
  const own = names.filter(
    ({ question }) => question !== 'names.coupon' && question !== 'names.adjustment-by-id' && question !== 'names.channel-lookup',
  );
  const overrides = own.flatMap((row, index) => overridesFor(row, `madeUp${index}`));
  const { first, second } = await learnTwice('names', { variant: { overrides } });
  const sorted = (all: readonly unknown[]) => all.map((each) => JSON.stringify(each)).sort();
  expect(sorted(first.overrides)).toEqual(sorted(overrides));
  expect(second).toEqual(first);
  expect(await responseShapes({ variant: first })).toEqual(await responseShapes({ variant: { overrides } }));
}, 400_000);

type Shapes = Readonly<Record<string, string>>;

/** Returns one response of each kind, by request: its status, and the names and types of its body. */
async function responseShapes(options: MockOptions): Promise<Shapes> {
  await using mock = await startMock({ listen: false, rateLimit: 'off', ...options });
  const shapes: Record<string, string> = {};
  const send = async (method: string, path: string, body?: unknown, headers: object = { 'x-api-key': mock.apiKey }) => {
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await mock.fetch(`/api/${path}`, { method, headers: { ...headers }, ...text });
    const received = await response.text();
    const json: unknown = /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(received) : undefined;
    const shape = json === undefined ? (received === '' ? 'empty' : 'text') : shapeOf(json);
    shapes[`${method} ${path} ${text.body ?? ''}`] = `${response.status} ${shape}`;
  };
  const names = {
    recipientName: 'R',
    recipientEmailAddress: 'r@example.com',
    buyerName: 'B',
    buyerEmailAddress: 'b@example.com',
  };
  const more = { giftMessage: 'M', notes: 'N', uniqueId: 'U', expiresAtUtc: '2040-01-01T00:00:00Z', isPromotional: true };
  await send('POST', 'GiftCard/Create', { balance: 5, code: 'SHAPE', ...names, ...more });
  const adjust = (uniqueAdjustmentId: string, adjustmentAmount: unknown) =>
    send('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', {
      giftCardCode: 'SHAPE',
      actionedAtUtc: '2026-01-01T00:00:00Z',
      notes: 'A',
      uniqueAdjustmentId,
      adjustmentAmount,
    });
  await adjust('1', -1);
  await adjust('2', 'many');
  await send('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', '{');
  for (const path of [
    ...['GiftCard/GetByCode/SHAPE', 'GiftCard/List?pageSize=3', 'GiftCard/GetByEmail?emailAddress=r@example.com'],
    ...['GiftCardAdjustment/ListAdjustmentsByGiftCardCode/SHAPE', 'GiftCard/GetByCode/NONE', 'Company/Profile', 'Nowhere'],
  ])
    await send('GET', path);
  await send('DELETE', 'GiftCard/VoidByCode/SHAPE');
  await adjust('3', 1);
  await send('POST', 'Webhook/Create', { url: 'https://example.com/hook', description: 'W' });
  await send('GET', 'Webhook/List');
  const event_name = defaultWorldProfile.automationEvent?.name;
  await send('POST', 'AutomationTriggerEvents', { event_name, recipient_email: 'e@example.com', properties: {} });
  await send('GET', 'GiftCard/List', undefined, {});
  return shapes;
}

/** Returns the names and types of a JSON value. */
function shapeOf(json: unknown): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return `[${[...new Set(json.map(shapeOf))].join(' | ')}]`;
  if (typeof json !== 'object') return typeof json;
  return `{${Object.entries(json)
    .map(([name, value]) => `${name}: ${shapeOf(value)}`)
    .join(', ')}}`;
}
