import type { Profile } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { holdsCard } from './card-requests.ts';
import { type Fixture, fixture } from './fixtures.ts';

/** Query parameters by which a target finds a card by the ID that a sales channel gave it; both names are open. */
interface SourceNames {
  platform: string;
  source: string;
}

const platformNames = [
  'accountPlatformId',
  'platformId',
  'accountPlatformID',
  'platform',
  'channelId',
  'channel',
  'accountPlatform',
];
const sourceNames = [
  'sourceId',
  'giftCardSourceId',
  'sourceID',
  'source',
  'platformGiftCardId',
  'giftCardId',
  'ref',
  'reference',
  'externalId',
  'id',
];

export function bySource(t: Trial, query: Record<string, string>, key?: string): Promise<Answer> {
  return t.send(`GET the card of a channel by ${Object.keys(query).join(' and ') || 'nothing'}`, {
    method: 'GET',
    path: '/api/GiftCard/GetByAccountPlatformIdAndSourceId',
    query,
    ...(key === undefined ? {} : { key }),
  });
}

type Try = (platforms: readonly string[], sources: readonly string[]) => Promise<Answer | undefined>;

/** The card of the profile's channelCard, asked for by the ID that its channel gave it. */
interface ChannelCard {
  names: SourceNames;
  values: SourceNames;
  on: Fixture;
  /** What is answered, and what to an ID that the channel gave to no card. */
  found: Answer;
  unknown: Answer;
}

/** Finds the names by trying. Untested `fact-missing` when none find the card. */
export function sourceQuery(t: Trial): Promise<ChannelCard> {
  return t.shared('names of a channel’s card', async (shared) => {
    const { channelCard } = t.run.profile;
    if (channelCard?.source === undefined)
      throw new Untested('fixture-missing', 'the profile does not say of which channel its channelCard is (source)');
    const values = { platform: channelCard.source, source: channelCard.sourceId };
    const on = await fixture(shared, channelCard.code);
    const attempt: Try = async (platforms, sources) => {
      const named = [...platforms.map((name) => [name, values.platform]), ...sources.map((name) => [name, values.source])];
      const answer = await bySource(shared, Object.fromEntries(named));
      return answer.status === 200 && holdsCard(answer.json, on) ? answer : undefined;
    };
    const names = await namesThat(attempt);
    const found = names && (await attempt([names.platform], [names.source]));
    if (found) {
      const unknown = await bySource(shared, { [names.platform]: values.platform, [names.source]: `${values.source}-none` });
      return { names, found, unknown, on, values };
    }
    const tried = `${platformNames.join(', ')} and ${sourceNames.join(', ')}`;
    throw new Untested('fact-missing', `no query parameters find the card by the ID of its channel; tried ${tried}`);
  });
}

/** All likely names are sent at once and then one after another; a target that takes no names that it does not know is asked for the likeliest pairs. */
async function namesThat(finds: Try): Promise<SourceNames | undefined> {
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

/** The same by the names that the profile gives, where none that were tried find the card: then it is the target that does not find it. Throws the error where it gives none. */
export async function namedQuery(
  t: Trial,
  { code, sourceId, source = '', parameters }: NonNullable<Profile['channelCard']>,
  error: unknown,
): Promise<Pick<ChannelCard, 'on' | 'found' | 'unknown'>> {
  if (!parameters || !(error instanceof Untested)) throw error;
  const ask = (id: string) => bySource(t, { [parameters.platform]: source, [parameters.source]: id });
  return { on: await fixture(t, code), found: await ask(sourceId), unknown: await ask(`${sourceId}-none`) };
}
