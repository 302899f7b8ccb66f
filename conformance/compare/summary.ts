import { levels } from '../core/contract.ts';
import { counted } from '../core/counted.ts';
import { type Comparison, exitOf, isGrave, type Side } from './comparison.ts';

/** What a comparison comes to, in a few lines; the last says why where the exit code is neither 0 nor 1. */
export function summary(comparison: Comparison): string[] {
  const { a, b, unexplained, unsteady, uncompared, unjudged, noiseUnknown } = comparison;
  const told = levels.flatMap((level) => {
    const number = comparison.differences.filter((each) => each.level === level).length;
    return number > 0 ? [`${number} ${level}`] : [];
  });
  const more = [
    ...(unexplained.length > 0 ? [`${unexplained.length} unexplained`] : []),
    ...(uncompared.length > 0 ? [`${counted(uncompared.length, 'clause')} not compared`] : []),
    ...(unjudged.length > 0 ? [`${counted(unjudged.length, 'clause')} judged on neither side`] : []),
    noiseUnknown === undefined
      ? unsteady.length > 0
        ? `${unsteady.length} unsteady on A`
        : 'A is steady'
      : `noise unknown: ${noiseUnknown}`,
  ];
  return [
    `${outcome(comparison)} · ${alikeTold(comparison)}`,
    [
      told.length > 0 ? `differences: ${told.join(', ')}` : unexplained.length > 0 ? 'no clause differs' : 'no difference',
      ...more,
    ].join(' · '),
    `A: ${costTold(a)} · B: ${costTold(b)}`,
    ...exitTold(comparison),
  ];
}

export const alikeTold = ({ alike, compared }: Comparison): string => `${alike} of ${counted(compared, 'clause')} alike`;

/** For who reads one line only. */
export function outcome(comparison: Comparison): string {
  const found = foundOf(comparison);
  return brokenOffTold(comparison).length > 0 ? `Broken off. Until then: ${found}` : found;
}

function foundOf({ differences, compared, unexplained }: Comparison): string {
  if (compared === 0) return 'Nothing was compared';
  const grave = differences.filter(isGrave);
  const statements = grave.filter(({ level }) => level === 'stated').length;
  const excluded = grave.length - statements;
  const parts = [
    ...(statements > 0 ? [counted(statements, 'statement')] : []),
    ...(excluded > 0 ? [`${counted(excluded, 'question')} that one alone answers against every reading`] : []),
  ];
  if (parts.length > 0) return `The two differ in ${parts.join(' and in ')}`;
  if (differences.length > 0)
    return `The two differ in nothing that is stated, and in ${counted(differences.length, 'question')}`;
  return unexplained.length > 0
    ? 'No clause tells the two apart, and their answers differ all the same'
    : 'The two do not differ';
}

/** That either side was broken off, for both ends of a report; nothing where both came to their end. */
export const brokenOffTold = ({ a, b }: Comparison): string[] =>
  [...a.exits, ...b.exits].includes(130) ? ['Broken off; of what was not compared nothing is known.'] : [];

const costTold = ({ spent, runs }: Side): string =>
  `${counted(spent.requests, 'request')}, ${counted(spent.creates, 'card')} of ${spent.faceValue.toFixed(2)}${runs > 1 ? ' in two runs' : ''}`;

function exitTold(comparison: Comparison): string[] {
  const { uncompared, compared } = comparison;
  const code = exitOf(comparison);
  if (code === 5) return ['Exit code 5: something that was made could not be proven gone.'];
  if (code === 6) return ['Exit code 6: the suite itself broke.'];
  if (code === 130)
    return ['Exit code 130: broken off; what was created is gone, and of what was not compared nothing is known.'];
  if (code !== 4) return [];
  const needed = uncompared.filter((each) => each.needed).length;
  return [
    `Exit code 4: ${compared === 0 ? 'nothing was compared' : `${counted(needed, 'clause')} could not be judged on one side`}.`,
  ];
}
