import { names as nameTable } from '../../openapi/generated/names.ts';
import { shortList } from '../core/card-list.ts';
import type { Profile } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer, Ask } from '../http/exchange.ts';
import { unknownIdLike } from '../http/structure.ts';
import { adjustmentTime, cardIdField } from './adjustments.ts';
import { holdsCard, withKey } from './cards.ts';
import { noteIdleEvent, recipient } from './events.ts';
import { type Fixture, fixture } from './shared-cards.ts';

/** A request to an endpoint, and another reason for which the target may reject it: unknown names in it (400), or a missing record (404). */
export type EndpointRequest = Ask & {
  readonly otherwise?: 400 | 404;
  /** The recipient of an event. */
  readonly recipient?: string;
};

/** One request to each endpoint with a known path that creates nothing. They are valid except for the key, and harmless if they are accepted. */
export async function everyEndpoint(t: Trial, code: string, id: string | number): Promise<EndpointRequest[]> {
  const field = await orUndefined(cardIdField(t));
  const channel = await orUndefined(channelLookup(t));
  const { platform, source } = channel?.names ?? { platform: 'accountPlatformId', source: 'sourceId' };
  const { ledger } = t.run;
  const nobody = recipient(t);
  const adjustment = () => ({
    adjustmentAmount: 0.25,
    actionedAtUtc: adjustmentTime(t),
    uniqueAdjustmentId: ledger.unique('GCS-A'),
  });
  const cardPath = (path: string, value: string | number) => `/api/${path}/${encodeURIComponent(value)}`;
  const get = (path: string, query?: Ask['query']): Ask => ({ method: 'GET', path, ...(query ? { query } : {}) });
  const post = (path: string, body: unknown): Ask => ({ method: 'POST', path, body });
  const remove = (path: string, value: string | number): EndpointRequest => ({
    method: 'DELETE',
    path: cardPath(path, value),
    otherwise: 404,
  });
  const event = { event_name: ledger.fresh('gcs-none-'), recipient_email: nobody, properties: {} };
  return [
    shortList,
    get(cardPath('GiftCard/GetByCode', code)),
    get(cardPath('GiftCard/GetById', id)),
    get('/api/GiftCard/GetByEmail', { emailAddress: 'recipient@example.com' }),
    {
      ...get(channelPath, { [platform]: channel?.values.platform ?? 'none', [source]: 'none' }),
      ...(channel ? {} : { otherwise: 400 }),
    },
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardCode', code)),
    get(cardPath('GiftCardAdjustment/ListAdjustmentsByGiftCardId', id)),
    get('/api/Company/Profile'),
    get('/api/Webhook/List'),
    post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode', { giftCardCode: code, ...adjustment() }),
    {
      ...post('/api/GiftCardAdjustment/AddAdjustmentByGiftCardId', { [field ?? 'giftCardId']: id, ...adjustment() }),
      ...(field === undefined ? { otherwise: 400 } : {}),
    },
    remove('GiftCard/VoidByCode', ledger.fresh('GCSNONE')),
    remove('GiftCard/VoidById', unknownIdLike(id)),
    remove('Webhook/Delete', unknownIdLike(id)),
    { ...post('/api/AutomationTriggerEvents', event), recipient: nobody },
  ];
}

/** Sends one of them with `send`. The ledger records the recipient of an event before the request, so that cleanup finds the cards if it issues some. */
export async function sendRecorded(t: Trial, request: EndpointRequest, send: (ask: Ask) => Promise<Answer>): Promise<Answer> {
  const { recipient: to, otherwise: _, ...ask } = request;
  if (to === undefined) return send(ask);
  const entry = t.run.ledger.openIssued(to);
  const answer = await send({ ...ask, entry });
  noteIdleEvent(t, entry, answer);
  return answer;
}

/** The result, or undefined if the target does not allow to find it out. */
export async function orUndefined<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Untested || error instanceof Blocked) return undefined;
    throw error;
  }
}

const channelPath = '/api/GiftCard/GetByAccountPlatformIdAndSourceId';

export const byChannelId = (t: Trial, query: Record<string, string>, key?: string): Promise<Answer> =>
  t.send(`GET the card of a channel by ${Object.keys(query).join(' and ')}`, {
    method: 'GET',
    path: channelPath,
    query,
    ...withKey(key),
  });

