import { type Leaf, leaves } from '../http/structure.ts';
import { currencyLeaf, zoneLeaf } from './company.ts';

/** What a business profile may say, told by what it looks like, since nothing of it is given and nothing known. */
const looks = {
  email: (text: string) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text),
  website: (text: string) => /^(https?:\/\/|www\.)\S+$/i.test(text),
  timeZone: (text: string) => /^[A-Z][a-z]+\/[A-Z]\w+|Standard Time$|^(UTC|GMT)([+-]|$)/.test(text),
  country: (text: string) => /^[A-Z]{2}$/.test(text) && regions.of(text) !== undefined,
} as const;

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

export type ProfilePart = keyof typeof looks | 'currency' | 'name';

/** Where the profile has it, if one place only looks so; the name of the business is what text is left when all else is known. */
export function profilePlace(json: unknown, part: ProfilePart): string | undefined {
  const texts = leaves(json).filter(({ value }) => typeof value === 'string' && value !== '');
  if (part !== 'name') return only(texts, isIt(json, part));
  const others = [...(Object.keys(looks) as ProfilePart[]), 'currency'] as const;
  const known = others.map((each) => isIt(json, each as Exclude<ProfilePart, 'name'>));
  return only(texts, (leaf) => !known.some((is) => is(leaf)));
}

function isIt(json: unknown, part: Exclude<ProfilePart, 'name'>): (leaf: Leaf) => boolean {
  if (part === 'currency') return ({ value }) => value === currencyLeaf(json);
  // One that looks like none is known by its name.
  if (part === 'timeZone')
    return ({ value }) =>
      leaves(json).some((leaf) => looks.timeZone(String(leaf.value))) ? looks.timeZone(String(value)) : value === zoneLeaf(json);
  return ({ value }) => looks[part](String(value));
}

function only(all: readonly Leaf[], is: (leaf: Leaf) => boolean): string | undefined {
  const [found, ...others] = all.filter(is);
  return others.length > 0 ? undefined : found?.path;
}
