import type { ItemInPage } from '../../conformance/report/page-data.ts';

export interface Group {
  readonly heading: string;
  readonly items: readonly ItemInPage[];
}

/** An empty text allows every value. */
export interface Filter {
  readonly status: string;
  readonly level: string;
  readonly heading: string;
  readonly search: string;
}

export const noFilter: Filter = { status: '', level: '', heading: '', search: '' };

const allows = (wanted: string, value: string | undefined) => wanted === '' || wanted === value;

const isLevel = ({ about: [own] }: ItemInPage, level: string) => allows(level, own);

export function matches(item: ItemInPage, { status, level, search }: Filter): boolean {
  const { name, text, cause, details } = item;
  const all = [name, text, cause, ...details.map(([, each]) => each)].join('\n').toLowerCase();
  const words = search.toLowerCase().split(/\s+/);
  return allows(status, item.status) && isLevel(item, level) && words.every((word) => all.includes(word));
}

/** Returns the matching items of each group. A group without such items is left out. */
export const filtered = (groups: readonly Group[], filter: Filter): Group[] =>
  groups
    .filter(({ heading }) => allows(filter.heading, heading))
    .map(({ heading, items }) => ({ heading, items: items.filter((item) => matches(item, filter)) }))
    .filter(({ items }) => items.length > 0);

/** Moves failures to a group of their own, which comes first, and then items without a verdict. */
export function failuresFirst(groups: readonly Group[]): Group[] {
  const kindOf = ({ outcome, status }: ItemInPage) =>
    outcome === 'failure' || status === 'fail' ? 'Failures' : outcome === 'error' ? 'Without a verdict' : undefined;
  const all = groups.flatMap(({ items }) => items);
  const first = ['Failures', 'Without a verdict'].map((heading) => ({
    heading,
    items: all.filter((item) => kindOf(item) === heading),
  }));
  const others = groups.map(({ heading, items }) => ({ heading, items: items.filter((item) => kindOf(item) === undefined) }));
  return [...first, ...others].filter(({ items }) => items.length > 0);
}
