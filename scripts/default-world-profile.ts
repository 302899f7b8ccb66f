import type { Profile } from '../conformance/http/target.ts';
import profile from '../docs/recipes/conformance/profile.json' with { type: 'json' };

/** The profile of the mock's default world. */
const { $schema: _, ...entries } = profile as Profile & { readonly $schema?: string };
export const defaultWorldProfile: Profile = entries;
