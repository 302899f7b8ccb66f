import { VariantError } from '../../mock/index.ts';
import { type Judged, judge, type Variation } from './judge.ts';
import { smallest } from './smallest.ts';

type Entries = readonly (readonly [string, string])[];

/** The fewest behaviors with which the clause is still found red, as lines; behaviors that need others to go with them may stay for that. */
export async function leastFor(clause: string, variation: Variation): Promise<string[]> {
  const isRed = async (some: Entries) => {
    const judged = await judgedOrClash(Object.fromEntries(some), (name) => name === clause);
    return judged?.reds.some(({ name }) => name === clause) ?? false;
  };
  const all: Entries = Object.entries(variation);
  if (!(await isRed(all))) return ['not red when it is judged alone: it needs what other checks do before it'];
  return (await smallest(all, isRed)).map(([name, reading]) => `${name}: ${reading}`);
}

/** The same of what is left behind, for which every check is run each time. */
export async function leastForLeftovers(variation: Variation): Promise<string[]> {
  const leaves = async (some: Entries) => ((await judgedOrClash(Object.fromEntries(some)))?.left.length ?? 0) > 0;
  return (await smallest(Object.entries(variation), leaves)).map(([name, reading]) => `${name}: ${reading}`);
}

/** Undefined where the behaviors cannot go together. */
async function judgedOrClash(variation: Variation, wanted: (name: string) => boolean = () => true): Promise<Judged | undefined> {
  try {
    return await judge(variation, ({ name, inputs }) => !inputs && wanted(name));
  } catch (error) {
    if (error instanceof VariantError) return undefined;
    throw error;
  }
}
