import type { Exchange } from '../http/exchange.ts';
import type { Explained } from './explained.ts';
import type { Parting, Volatile } from './json-diff.ts';
import { partings } from './json-diff.ts';
import type { Speaker, Spoken } from './normalized.ts';
import { Bound, buildOf } from './placeholders.ts';

/** Two exchanges that stand for the same step of a clause, or one that the other side never came to. */
export interface Pace {
  readonly a: Spoken | undefined;
  readonly b: Spoken | undefined;
  readonly partings: readonly Parting[];
}

/** How a clause went on both sides. */
export interface Way {
  readonly paces: readonly Pace[];
  readonly bound: Bound;
}

/** Holds what was done for a clause on one side beside the same on the other, step by step. */
export function wayOf(
  a: readonly Exchange[],
  b: readonly Exchange[],
  speakers: { readonly a: Speaker; readonly b: Speaker },
  volatile: Volatile,
  explained?: Explained,
): Way {
  const bound = new Bound();
  const paces = aligned(a.map(speakers.a), b.map(speakers.b)).map(([one, other]) => ({
    a: one,
    b: other,
    partings:
      one && other ? partings(one, other, bound, volatile).filter((parting) => !explained?.follows(parting, one, other)) : [],
  }));
  return { paces, bound };
}

/** More steps than this are held beside each other as they come. */
const manySteps = 250;

function aligned(a: readonly Spoken[], b: readonly Spoken[]): [Spoken | undefined, Spoken | undefined][] {
  const [ours, theirs] = [a.map(nameOf), b.map(nameOf)];
  const isSame = ours.length === theirs.length && ours.every((name, index) => name === theirs[index]);
  if (isSame || Math.max(a.length, b.length) > manySteps)
    return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => [a[index], b[index]]);
  return inCommon(ours, theirs).map(([one, other]) => [
    one === undefined ? undefined : a[one],
    other === undefined ? undefined : b[other],
  ]);
}

/** What is asked, but for what is bound to the run. */
const nameOf = ({ operation, exchange, request }: Spoken): string =>
  buildOf([operation, exchange.path.split('?')[0], JSON.stringify(request)].join(' '));

/** Pairs the places of two rows so that as many equal entries as possible stand beside each other; the others stand alone. */
export function inCommon(a: readonly string[], b: readonly string[]): [number | undefined, number | undefined][] {
  const width = b.length + 1;
  const longest = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number | undefined, number | undefined][] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) pairs.push([i++, j++]);
    else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) pairs.push([i++, undefined]);
    else pairs.push([undefined, j++]);
  }
  return pairs;
}
