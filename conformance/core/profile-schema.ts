import schema from '../generated/profile.schema.json' with { type: 'json' };
import { leaves } from '../http/json-search.ts';
import type { Profile } from './target.ts';

/** An entry of a profile in the schema. */
export interface ProfileNode {
  readonly description?: string;
  /** True for a secret: a key, or a value that names cards and people that no run created. */
  readonly writeOnly?: boolean;
  readonly properties?: Readonly<Record<string, ProfileNode>>;
}

export { schema };

/** Returns the secrets of a profile. The name of a secret is its path, joined by dots. */
export function secretsIn(profile: Profile): { name: string; value: string }[] {
  return leaves(profile).flatMap(({ path, value }) => {
    const steps = path.slice(1).split('/');
    if (typeof value !== 'string' || !isSecret(steps) || isPlainHeader(steps, value)) return [];
    return [{ name: steps.join('.'), value }];
  });
}

/** Reports whether the entry at the path, or an entry that contains it, is a secret. */
function isSecret(steps: readonly string[], node: ProfileNode | undefined = schema): boolean {
  const [first, ...others] = steps;
  const inner = first === undefined ? undefined : node?.properties?.[first];
  return inner !== undefined && (inner.writeOnly === true || isSecret(others, inner));
}

/** Reports whether a header of the clock is short or a media type. Such a text appears elsewhere by accident. */
const isPlainHeader = (steps: readonly string[], value: string): boolean =>
  steps.at(-2) === 'headers' && (value.length < 8 || /^(content-type|accept)$/i.test(steps.at(-1) ?? ''));
