import { useEffect, useState } from 'preact/hooks';
import type { DocumentInPage, ExchangeInPage } from '../../conformance/report/page-data.ts';
import { useKey } from '../components/keys.ts';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/values.tsx';
import { Bar } from './bars.tsx';
import { failuresFirst, filtered, type Group, noFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';
import { Item } from './item.tsx';
import { moveFocus } from './move-focus.ts';

interface ReportProps {
  readonly document: DocumentInPage;
  readonly exchanges: readonly ExchangeInPage[];
}

/** The report of one result. */
export function Report({ document: given, exchanges }: ReportProps) {
  const { groups } = given;
  const [filter, setFilter] = useState(noFilter);
  const [target, setTarget] = useState(hashOf);
  useEffect(() => {
    // A link to an item shows the item in spite of the filters.
    const open = () => {
      setFilter(noFilter);
      setTarget(hashOf());
    };
    addEventListener('hashchange', open);
    return () => removeEventListener('hashchange', open);
  }, []);
  useKey('j', () => moveFocus(1));
  useKey('k', () => moveFocus(-1));
  const open = firstOfCauses(groups);
  const shown = failuresFirst(filtered(groups, filter));
  return (
    <div class="layout">
      <Sections groups={groups} chosen={filter.heading} onChoose={(heading) => setFilter({ ...filter, heading })} />
      <div class="content">
        <Head document={given} />
        <nav class="filter-bar" aria-label="Filters">
          <FilterBar groups={groups} filter={filter} onFilter={setFilter} />
        </nav>
        <main>
          {shown.map(({ heading, items }) => (
            <section key={heading}>
              <h2>
                {heading} <span class="count">{items.length}</span>
              </h2>
              {items.map((item) => (
                <Item
                  key={item.id}
                  item={item}
                  exchanges={exchanges}
                  isOpenAtFirst={open.has(item.id)}
                  isTarget={item.id === target}
                />
              ))}
            </section>
          ))}
          {shown.length === 0 && (
            <p class="quiet">{groups.length > 0 ? 'Nothing matches the filters.' : 'There are no findings.'}</p>
          )}
        </main>
        <footer class="quiet">Written by {given.suite}. results.json has the same data.</footer>
      </div>
    </div>
  );
}

function Head({ document }: Pick<ReportProps, 'document'>) {
  const { outcomes, startedAt, tone, headings, summary, notices, setup } = document;
  return (
    <header class="page-head">
      <p class="quiet">
        {headings.join(' · ')} · {startedAt.slice(0, 16).replace('T', ' ')} UTC
      </p>
      {outcomes.map(({ word, title, because }) => (
        <Verdict key={title} word={word} title={title} tone={tone} because={because} />
      ))}
      {summary.map((line) => (
        <p key={line} class="quiet">
          {line}
        </p>
      ))}
      {notices.map(({ label, text, lines = [] }) => (
        <Notice key={label + text} tone="bad">
          <strong>{label}</strong> {text}
          {lines.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </Notice>
      ))}
      <details>
        <summary>How it was run</summary>
        <Facts of={setup} />
      </details>
    </header>
  );
}

/** Shows the first count of the title larger than the others. */
function Verdict({ word, title, tone, because }: DocumentInPage['outcomes'][number] & Pick<DocumentInPage, 'tone'>) {
  const [first, ...others] = title.split(' · ');
  return (
    <>
      <h1>
        <span class={`verdict ${tone}`}>{word}</span> {first}
      </h1>
      <p>{others.join(' · ')}</p>
      {because !== '' && <p>{because}</p>}
    </>
  );
}

const hashOf = (): string => decodeURIComponent(location.hash.slice(1));

/** Returns the first failure of each cause. The others most likely need the same correction. */
function firstOfCauses(groups: readonly Group[]): Set<string> {
  const ids = new Map<string, string>();
  for (const { id, display, outcome, cause } of groups.flatMap(({ items }) => items)) {
    const key = cause.replaceAll(/#\d+/g, '');
    if ((display === 'full' || outcome === 'failure') && !ids.has(key)) ids.set(key, id);
  }
  return new Set(ids.values());
}

interface SectionsProps {
  readonly groups: readonly Group[];
  readonly chosen: string;
  readonly onChoose: (heading: string) => void;
}

/** A chart of the verdicts by section. A press on a section shows only this section. */
function Sections({ groups, chosen, onChoose }: SectionsProps) {
  const most = Math.max(...groups.map(({ items }) => items.length));
  return (
    <details class="sections" open={matchMedia('(min-width: 900px)').matches}>
      <summary>Verdicts by section</summary>
      {groups.map(({ heading, items }) => (
        <button
          key={heading}
          type="button"
          class="bar"
          aria-pressed={chosen === heading}
          onClick={() => onChoose(chosen === heading ? '' : heading)}
        >
          <span class="bar-name">{heading}</span>
          <Bar items={items} most={most} />
        </button>
      ))}
    </details>
  );
}
