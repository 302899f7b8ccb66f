import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Choice, Filters } from '../components/filters.tsx';
import { useKey } from '../components/keys.ts';
import { StatusLabel } from '../components/label.tsx';
import { Notice } from '../components/notice.tsx';
import { go, hrefOf, type RouteChange, route } from './router.ts';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  /** Aligned at the right, for numbers. */
  readonly end?: boolean;
  /** Hidden if the list is narrow. */
  readonly optional?: boolean;
}

export interface ListAndDetailProps<Row> {
  /** The name of the list: "Cards". */
  readonly name: string;
  /** Undefined until they are loaded. */
  readonly rows: readonly Row[] | undefined;
  /** Why they are not loaded. */
  readonly error: string | undefined;
  readonly idOf: (row: Row) => string;
  /** The first column has the link to the detail. */
  readonly columns: readonly Column<Row>[];
  /** Returns what the link of a row changes in the address. By default, it selects the row. */
  readonly linkOf?: (id: string) => RouteChange;
  /** A <Detail> with the selected record or a form. */
  readonly detail?: ComponentChildren;
  /** Shown if there are no rows: what would fill the list, and a button or a line of curl that does so. */
  readonly empty: ComponentChildren;
  /** Loads more rows at the end. Undefined if all rows are loaded. */
  readonly onMore?: (() => void) | undefined;
  /** The text in the empty search field. Without it, there is no such field. */
  readonly placeholder?: string | undefined;
  readonly choices?: readonly Choice[];
  /** Buttons at the right end of the filters. */
  readonly buttons?: ComponentChildren;
  /** Shown above the filters. */
  readonly above?: ComponentChildren;
  /** Shown between the filters and the rows. */
  readonly children?: ComponentChildren;
}

const selectRow = (id: string): RouteChange => ({ query: { selected: id } });

/** Closes the detail. */
export const closeDetail = () => go({ query: { selected: null } });

/** Returns the search in lower case, the choice and the selected record that the address has. */
export function filterOf() {
  const { query } = route.value;
  return { search: query.get('search')?.toLowerCase() ?? '', only: query.get('only'), selected: query.get('selected') };
}

/**
 * A list with the detail of the selected row: a panel at the right, or a page if the window is narrow. The address has the search, the choice and the
 * selected row. New rows appear at the top; if the user has scrolled, or points at a row, the rows do not move, and a button shows the number of new
 * rows.
 */
export function ListAndDetail<Row>(props: ListAndDetailProps<Row>) {
  const { name, rows, error, idOf, linkOf = selectRow, detail, empty, onMore, placeholder, choices = [] } = props;
  const { query } = route.value;
  const selected = query.get('selected');
  const ids = (rows ?? []).map(idOf);
  const { box, above, showTop } = useStablePosition(ids);
  const step = (by: number) => {
    const index = selected === null ? -1 : ids.indexOf(selected);
    const id = index < 0 ? ids[0] : ids[index + by];
    if (id !== undefined) go(linkOf(id), true); // Back does not repeat the moves.
  };
  useKey('j', () => step(1));
  useKey('k', () => step(-1));
  useKey('Escape', closeDetail);
  const last = useRef(selected);
  useEffect(() => {
    const row = box.current?.querySelector(`[data-id="${CSS.escape(selected ?? last.current ?? '')}"]`);
    row?.scrollIntoView({ block: 'nearest' });
    const isFocusLost = document.activeElement === document.body;
    if (selected === null && last.current !== null && isFocusLost) (row?.querySelector('a') ?? box.current)?.focus();
    last.current = selected;
  }, [selected]);
  return (
    <div class="split">
      <section class="list" aria-label={name}>
        {props.above}
        {(placeholder || choices.length > 0 || props.buttons) && (
          <Filters
            search={query.get('search') ?? ''}
            onSearch={(text) => go({ query: { search: text } }, true)}
            placeholder={placeholder}
            choices={choices}
            chosen={query.get('only')}
            onChoose={(value) => go({ query: { only: value } }, true)}
          >
            {props.buttons}
          </Filters>
        )}
        {error && <Notice tone="bad">{error}</Notice>}
        {props.children}
        {above > 0 && (
          <button type="button" class="primary new-rows" onClick={showTop}>
            {above} new
          </button>
        )}
        <div class="rows" ref={box} tabIndex={-1}>
          {rows?.length === 0 ? (
            <div class="empty">{empty}</div>
          ) : (
            rows && <Rows {...props} rows={rows} linkOf={linkOf} selected={selected} />
          )}
          {onMore && (
            <button type="button" class="more" onClick={onMore}>
              Show more
            </button>
          )}
        </div>
      </section>
      {detail}
    </div>
  );
}

