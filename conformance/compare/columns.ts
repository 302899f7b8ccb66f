import { inCommon } from './aligned-steps.ts';
import type { Shown, Step } from './comparison.ts';

/** Two lines that stand beside each other, or one for which the other side has none. */
export interface Row {
  readonly a?: string;
  readonly b?: string;
  readonly differs: boolean;
  /** A part of the exchange begins here, and is called so. */
  readonly heading?: string;
}

/** An exchange of both sides, line by line, with what is the same in the same rows. */
export function rowsOf({ a, b }: Step): Row[] {
  return [...part('asked', asked(a), asked(b)), ...part('answered', answered(a), answered(b))];
}

const asked = (shown: Shown | undefined) => shown && [`${shown.method} ${shown.path}`, ...lines(shown.request)];
const answered = (shown: Shown | undefined) =>
  shown && [
    `${shown.status} ${shown.contentType}`.trim(),
    ...(shown.headers ?? []),
    ...(shown.body === '' ? ['(no body)'] : lines(shown.body)),
  ];
const lines = (text: string | undefined): string[] => (text === undefined ? [] : text.split('\n'));

function part(
  heading: string,
  a: readonly string[] = ['(nothing was asked)'],
  b: readonly string[] = ['(nothing was asked)'],
): Row[] {
  const [first, second] = [a.map(bare), b.map(bare)];
  const rows = inCommon(first, second).map(([one, other]): Row => {
    const pair = { ...(one === undefined ? {} : { a: a[one] ?? '' }), ...(other === undefined ? {} : { b: b[other] ?? '' }) };
    return { ...pair, differs: one === undefined || other === undefined };
  });
  return joined(rows).map((row, index) => (index === 0 ? { ...row, heading } : row));
}

/** Whether a comma follows is no difference of the line. */
const bare = (line: string): string => line.replace(/,$/, '');

/** Lines that stand alone on either side, one after another, stand beside each other, a property beside the one of the same name. */
function joined(rows: readonly Row[]): Row[] {
  const found: Row[] = [];
  let left: Row[] = [];
  const flush = () => {
    const [ours, theirs] = [left.filter(({ a }) => a !== undefined), left.filter(({ b }) => b !== undefined)];
    const names = (all: readonly Row[]) => all.map(({ a, b }) => /^\s*"[^"]*":/.exec(a ?? b ?? '')?.[0] ?? '\n');
    const pairs =
      names(ours).length === 1 && names(theirs).length === 1 ? [[0, 0] as const] : inCommon(names(ours), names(theirs));
    for (const [one, other] of pairs) found.push({ ...ours[one ?? -1], ...theirs[other ?? -1], differs: true });
    left = [];
  };
  for (const row of rows) {
    if (row.differs) left.push(row);
    else {
      flush();
      found.push(row);
    }
  }
  flush();
  return found;
}

/** Of the rows only those that differ, and those around them; a number in the place of those that are left out. */
export function shortened(rows: readonly Row[]): (Row | number)[] {
  const found: (Row | number)[] = [];
  const isNear = (index: number) => rows.slice(Math.max(0, index - around), index + around + 1).some(({ differs }) => differs);
  // What one side has alone is told by its beginning.
  const isAlone = ({ a, b }: Row = { differs: false }) => (a === undefined) !== (b === undefined);
  const isTooMuch = (index: number) => rows.slice(Math.max(0, index - manyAlone), index + 1).every(isAlone) && index >= manyAlone;
  rows.forEach((row, index) => {
    if (row.heading !== undefined || (isNear(index) && !isTooMuch(index))) found.push(row);
    else if (typeof found.at(-1) === 'number') found.push((found.pop() as number) + 1);
    else found.push(1);
  });
  return found;
}

/** How many rows around one that differs are shown. */
const around = 2;
const manyAlone = 6;
