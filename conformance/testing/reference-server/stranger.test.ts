import { expect, test } from 'vitest';
import type { Check } from '../../core/clause.ts';
import type { Profile, Target } from '../../core/target.ts';
import { faultsOf } from './faults.ts';
import { stranger } from './server.ts';
import { answering, endedIds, numbersAndTexts, overSockets, withMore } from './shapes.ts';

/** Its clock cannot be stopped and never shows one moment twice; and no path of coupons is given, so that it has its own. */
const unaskable = /^(list\.update-ties|coupon\..*)$/;

async function judged(
  server: Pick<Target, 'key' | 'profile'> & Partial<Target>,
  more: Profile,
  wanted: (check: Check) => boolean,
) {
  const { key, fetch, url = 'http://127.0.0.1' } = server;
  const profile = { ...server.profile, generatedCodePattern: '^zz-', ...more };
  const { faults, passed, applying } = await faultsOf({ url, key, profile, ...(fetch ? { fetch } : {}) }, wanted, unaskable);
  expect(faults).toEqual([]);
  expect(passed).toBe(applying);
}

const usual = ({ burst, inputs }: Check) => !burst && !inputs;
const unlimited = { noRateLimit: true };

test('the suite finds no fault with a service that answers everything unstated in a way of its own', async () => {
  await judged(stranger(), unlimited, usual);
}, 120_000);

test('nor does odd input bring it down', async () => {
  await judged(stranger(), unlimited, ({ inputs }) => inputs === true);
}, 120_000);

test('nor with one whose rate is counted by the minutes of a clock', async () => {
  await judged(stranger({ perMinute: 200 }), {}, ({ burst }) => burst === true);
}, 120_000);

type Payload = Record<string, unknown>;
const texts = [
  'RecipientName',
  'RecipientEmailAddress',
  'GiftCardMessage',
  'GiftCardBatchId',
  'AutomationId',
  'CampaignId',
  'ApiEventName',
];
/** Texts that may be null are empty where they say nothing, and a card that is voided is nothing to give. */
const emptied = (payload: Payload): Payload => ({
  ...payload,
  ...Object.fromEntries(texts.map((name) => [name, payload[name] ?? ''])),
  GiftToFriendUrl: payload.Status === 'Voided' ? null : payload.GiftToFriendUrl,
});

const shaped: Record<string, () => Pick<Target, 'key' | 'profile' | 'fetch'>> = {
  'tells more than is asked, in every object': () => {
    const server = stranger();
    return { ...server, fetch: answering(server.fetch, withMore) };
  },
  'shows times as numbers and amounts as text where no type is given': () => {
    const server = stranger();
    return { ...server, fetch: answering(server.fetch, numbersAndTexts) };
  },
  'has IDs that do not end in a letter or figure': () => {
    const server = stranger({ says: (payload) => ({ ...payload, GiftCardId: `${payload.GiftCardId}-` }) });
    return { ...server, fetch: endedIds(server.fetch) };
  },
  'delivers empty texts, and looks for the receiver with a GET': () => stranger({ says: emptied, looks: { method: 'GET' } }),
  'looks for the receiver with a POST of nothing': () => stranger({ looks: { method: 'POST', body: '' } }),
};

test.each(Object.keys(shaped))(
  'nor with one that %s',
  async (shape) => {
    const server = shaped[shape]?.();
    if (server) await judged(server, unlimited, usual);
  },
  120_000,
);

test('nor with one that answers packed, in pieces, with pages, and closes every connection', async () => {
  const { key, profile, fetch } = stranger();
  const { url, close } = await overSockets(fetch);
  await judged({ key, profile, url }, unlimited, usual);
  await close();
}, 120_000);
