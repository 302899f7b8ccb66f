import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { choicesOf } from '../components/filters.tsx';
import { filterOf, ListAndDetail, type ListAndDetailProps } from './list-and-detail.tsx';
import type { Kind } from './live.ts';
import { useResource } from './resource.ts';

const PAGE = 100;
/** The largest limit of the control API. A link may select any of these rows. */
const ALL = 1000;

type ListProps<Row> = Omit<ListAndDetailProps<Row>, 'rows' | 'error' | 'detail' | 'onMore' | 'choices'>;

interface LiveListProps<Row> extends ListProps<Row> {
  /** Loads the last rows of each kind, newest first. */
  readonly load: (limit: number) => Promise<readonly Row[]>;
  readonly kinds: readonly Kind[];
  /** Returns the choice of the filter that shows the row. */
  readonly choiceOf: (row: Row) => string;
  /** Rows of this choice are shown only if the user chooses them. */
  readonly aside: string;
  /** Returns the text in which the search looks. */
  readonly textOf: (row: Row) => string;
  /** The detail of the selected ID. The row is undefined if it is not loaded. */
  readonly detailOf: (selected: string, row: Row | undefined) => ComponentChildren;
}

/** A list that loads again after each change, with a choice for each kind of row. */
export function LiveList<Row>({ load, kinds, choiceOf, aside, textOf, detailOf, ...rest }: LiveListProps<Row>) {
  const { search, only, selected } = filterOf();
  const limit = useSignal(PAGE);
  const { data, error } = useResource(() => load(limit.value), kinds, [limit.value]);
  const isChosen = (each: Row) => (only === null ? choiceOf(each) !== aside : choiceOf(each) === only);
  const isFound = (each: Row) => textOf(each).toLowerCase().includes(search);
  const row = data?.find((each) => rest.idOf(each) === selected);
  const detail = selected !== null && detailOf(selected, row);
  const hasMore = data !== undefined && data.length >= limit.value && limit.value < ALL;
  useEffect(() => {
    if (selected !== null && !detail && hasMore) limit.value = ALL;
  });
  return (
    <ListAndDetail
      {...rest}
      rows={data?.filter((each) => isChosen(each) && isFound(each))}
      error={error}
      detail={detail}
      empty={search !== '' || only !== null ? 'Nothing matches.' : rest.empty}
      onMore={hasMore ? () => (limit.value = Math.min(2 * limit.value, ALL)) : undefined}
      choices={choicesOf((data ?? []).map(choiceOf).sort())}
    />
  );
}
