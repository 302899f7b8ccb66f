import type { ItemInPage } from '../../conformance/report/page-data.ts';

export interface FilterGroup {
  readonly heading: string;
  readonly items: readonly ItemInPage[];
}

/** An empty text allows every value. */
export const noFilter = { status: '', level: '', heading: '', search: '' };

export type Filter = Readonly<typeof noFilter>;

/** Returns the groups with only the items for which `isWanted` returns true. A group without such items is left out. */
export const groupsOf = (groups: readonly FilterGroup[], isWanted: (item: ItemInPage) => boolean): FilterGroup[] =>
  groups.map(({ heading, items }) => ({ heading, items: items.filter(isWanted) })).filter(({ items }) => items.length > 0);

export function filtered(groups: readonly FilterGroup[], { status, level, heading, search }: Filter): FilterGroup[] {
  const words = search.toLowerCase().split(/\s+/);
  const isWanted = ({ name, text, cause, details, status: own, about }: ItemInPage) => {
    const all = [name, text, cause, ...details.flat()].join('\n').toLowerCase();
    return [own, ''].includes(status) && [about[0], ''].includes(level) && words.every((word) => all.includes(word));
  };
  return groupsOf(groups, isWanted).filter((group) => [group.heading, ''].includes(heading));
}

export const isFailure = ({ outcome, status }: ItemInPage) => outcome === 'failure' || status === 'fail';

/** Moves failures to a group of their own, which comes first. */
export function failuresFirst(groups: readonly FilterGroup[]): FilterGroup[] {
  const failures = { heading: 'Failures', items: groups.flatMap(({ items }) => items) };
  return [...groupsOf([failures], isFailure), ...groupsOf(groups, (item) => !isFailure(item))];
}
