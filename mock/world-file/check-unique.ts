import type * as filled from './generated/filled.ts';
import { below, type Path, type Problem, placeOf } from './places.ts';

interface Named {
  readonly name: string | null | undefined;
  readonly path: Path;
}

/** What must be unique in the whole world: account ids and keys. Keys are never shown. */
export function repeatsAmong(world: filled.World): Problem[] {
  const keys = world.accounts.flatMap((account, index) =>
    (account.keys ?? []).map(({ key }, position): Named => ({ name: key, path: ['accounts', index, 'keys', position] })),
  );
  return [
    ...repeats(
      world,
      namesIn(['accounts'], world.accounts, ({ id }) => id),
      'id',
    ),
    ...repeats(world, keys, 'key'),
  ];
}

/** What must be unique on an account. */
export function repeatsWithin(account: filled.Account): Problem[] {
  const { automations, cards, channels, coupons, webhooks } = account;
  const adjustments = cards.flatMap((card, index) =>
    namesIn(['cards', index, 'adjustments'], card.adjustments, (each) => each.uniqueAdjustmentId),
  );
  const sources = channels.flatMap(({ id }) =>
    cards.map((card, index): Named => {
      const source = card.inChannels[id]?.sourceId;
      return { name: source && `${id} ${source}`, path: ['cards', index, 'inChannels', id] };
    }),
  );
  // Places are told from the world's root, so that the other one is named in the same words.
  const world = { accounts: [account] };
  const within = (named: readonly Named[], property: string) =>
    repeats(world, below(['accounts', 0], named), property).map((problem) => ({ ...problem, path: problem.path.slice(2) }));
  return [
    ...within(
      namesIn(['channels'], channels, ({ id }) => id),
      'id',
    ),
    ...within(
      namesIn(['automations'], automations, ({ name }) => name),
      'name',
    ),
    ...within(
      namesIn(['automations'], automations, ({ id }) => id?.toLowerCase()),
      'id',
    ),
    ...within(
      namesIn(['cards'], cards, ({ code }) => code?.toLowerCase()),
      'code (in any letter case)',
    ),
    ...within(
      namesIn(['cards'], cards, ({ id }) => id?.toLowerCase()),
      'id',
    ),
    ...within(
      namesIn(['cards'], cards, ({ uniqueId }) => uniqueId),
      'uniqueId',
    ),
    ...within(adjustments, 'uniqueAdjustmentId'),
    ...within(sources, 'sourceId'),
    ...within(
      namesIn(['webhooks'], webhooks, ({ id }) => id?.toLowerCase()),
      'id',
    ),
    ...within(
      namesIn(['coupons'], coupons, ({ code }) => code.toLowerCase()),
      'code (in any letter case)',
    ),
    ...within(
      namesIn(['coupons'], coupons, ({ id }) => id?.toLowerCase()),
      'id',
    ),
  ];
}

function namesIn<T>(path: Path, items: readonly T[], nameOf: (item: T) => string | null | undefined): Named[] {
  return items.map((item, index) => ({ name: nameOf(item), path: [...path, index] }));
}

function repeats(world: object, named: readonly Named[], property: string): Problem[] {
  const owners = new Map<string, Path>();
  return named.flatMap(({ name, path }) => {
    if (name === null || name === undefined) return [];
    const owner = owners.get(name);
    if (owner === undefined) {
      owners.set(name, path);
      return [];
    }
    return [
      { path, sentence: `its ${property} is already that of ${ordinal(owner)}${placeOf(world, owner)}; give each its own.` },
    ];
  });
}

/** Of two with one name, the place alone would not tell which. */
function ordinal(path: Path): string {
  const position = path.at(-1);
  return typeof position === 'number' && path.at(-2) !== 'keys' && path.at(-2) !== 'adjustments' ? `#${position + 1}, ` : '';
}
