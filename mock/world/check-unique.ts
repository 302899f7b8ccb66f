import type { World } from './description.ts';
import type * as filled from './generated/filled.ts';
import { type Path, type Problem, positionOf } from './places.ts';

/** The value of a thing that no other may have; none when it has no such value. */
interface Named {
  readonly name: string | null | undefined;
  readonly path: Path;
}

/** What must be unique in the whole world: account ids and keys. Keys are never shown. */
export function repeatsAmong(world: World): Problem[] {
  const ids = world.accounts.map(({ id }, index): Named => ({ name: id, path: ['accounts', index] }));
  const keys = world.accounts.flatMap((account, index) =>
    account.keys.map(({ key }, position): Named => ({ name: key, path: ['accounts', index, 'keys', position] })),
  );
  return [...repeats(world, ids, 'id'), ...repeats(world, keys, 'key')];
}

/** What must be unique on an account. */
export function repeatsWithin(account: filled.Account): Problem[] {
  const { automations, cards, channels, coupons, webhooks } = account;
  const unique = <T>(list: string, items: readonly T[], property: string, keyOf: (item: T) => string | null | undefined) => {
    const named = items.map((item, index): Named => ({ name: keyOf(item), path: [list, index] }));
    return repeats(account, named, property);
  };
  const adjustments = cards.flatMap((card, index) =>
    card.adjustments.map(
      (each, position): Named => ({ name: each.uniqueAdjustmentId, path: ['cards', index, 'adjustments', position] }),
    ),
  );
  const sources = channels.flatMap(({ id }) =>
    cards.map(({ inChannels }, index): Named => {
      const source = inChannels[id]?.sourceId;
      return { name: source && `${id}\n${source}`, path: ['cards', index, 'inChannels', id] };
    }),
  );
  return [
    ...unique('channels', channels, 'id', (channel) => channel.id),
    ...unique('automations', automations, 'name', (automation) => automation.name),
    ...unique('automations', automations, 'id', (automation) => automation.id?.toLowerCase()),
    ...unique('cards', cards, 'code, in any letter case,', (card) => card.code?.toLowerCase()),
    ...unique('cards', cards, 'id', (card) => card.id?.toLowerCase()),
    ...unique('cards', cards, 'uniqueId', (card) => card.uniqueId),
    ...unique('webhooks', webhooks, 'id', (webhook) => webhook.id?.toLowerCase()),
    ...unique('coupons', coupons, 'code, in any letter case,', (coupon) => coupon.code.toLowerCase()),
    ...unique('coupons', coupons, 'id', (coupon) => coupon.id?.toLowerCase()),
    ...repeats(account, adjustments, 'uniqueAdjustmentId'),
    ...repeats(account, sources, 'sourceId'),
  ];
}

function repeats(file: object, named: readonly Named[], property: string): Problem[] {
  const owners = new Map<string, Path>();
  return named.flatMap(({ name, path }) => {
    if (name === null || name === undefined) return [];
    const owner = owners.get(name);
    if (owner === undefined) {
      owners.set(name, path);
      return [];
    }
    return [
      { path, sentence: `its ${property} is already that of ${positionOf(file, owner)}; give each its own.`, other: owner },
    ];
  });
}
