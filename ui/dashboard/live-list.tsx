import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { choicesOf, Filters } from '../components/filters.tsx';
import { type Column, ListAndDetail } from '../components/list-and-detail.tsx';
import { Notice } from '../components/notice.tsx';
import type { Kind } from './live.ts';
import { useResource } from './resource.ts';
import { go, hrefOf, route } from './router.ts';

const PAGE = 100;
/** The sandbox keeps at most this number of entries. A link may select any of them. */
const ALL = 10_000;

interface LiveListProps<Row> {
  /** The name of the list: "Emails". */
  readonly name: string;
  /** Loads about this number of rows, newest first. */
  readonly load: (limit: number) => Promise<readonly Row[]>;
  readonly kinds: readonly Kind[];
  readonly columns: readonly Column<Row>[];
  readonly idOf: (row: Row) => string;
  /** Returns the choice of the filter that shows the row. */
  readonly choiceOf: (row: Row) => string;
  /** Rows of this choice are shown only if the user chooses them. */
  readonly aside: string;
  /** Returns the text in which the search looks. */
  readonly textOf: (row: Row) => string;
  readonly placeholder: string;
  /** The detail of the selected ID. The row is undefined if it is not loaded. */
  readonly detailOf: (selected: string, row: Row | undefined) => ComponentChildren;
  readonly empty: ComponentChildren;
  /** Shown above the filters. */
  readonly above?: ComponentChildren;
  /** Buttons at the right end of the filters. */
  readonly children?: ComponentChildren;
}

/** A list that loads again after each change. The address has the search, the choice and the selected row. */
export function LiveList<Row>(props: LiveListProps<Row>) {
  const { load, kinds, idOf, choiceOf, aside, textOf, detailOf, empty, ...rest } = props;
  const { query } = route.value;
  const [search, only, selected] = [query.get('search') ?? '', query.get('only'), query.get('selected')];
  const limit = useSignal(PAGE);
  const { data, error } = useResource(() => load(limit.value), kinds, [limit.value]);
  const isChosen = (each: Row) => (only === null ? choiceOf(each) !== aside : choiceOf(each) === only);
  const isFound = (each: Row) => textOf(each).toLowerCase().includes(search.toLowerCase());
  const row = data?.find((each) => idOf(each) === selected);
  const detail = selected !== null && detailOf(selected, row);
  const hasMore = data !== undefined && data.length >= limit.value;
  useEffect(() => {
    if (selected !== null && !detail && hasMore) limit.value = ALL;
  });
  return (
    <ListAndDetail
      {...rest}
      rows={data?.filter((each) => isChosen(each) && isFound(each))}
      idOf={idOf}
      hrefOf={(id) => hrefOf({ query: { selected: id } })}
      selected={selected}
      onSelect={(id, isMove) => go({ query: { selected: id } }, isMove)}
      detail={detail}
      empty={search !== '' || only !== null ? 'Nothing matches.' : empty}
      onMore={hasMore ? () => (limit.value *= 2) : undefined}
    >
      {props.above}
      <Filters
        search={search}
        onSearch={(text) => go({ query: { search: text } }, true)}
        placeholder={props.placeholder}
        choices={choicesOf(data ?? [], choiceOf)}
        chosen={only}
        onChoose={(value) => go({ query: { only: value } }, true)}
      >
        {props.children}
      </Filters>
      {error && <Notice tone="bad">{error}</Notice>}
    </ListAndDetail>
  );
}