interface RowsProps<Row> extends Pick<ListAndDetailProps<Row>, 'idOf' | 'columns'> {
  readonly rows: readonly Row[];
  readonly linkOf: (id: string) => RouteChange;
  readonly selected: string | null;
}

function Rows<Row>({ rows, idOf, columns, linkOf, selected }: RowsProps<Row>) {
  const classOf = ({ end, optional }: Column<Row>) => `${end ? 'end' : ''} ${optional ? 'optional' : ''}`;
  const choose = (event: MouseEvent, id: string) => {
    if (!(event.target as Element).closest('a, button')) go(linkOf(id));
  };
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.title} scope="col" class={classOf(column)}>
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const id = idOf(row);
          return (
            <tr key={id} data-id={id} onClick={(event) => choose(event, id)}>
              {columns.map((column, index) => (
                <td key={column.title} class={classOf(column)}>
                  {index > 0 ? (
                    column.show(row)
                  ) : (
                    <a href={hrefOf(linkOf(id))} aria-current={id === selected ? 'true' : undefined}>
                      {column.show(row)}
                    </a>
                  )}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

interface DetailProps {
  readonly title: ComponentChildren;
  /** The status of the record, shown as a label after the title. */
  readonly status?: string | number | null;
  readonly children: ComponentChildren;
}

/** Takes the focus when it opens and for each selected row, except from a search field. */
export function Detail({ title, status, children }: DetailProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!document.activeElement?.matches('[type="search"]')) panel.current?.focus({ preventScroll: true });
  }, [filterOf().selected]);
  return (
    <aside class="detail" aria-label="Detail" ref={panel} tabIndex={-1}>
      <header>
        <h2>
          {title} {status && <StatusLabel status={status} />}
        </h2>
        <button type="button" class="plain" onClick={closeDetail}>
          Close
        </button>
      </header>
      {children}
    </aside>
  );
}

/** Keeps the first visible row of a list at its place while rows are added above. `ids` are the rows in order; each row has its ID in data-id. */
function useStablePosition(ids: readonly string[]) {
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ readonly id: string; readonly top: number } | undefined>(undefined);
  const seen = useRef<ReadonlySet<string>>(new Set());
  const [above, setAbove] = useState(0);

  const remember = () => {
    const list = box.current;
    if (!list) return;
    const row = [...list.querySelectorAll<HTMLElement>('[data-id]')].find((each) => each.offsetTop >= list.scrollTop);
    anchor.current = row && { id: row.dataset.id ?? '', top: row.offsetTop - list.scrollTop };
    if (list.scrollTop === 0) seen.current = new Set(ids);
    const index = ids.indexOf(anchor.current?.id ?? '');
    setAbove(list.scrollTop === 0 ? 0 : ids.slice(0, Math.max(index, 0)).filter((id) => !seen.current.has(id)).length);
  };

  useLayoutEffect(() => {
    const list = box.current;
    const { id, top } = anchor.current ?? {};
    const row = id !== undefined && list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
    const isReading = list && (list.scrollTop > 0 || list.matches(':hover'));
    if (row && isReading) list.scrollTop = row.offsetTop - (top ?? 0);
    remember();
    list?.addEventListener('scroll', remember);
    return () => list?.removeEventListener('scroll', remember);
  }, [ids.join()]);

  const showTop = () => box.current?.scrollTo({ top: 0 });
  return { box, above, showTop };
}
