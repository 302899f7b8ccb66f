/** The way to a value inside a world file: property names and positions. */
export type Path = readonly (string | number)[];

/** Something that is wrong with a world file. `sentence` leaves out where. */
export interface Problem {
  readonly path: Path;
  readonly sentence: string;
}

/** How a thing of each list is called in messages, and by which property people know it. Keys and tokens are never shown. */
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
export function placeOf(world: object, path: Path): string {
  const places: string[] = [];
  let node: unknown = world;
  for (const [index, step] of path.entries()) {
    node = typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[step] : undefined;
    const list = typeof step === 'number' ? lists[String(path[index - 1])] : undefined;
    if (list) {
      const name = list[1] === undefined ? undefined : (node as Record<string, unknown> | undefined)?.[list[1]];
      places.push(`${list[0]} ${typeof name === 'string' && name !== '' ? name : `#${Number(step) + 1}`}`);
    } else if (path[index - 1] === 'inChannels') places.push(`channel ${step}`);
  }
  return places.join(', ');
}

/** The same, told from further up. */
export function below<T extends { readonly path: Path }>(path: Path, problems: readonly T[]): T[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}
