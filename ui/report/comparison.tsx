import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { DocumentInPage, ItemInPage, PageData } from '../../conformance/report/page-data.ts';
import { useKey } from '../components/keys.ts';
import { StatusLabel } from '../components/label.tsx';
import { Bar, Legend } from './bars.tsx';
import { type Filter, filtered, type Group, noFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { ItemDetails } from './item.tsx';
import { moveFocus } from './move-focus.ts';

/** Returns the items with an ID, in the order of the documents. */
type CellsOf = (id: string) => (ItemInPage | undefined)[];

/** Several results as a matrix of clauses and results. If all results are of one target, they are a trend, in the order of time. */
export function Comparison({ documents: given, exchanges }: PageData) {
  const [{ target = '', suite = '' } = {}] = given;
  const isTrend = given.every((document) => document.target === target);
  const documents = isTrend ? given.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt)) : given;
  const maps = documents.map(({ groups }) => new Map(groups.flatMap(({ items }) => items).map((item) => [item.id, item])));
  const cellsOf: CellsOf = (id) => maps.map((map) => map.get(id));
  const groups = union(documents);
  const isChosen = ({ id }: ItemInPage, choice: string) => {
    const statuses = new Set(cellsOf(id).map((item) => item?.status));
    return choice === '' || (choice === 'failures' ? statuses.has('fail') : statuses.size > 1);
  };
  const all = groups.flatMap(({ items }) => items);
  const choices = ['differences', 'failures'].map((value) => ({
    value,
    count: all.filter((item) => isChosen(item, value)).length,
  }));
  const [filter, setFilter] = useState<Filter>({ ...noFilter, status: choices[0]?.count ? 'differences' : '' });
  useKey('j', () => moveFocus(1));
  useKey('k', () => moveFocus(-1));
  const shown = filtered(groups, { ...filter, status: '' })
    .map(({ heading, items }) => ({ heading, items: items.filter((item) => isChosen(item, filter.status)) }))
    .filter(({ items }) => items.length > 0);
  return (
    <div class="page">
      <header class="page-head">
        <p class="quiet">giftcard conformance</p>
        <h1>{isTrend ? `${documents.length} runs of ${target}` : `${documents.length} implementations`}</h1>
      </header>
      <Chart documents={documents} isTrend={isTrend} />
      <nav class="filter-bar" aria-label="Filters">
        <FilterBar groups={groups} filter={filter} onFilter={setFilter} choices={choices} />
      </nav>
      <main>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll only a region that has the focus. */}
        <section class={documents.length > 8 ? 'matrix-box wide' : 'matrix-box'} aria-label="Verdicts by clause" tabIndex={0}>
          <Matrix documents={documents} groups={shown} cellsOf={cellsOf} exchanges={exchanges} />
        </section>
        {shown.length === 0 && <p class="quiet">No clause matches the filters.</p>}
      </main>
      <footer class="quiet">Written by {suite}. Passed clauses have no details here; each result has its own report.</footer>
    </div>
  );
}

/** Returns the items of all documents, each ID once. */
function union(documents: readonly DocumentInPage[]): Group[] {
  const groups = new Map<string, ItemInPage[]>();
  const ids = new Set<string>();
  for (const { heading, items } of documents.flatMap((document) => document.groups)) {
    const group = groups.get(heading) ?? [];
    groups.set(heading, group);
    group.push(...items.filter(({ id }) => !ids.has(id)));
    for (const { id } of items) ids.add(id);
  }
  return [...groups].map(([heading, items]) => ({ heading, items }));
}

function Chart({ documents, isTrend }: { readonly documents: readonly DocumentInPage[]; readonly isTrend: boolean }) {
  const items = documents.map(({ groups }) => groups.flatMap((group) => group.items));
  const most = Math.max(...items.map(({ length }) => length));
  return (
    <section class={isTrend ? 'chart over-time' : 'chart'} aria-label="Verdicts">
      {documents.map(({ name, startedAt, outcomes, tone }, index) => (
        <div key={name} class="bar">
          <span class="bar-name">
            <strong>{name}</strong> <span class={`verdict ${tone}`}>{outcomes[0]?.word}</span> <Minute at={startedAt} />
          </span>
          <Bar items={items[index] ?? []} most={most} />
        </div>
      ))}
      {isTrend && <Legend items={items.flat()} />}
    </section>
  );
}

function Minute({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} class="quiet">
      {at.slice(0, 10)} {at.slice(11, 16)}
    </time>
  );
}

interface MatrixProps extends Pick<PageData, 'documents' | 'exchanges'> {
  readonly groups: readonly Group[];
  readonly cellsOf: CellsOf;
}

function Matrix({ documents, groups, cellsOf, exchanges }: MatrixProps) {
  const [open, setOpen] = useState<string>();
  return (
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">Clause</th>
          {documents.map(({ name, startedAt, headings }) => (
            <th key={name} scope="col" title={headings.join('\n')}>
              {name} <Minute at={startedAt} />
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ heading, items }) => (
        <tbody key={heading}>
          <tr>
            <th scope="rowgroup" colSpan={documents.length + 1} class="heading">
              {heading}
            </th>
          </tr>
          {items.map(({ id, name, text }) => (
            <Fragment key={id}>
              <tr>
                <th scope="row">
                  <button
                    type="button"
                    class="mono"
                    aria-expanded={open === id}
                    onClick={() => setOpen(open === id ? undefined : id)}
                  >
                    {name}
                  </button>
                  <span class="quiet">{text}</span>
                </th>
                {cellsOf(id).map((item, index) => (
                  <td key={documents[index]?.name}>{item ? <StatusLabel status={item.status} /> : '–'}</td>
                ))}
              </tr>
              {open === id && (
                <tr>
                  <td colSpan={documents.length + 1} class="cell-details">
                    {cellsOf(id).map(
                      (item, index) =>
                        item && (
                          <CellDetails
                            key={documents[index]?.name}
                            name={documents[index]?.name}
                            item={item}
                            exchanges={exchanges}
                          />
                        ),
                    )}
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      ))}
    </table>
  );
}

interface CellDetailsProps extends Pick<PageData, 'exchanges'> {
  readonly name: string | undefined;
  readonly item: ItemInPage;
}

function CellDetails({ name, item, exchanges }: CellDetailsProps) {
  return (
    <section>
      <h3>
        {name} <StatusLabel status={item.status} />
      </h3>
      <p>{item.status === 'pass' ? item.text : item.cause}</p>
      {item.details.length > 0 && <ItemDetails item={item} exchanges={exchanges} />}
    </section>
  );
}
