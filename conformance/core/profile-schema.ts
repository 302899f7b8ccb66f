import schema from '../generated/profile.schema.json' with { type: 'json' };
import { leaves } from '../http/json-search.ts';
import type { Profile } from './target.ts';

/** What the schema says of an entry of a profile. */
export interface ProfileNode {
  readonly description?: string;
  /** A secret: a key, or what names cards and people that no run made up. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, ProfileNode>>;
}

export { schema };

/** The entry at the end of the steps, if the schema names it. */
export const nodeAt = (steps: readonly string[]): ProfileNode | undefined =>
  steps.reduce<ProfileNode | undefined>((at, step) => at?.properties?.[step], schema as ProfileNode);

/** Whether the entry, or one that holds it, is a secret. */
export const isSecret = (steps: readonly string[]): boolean =>
  steps.some((_, last) => nodeAt(steps.slice(0, last + 1))?.writeOnly);

/** The secrets of a profile, each with its path in dots. */
export function secretsIn(profile: Profile): { name: string; value: string }[] {
  return leaves(profile).flatMap(({ path, value }) => {
    const steps = path.slice(1).split('/');
    if (typeof value !== 'string' || !isSecret(steps) || isPlainHeader(steps, value)) return [];
    return [{ name: steps.join('.'), value }];
  });
}

/** Headers for the clock may hold anything; what is short or says only a media type would be found where it is not meant. */
const isPlainHeader = (steps: readonly string[], value: string): boolean =>
  steps.at(-2) === 'headers' && (value.length < 8 || /^(content-type|accept)$/i.test(steps.at(-1) ?? ''));
