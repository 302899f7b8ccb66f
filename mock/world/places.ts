import type { Path } from '../../openapi/input/text.ts';

export type { Path };

/** Something that is wrong with a world file. `sentence` leaves out where. */
export interface Problem {
  readonly path: Path;
  readonly sentence: string;
  /** What it is in conflict with, so that both lines can be told. */
  readonly other?: Path;
}

/** How a thing of each list is called in messages, and by which property people know it. Keys are never shown. */
const lists: Readonly<Record<string, readonly [thing: string, knownBy?: string]>> = {
  accounts: ['account', 'id'],
  keys: ['key'],
  channels: ['channel', 'id'],
  automations: ['automation', 'name'],
  cards: ['card', 'code'],
  adjustments: ['adjustment'],
  webhooks: ['webhook', 'url'],
  coupons: ['coupon', 'code'],
};

/** Where a path leads, in words: `account main, card VOUCHER-0001, adjustment #2`. A property at its end is left to the sentence. */
export function placeOf(file: unknown, path: Path): string {
  const places: string[] = [];
  let node = file;
  for (const [index, step] of path.entries()) {
    node = inside(node, step);
    const [thing, knownBy] = (typeof step === 'number' && lists[String(path[index - 1])]) || [];
    if (thing !== undefined) {
      const name = knownBy === undefined ? undefined : inside(node, knownBy);
      places.push(`${thing} ${typeof name === 'string' && name !== '' ? name : ordinal(step)}`);
    } else if (path[index - 1] === 'inChannels') places.push(`channel ${step}`);
  }
  return places.join(', ');
}

/** The same, with the last thing told by its position: of two with one name, the name would not say which. */
export function positionOf(file: unknown, path: Path): string {
  const last = path.findLastIndex((step) => typeof step === 'number');
  const [thing = '', knownBy] = lists[String(path[last - 1])] ?? [];
  const name = knownBy === undefined ? undefined : valueAt(file, [...path.slice(0, last + 1), knownBy]);
  const known = typeof name === 'string' && name !== '' ? ` (${name})` : '';
  return [placeOf(file, path.slice(0, last)), `${thing} ${ordinal(path[last])}${known}`].filter((part) => part !== '').join(', ');
}

function ordinal(step: string | number | undefined): string {
  return `#${Number(step) + 1}`;
}

/** The value that a path leads to, or undefined. */
export function valueAt(file: unknown, path: Path): unknown {
  return path.reduce(inside, file);
}

function inside(node: unknown, step: string | number): unknown {
  return typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[step] : undefined;
}

/** The same things, told from further up. */
export function below<T extends { readonly path: Path; readonly other?: Path }>(path: Path, things: readonly T[]): T[] {
  return things.map((thing) => ({
    ...thing,
    path: [...path, ...thing.path],
    ...(thing.other ? { other: [...path, ...thing.other] } : {}),
  }));
}
