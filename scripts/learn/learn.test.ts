import { afterAll, expect, test } from 'vitest';
import { type FactsFile, readFacts } from '../../conformance/learn/file.ts';
import { type FactsDifference, factsDifferences } from '../../conformance/learn/known.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';
import { LearnRun } from './learn-run.ts';
import { madeUpRows } from './made-up-names.ts';
import { shapeOf } from './shape.ts';

const here = new LearnRun();
afterAll(() => here.end());

/** What has to be waited for is left to others: whether something is delivered, and whether nothing is. */
const quick = [
  'delivery.*',
  'emails.*',
  'webhook.create.again-while-disabled',
  'webhook.delete.disabled',
  '*.again-delivers',
  '*.waiting-gift',
].flatMap((glob) => ['--skip', glob]);

/** What learning from a mock with these options, and from a fresh one with what was learned, found differently. */
async function twice(name: string, options: Parameters<LearnRun['mock']>[0]) {
  const first = await here.mock(options);
  const seen = await here.learn(first, `${name}.yaml`, quick);
  await first.close();
  const known = await readFacts(here.at(`${name}.yaml`));
  const second = await here.mock({ variant: here.at(`${name}.yaml`) });
  const again = await here.learn(second, `${name}-again.yaml`, quick);
  await second.close();
  return {
    seen,
    again,
    known,
    differences: factsDifferences(known, await readFacts(here.at(`${name}-again.yaml`))).filter(isToFollow(known)),
  };
}

/** A target that cuts moments off, or takes them in a way that no reading has, shows these otherwise than one that does neither. */
const hangsOnMoments = new Set<string>([
  'adjustment.unreadable-actioned-at',
  'gift-card.create.gift-scheduled-in-past',
  'gift-card.get-by-email.order',
  'http.date-form',
  'http.date-without-time',
  'http.date-without-zone',
]);

/** What was learned as a reading or as rows; what was told in words alone is no mock's to follow, and what was not learned at first may be seen then. */
const isToFollow =
  ({ facts, seen }: FactsFile) =>
  ({ name, before }: FactsDifference): boolean =>
    before !== undefined && !hangsOnMoments.has(name) && (facts?.[name] !== undefined || (seen?.[name]?.wire ?? []).length > 0);

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

test.each(seeds)(
  'what is learned of a varied mock makes another of which the same is learned: seed %i',
  async (vary) => {
    const { seen, again, known, differences } = await twice(`varied-${vary}`, { vary: true, seed: vary });
    expect([seen.err, again.err]).toEqual(['', '']);
    expect(Object.keys(known.facts ?? {}).length).toBeGreaterThan(50);
    expect(differences).toEqual([]);
  },
  400_000,
);

/** The shapes of what a mock answers to one of everything. */
async function shapes(options: Parameters<LearnRun['mock']>[0]): Promise<Record<string, string>> {
  const mock = await here.mock(options);
  const told: Record<string, string> = {};
  const ask = async (
    what: string,
    method: string,
    path: string,
    body?: unknown,
    headers: object = { 'x-api-key': mock.apiKey },
  ) => {
    const text = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const answer = await mock.fetch(`/api/${path}`, { method, headers: { ...headers }, ...text });
    const came = await answer.text();
    const isJson = /json/.test(answer.headers.get('content-type') ?? '');
    const json = isJson ? JSON.parse(came) : undefined;
    told[what] = `${answer.status} ${isJson ? shapeOf(json) : came === '' ? 'empty' : 'text'}`;
    return json;
  };
  const full = { recipientName: 'R', recipientEmailAddress: 'r@example.com', buyerName: 'B', buyerEmailAddress: 'b@example.com' };
  const more = { giftMessage: 'M', notes: 'N', uniqueId: 'U', expiresAtUtc: '2040-01-01T00:00:00Z', isPromotional: true };
  const { id } = (await ask('create', 'POST', 'GiftCard/Create', { balance: 5, code: 'SHAPE', ...full, ...more })) as {
    id: string;
  };
  await ask('by ID', 'GET', `GiftCard/GetById/${id}`);
  await ask('list', 'GET', 'GiftCard/List?pageSize=3');
  await ask('by email', 'GET', 'GiftCard/GetByEmail?emailAddress=r@example.com');
  const adjustment = { giftCardId: id, actionedAtUtc: '2026-01-01T00:00:00Z', notes: 'A' };
  const add = (uniqueAdjustmentId: string, adjustmentAmount: unknown) =>
    ask(`adjust ${adjustmentAmount}`, 'POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardId', {
      ...adjustment,
      uniqueAdjustmentId,
      adjustmentAmount,
    });
  await add('1', -1);
  await add('2', -100);
  await add('3', 'many');
  await ask('malformed', 'POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardId', '{');
  await ask('history', 'GET', 'GiftCardAdjustment/ListAdjustmentsByGiftCardCode/SHAPE');
  await ask('history by ID', 'GET', `GiftCardAdjustment/ListAdjustmentsByGiftCardId/${id}`);
  await ask('void', 'DELETE', 'GiftCard/VoidByCode/SHAPE');
  await add('4', 1);
  await ask('no card', 'GET', 'GiftCard/GetByCode/NONE');
  await ask('profile', 'GET', 'Company/Profile');
  await ask('coupons', 'GET', 'WebStoreCoupon/List');
  await ask('no coupon', 'GET', 'WebStoreCoupon/GetByCode/NONE');
  await ask('webhook', 'POST', 'Webhook/Create', { url: 'https://example.com/hook', description: 'W' });
  await ask('webhooks', 'GET', 'Webhook/List');
  await ask('event', 'POST', 'AutomationTriggerEvents', {
    event_name: defaultWorldProfile.automationEvent?.name,
    recipient_email: 'e@example.com',
    properties: {},
  });
  await ask('no key', 'GET', 'GiftCard/List', undefined, {});
  await ask('nowhere', 'GET', 'Nowhere');
  await ask('patch', 'PATCH', 'GiftCard/List');
  const { sourceId, source } = defaultWorldProfile.channelCard ?? {};
  await ask('by source', 'GET', `GiftCard/GetByAccountPlatformIdAndSourceId?accountPlatformId=${source}&sourceId=${sourceId}`);
  await mock.close();
  return told;
}

test.each(seeds.slice(0, 10))(
  'names and shapes that nobody listed are learned by what stands there: seed %i',
  async (seed) => {
    const overrides = madeUpRows(seed);
    const { known, differences, again, seen } = await twice(`names-${seed}`, { variant: { overrides } });
    expect([seen.err, again.err, differences]).toEqual(['', '', []]);
    expect(known.wire?.length).toBeGreaterThan(50);
    expect(seen.out).not.toContain('LEFT OUT');
    expect(await shapes({ variant: here.at(`names-${seed}.yaml`) })).toEqual(await shapes({ variant: { overrides } }));
  },
  400_000,
);
