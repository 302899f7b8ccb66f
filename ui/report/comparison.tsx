import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { DocumentInPage, ItemInPage, PageData } from '../../conformance/report/page-data.ts';
import { Label, StatusLabel } from '../components/label.tsx';
import { Bar } from './bars.tsx';
import { type FilterGroup, filtered, groupsOf, noFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { ItemDetails } from './item.tsx';
import { useJkNavigation } from './move-focus.ts';

/** Returns the items with an ID, in the order of the documents. */
type CellsOf = (id: string) => (ItemInPage | undefined)[];

/** Several results as a matrix of rules and results. If all results are of one target, they are a trend, in the order of time. */
export function Comparison({ documents: given, exchanges }: PageData) {
  const [{ target = '', suite = '' } = {}] = given;
  const isTrend = given.every((document) => document.target === target);
  const documents = isTrend ? given.toSorted((one, other) => one.startedAt.localeCompare(other.startedAt)) : given;
  const maps = documents.map(({ groups }) => new Map(groups.flatMap(({ items }) => items).map((item) => [item.id, item])));
  const cellsOf: CellsOf = (id) => maps.map((map) => map.get(id));
  const isChosen = ({ id }: ItemInPage, choice: string) => {
    const statuses = new Set(cellsOf(id).map((item) => item?.status));
    return choice === '' || (choice === 'failures' ? statuses.has('fail') : statuses.size > 1);
  };
  const groups = union(documents);
  const rows = groups.flatMap(({ items }) => items);
  const choices = ['differences', 'failures'].map((value) => ({
    value,
    count: rows.filter((item) => isChosen(item, value)).length,
  }));
  const [filter, setFilter] = useState({ ...noFilter, status: choices[0]?.count ? 'differences' : '' });
  useJkNavigation();
  const shown = groupsOf(filtered(groups, { ...filter, status: '' }), (item) => isChosen(item, filter.status));
  return (
    <div class="content">
      <header>
        <p class="quiet">giftcard conformance</p>
        <h1>{isTrend ? `${documents.length} runs of ${target}` : `${documents.length} results`}</h1>
        {documents.map(({ name, startedAt, outcomes, tone, groups: own }) => (
          <div key={name} class="bar">
            <span>
              <Label tone={tone === 'warning' ? 'warn' : tone}>{outcomes[0]?.word}</Label> {name} <Day of={startedAt} />
            </span>
            <Bar items={own.flatMap(({ items }) => items)} most={rows.length} />
          </div>
        ))}
      </header>
      <FilterBar groups={groups} filter={filter} onFilter={setFilter} choices={choices} />
      <main>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll only an element that has the focus. */}
        <section class="matrix" aria-label="Verdicts by rule" tabIndex={0}>
          <Matrix documents={documents} groups={shown} cellsOf={cellsOf} exchanges={exchanges} />
        </section>
        {shown.length === 0 && <p class="quiet">Nothing matches the filters.</p>}
      </main>
      <footer class="quiet">Written by {suite}. For the details of passed rules, see the report of each result.</footer>
    </div>
  );
}

/** Returns the items of all documents, each ID once. */
function union(documents: readonly DocumentInPage[]): FilterGroup[] {
  const groups = new Map<string, Map<string, ItemInPage>>();
  for (const { heading, items } of documents.flatMap((document) => document.groups)) {
    const group = groups.get(heading) ?? new Map<string, ItemInPage>();
    groups.set(heading, group);
    for (const item of items) if (!group.has(item.id)) group.set(item.id, item);
  }
  return [...groups].map(([heading, items]) => ({ heading, items: [...items.values()] }));
}

const Day = ({ of }: { readonly of: string }) => (
  <time dateTime={of} title={of} class="quiet">
    {of.slice(0, 10)}
  </time>
);

interface MatrixProps extends PageData {
  readonly groups: readonly FilterGroup[];
  readonly cellsOf: CellsOf;
}

function Matrix({ documents, groups, cellsOf, exchanges }: MatrixProps) {
  const [open, setOpen] = useState<string>();
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          {documents.map(({ name, startedAt, headings }) => (
            <th key={name} scope="col" title={headings.join('\n')}>
              {name} <Day of={startedAt} />
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(({ heading, items }) => (
        <tbody key={heading}>
          <tr>
            <th scope="rowgroup" colSpan={documents.length + 1}>
              <h2>{heading}</h2>
            </th>
          </tr>
          {items.map(({ id, name, text }) => (
            <Fragment key={id}>
              <tr>
                <th scope="row">
                  <button
                    type="button"
                    class="plain mono"
                    aria-expanded={open === id}
                    onClick={() => setOpen(open === id ? undefined : id)}
                  >
                    {name}
                  </button>
                  <span>{text}</span>
                </th>
                {cellsOf(id).map((item, index) => (
                  <td key={documents[index]?.name}>{item ? <StatusLabel status={item.status} /> : '–'}</td>
                ))}
              </tr>
              {open === id && (
                <tr>
                  <td colSpan={documents.length + 1}>
                    {cellsOf(id).map(
                      (item, index) =>
                        item &&
                        item.status !== 'pass' && (
                          <section key={documents[index]?.name}>
                            <h3>
                              {documents[index]?.name} <StatusLabel status={item.status} />
                            </h3>
                            <p>{item.cause}</p>
                            <ItemDetails item={item} exchanges={exchanges} />
                          </section>
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
