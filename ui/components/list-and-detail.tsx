import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useKey } from './keys.ts';
import { useStablePosition } from './stable-position.ts';

export interface Column<Row> {
  readonly title: string;
  readonly show: (row: Row) => ComponentChildren;
  /** Aligned at the right, for numbers. */
  readonly end?: boolean;
  /** Hidden if the list is narrow. */
  readonly optional?: boolean;
}

interface ListAndDetailProps<Row> {
  /** The name of the list: "Cards". */
  readonly name: string;
  /** Undefined until they are loaded. */
  readonly rows: readonly Row[] | undefined;
  readonly idOf: (row: Row) => string;
  /** The first column has the link to the detail. */
  readonly columns: readonly Column<Row>[];
  /** Returns the address of the detail of a row. */
  readonly hrefOf: (id: string) => string;
  readonly selected: string | null;
  /** Selects another row, or closes the detail with null. `isMove` is true for moves with j and k, which Back does not repeat. */
  readonly onSelect: (id: string | null, isMove: boolean) => void;
  /** A <Detail> with the selected record or a form; null for none. */
  readonly detail: ComponentChildren;
  /** Shown if there are no rows: what would fill the list, and a button or a line of curl that does so. */
  readonly empty: ComponentChildren;
  /** Loads more rows at the end. Undefined if all rows are loaded. */
  readonly onMore?: (() => void) | undefined;
  /** Filters and notices above the list. */
  readonly children?: ComponentChildren;
}

/**
 * A list with the detail of the selected row: a panel at the right, or a page if the window is narrow. New rows appear at the top; if the user has
 * scrolled, or points at a row, the rows do not move, and a button shows the number of new rows.
 */
export function ListAndDetail<Row>(props: ListAndDetailProps<Row>) {
  const { name, rows, idOf, selected, onSelect, detail, empty, onMore, children } = props;
  const ids = (rows ?? []).map(idOf);
  const { box, above, showTop } = useStablePosition(ids);
  const step = (by: number) => {
    const index = selected === null ? -1 : ids.indexOf(selected);
    const id = index < 0 ? ids[0] : ids[index + by];
    if (id !== undefined) onSelect(id, true);
  };
  useKey('j', () => step(1));
  useKey('k', () => step(-1));
  useKey('Escape', () => onSelect(null, false));
  useEffect(() => {
    box.current?.querySelector('tr.selected')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  return (
    <div class="split">
      <section class="list" aria-label={name}>
        {children}
        {above > 0 && (
          <button type="button" class="primary new-rows" onClick={showTop}>
            {above} new
          </button>
        )}
        <div class="rows" ref={box} tabIndex={-1}>
          {rows?.length === 0 ? <div class="empty">{empty}</div> : rows && <Rows {...props} rows={rows} />}
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

function Rows<Row>({ rows, idOf, columns, hrefOf, selected, onSelect }: ListAndDetailProps<Row> & { rows: readonly Row[] }) {
  const classOf = ({ end, optional }: Column<Row>) => `${end ? 'end' : ''} ${optional ? 'optional' : ''}`;
  const choose = (event: MouseEvent, id: string) => {
    if (!(event.target as Element).closest('a, button')) onSelect(id, false);
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
          const isSelected = id === selected;
          return (
            <tr key={id} data-id={id} class={isSelected ? 'selected' : ''} onClick={(event) => choose(event, id)}>
              {columns.map((column, index) => (
                <td key={column.title} class={classOf(column)}>
                  {index > 0 ? (
                    column.show(row)
                  ) : (
                    <a href={hrefOf(id)} aria-current={isSelected ? 'true' : undefined}>
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
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

export function Detail({ title, onClose, children }: DetailProps) {
  return (
    <aside class="detail" aria-label="Detail">
      <header>
        <h2>{title}</h2>
        <button type="button" class="plain" onClick={onClose}>
          Close
        </button>
      </header>
      {children}
    </aside>
  );
}