/** The query parameters that name a channel and a gift card ID of the channel. Both names are open. */
interface ChannelNames {
  platform: string;
  source: string;
}

interface ChannelLookup {
  names: ChannelNames;
  values: ChannelNames;
  on: Fixture;
  /** The responses to the card's ID, and to an ID that the channel gave to no card. */
  found: Answer;
  unknown: Answer;
}

const likelyNames = (parameter: string, others: readonly string[]): string[] => {
  const target = `getGiftCardByAccountPlatformIdAndSourceId.${parameter}`;
  const listed = nameTable.flatMap(({ targets, alternatives }) => (targets.includes(target) ? alternatives : []));
  return [...new Set([parameter, ...listed, ...others])];
};
const platformNames = likelyNames('accountPlatformId', [
  ...['accountPlatformID', 'platform', 'channelId', 'channel', 'accountPlatform'],
]);
const sourceNames = likelyNames('sourceId', [
  ...['sourceID', 'source', 'platformGiftCardId', 'giftCardId', 'ref', 'reference', 'externalId', 'id'],
]);

/** Looks up the profile's channelCard, and finds the names of the parameters by trying. Untested `fact-missing` if none find the card. */
export function channelLookup(t: Trial): Promise<ChannelLookup> {
  return t.shared('names of the channel parameters', async (shared) => {
    const { channelCard } = t.run.profile;
    if (channelCard?.source === undefined)
      throw new Untested('fixture-missing', 'the profile does not name the channel of its channelCard (source)');
    const values = { platform: channelCard.source, source: channelCard.sourceId };
    const on = await fixture(shared, channelCard.code);
    const attempt = async (platforms: readonly string[], sources: readonly string[]) => {
      const named = [...platforms.map((name) => [name, values.platform]), ...sources.map((name) => [name, values.source])];
      const answer = await byChannelId(shared, Object.fromEntries(named));
      return answer.status === 200 && holdsCard(answer.json, on) ? answer : undefined;
    };
    const names = await namesThat(attempt);
    const found = names && (await attempt([names.platform], [names.source]));
    if (!found) {
      const tried = `${platformNames.join(', ')} and ${sourceNames.join(', ')}`;
      throw new Untested('fact-missing', `no query parameters find the card by its channel's ID; tried ${tried}`);
    }
    const unknown = await byChannelId(shared, { [names.platform]: values.platform, [names.source]: `${values.source}-none` });
    return { names, values, on, found, unknown };
  });
}

/** Tries all likely names in one request and then narrows them down; if the target rejects unknown names, tries the likeliest pairs. */
async function namesThat(
  finds: (platforms: readonly string[], sources: readonly string[]) => Promise<unknown>,
): Promise<ChannelNames | undefined> {
  if (await finds(platformNames, sourceNames)) {
    const platform = await firstOf(platformNames, (name) => finds([name], sourceNames));
    const source = platform && (await firstOf(sourceNames, (name) => finds([platform], [name])));
    return platform && source ? { platform, source } : undefined;
  }
  const pairs = platformNames.slice(0, 2).flatMap((platform) => sourceNames.slice(0, 2).map((source) => ({ platform, source })));
  return firstOf(pairs, ({ platform, source }) => finds([platform], [source]));
}

async function firstOf<T>(all: readonly T[], isIt: (each: T) => Promise<unknown>): Promise<T | undefined> {
  for (const each of all) if (await isIt(each)) return each;
  return undefined;
}

/** The lookup with the parameter names of the profile. If these do not find the card, the target does not. Throws the error if the profile has none. */
export async function lookupByProfile(
  t: Trial,
  { code, sourceId, source = '', parameters }: NonNullable<Profile['channelCard']>,
  error: unknown,
): Promise<Pick<ChannelLookup, 'on' | 'found' | 'unknown'>> {
  if (!parameters || !(error instanceof Untested)) throw error;
  const ask = (id: string) => byChannelId(t, { [parameters.platform]: source, [parameters.source]: id });
  return { on: await fixture(t, code), found: await ask(sourceId), unknown: await ask(`${sourceId}-none`) };
}
