import { names as nameTable } from '../../openapi/generated/names.ts';
import type { Trial } from '../core/trial.ts';
import type { TargetResponse } from '../http/exchange.ts';
import type { Profile } from '../http/target.ts';
import { Untested } from '../safety/policy.ts';
import { holdsCard, withKey } from './cards.ts';
import { type FixtureCard, fixture } from './shared-cards.ts';

export const channelPath = '/api/GiftCard/GetByAccountPlatformIdAndSourceId';

export const byChannelId = (t: Trial, query: Record<string, string>, key?: string): Promise<TargetResponse> =>
  t.send(`GET the card of a channel by ${Object.keys(query).join(' and ')}`, {
    method: 'GET',
    path: channelPath,
    query,
    ...withKey(key),
  });

/** Looks up the profile's channelCard by its ID in the channel, and then an unknown ID. The specification does not name the two query parameters, so the run finds their names first. */
export function channelLookup(t: Trial) {
  return t.shared('lookup by the ID in a channel', async (shared) => {
    const { channelCard } = t.run.profile;
    if (channelCard?.source === undefined)
      throw new Untested('fixture-missing', 'the profile does not name the channel of its channelCard (source)');
    const { source: channel, sourceId, parameters } = channelCard;
    const on = await fixture(shared, channelCard.code);
    const names = parameters ?? (await findNames(shared, channelCard, on));
    const queryFor = (id: string) => ({ [names.platform]: channel, [names.source]: id });
    const query = queryFor(sourceId);
    const found = await byChannelId(shared, query);
    return { names, query, on, found, unknown: await byChannelId(shared, queryFor(`${sourceId}-none`)) };
  });
}

/** Returns the contract's name for a parameter, its alternatives, and other likely names. */
function likelyNames(parameter: string, others: string): string[] {
  const target = `getGiftCardByAccountPlatformIdAndSourceId.${parameter}`;
  const listed = nameTable.flatMap(({ targets, alternatives }) => (targets.includes(target) ? alternatives : []));
  return [...new Set([parameter, ...listed, ...others.split(' ')])];
}

const platformNames = likelyNames('accountPlatformId', 'accountPlatformID platform channelId channel accountPlatform');
const sourceNames = likelyNames('sourceId', 'sourceID source platformGiftCardId giftCardId ref reference externalId id');

/** Tries all likely names in one request, and then fewer names. If the target rejects unknown names, tries only the likeliest pairs. */
async function findNames(t: Trial, { source: channel, sourceId }: NonNullable<Profile['channelCard']>, on: FixtureCard) {
  const finds = async (platforms: readonly string[], sources: readonly string[]) => {
    const query = [...platforms.map((name) => [name, channel]), ...sources.map((name) => [name, sourceId])];
    const { status, json } = await byChannelId(t, Object.fromEntries(query));
    return status === 200 && holdsCard(json, on);
  };
  const isTolerant = await finds(platformNames, sourceNames);
  const [platforms, sources] = isTolerant ? [platformNames, sourceNames] : [platformNames.slice(0, 2), sourceNames.slice(0, 2)];
  for (const platform of platforms) {
    if (isTolerant && !(await finds([platform], sources))) continue;
    for (const source of sources) if (await finds([platform], [source])) return { platform, source };
  }
  const tried = `${platformNames.join(', ')} and ${sourceNames.join(', ')}`;
  throw new Untested(
    'fact-missing',
    `no likely names of query parameters find the card by its ID in the channel; tried ${tried}`,
  );
}
