import { useEffect, useState } from 'preact/hooks';
import type { DocumentInPage, ExchangeInPage } from '../../conformance/report/page-data.ts';
import { decodedOf } from '../components/decoded.ts';
import { Label } from '../components/label.tsx';
import { Notice } from '../components/notice.tsx';
import { Facts } from '../components/values.tsx';
import { Bar, statusCounts } from './bars.tsx';
import { type FilterGroup, failuresFirst, filtered, isFailure, noFilter } from './filter.ts';
import { FilterBar, type FilterProps } from './filter-bar.tsx';
import { ItemView } from './item.tsx';
import { useJkNavigation } from './move-focus.ts';

interface ReportProps {
  readonly document: DocumentInPage;
  readonly exchanges: readonly ExchangeInPage[];
}

/** The report of one result. */
export function Report({ document: { groups, suite, ...head }, exchanges }: ReportProps) {
  const [filter, setFilter] = useState(noFilter);
  const target = useTarget(() => setFilter(noFilter));
  useJkNavigation();
  const open = firstOfCauses(groups);
  const shown = failuresFirst(filtered(groups, filter));
  const choices = statusCounts(filtered(groups, { ...filter, status: '' }).flatMap(({ items }) => items));
  return (
    <div class={groups.length > 1 ? 'layout' : ''}>
      {groups.length > 1 && <Sections groups={groups} filter={filter} onFilter={setFilter} />}
      <div class="content">
        <Head {...head} />
        {groups.length > 0 && <FilterBar groups={groups} filter={filter} onFilter={setFilter} choices={choices} />}
        <main>
          {shown.map(({ heading, items }) => (
            <section key={heading}>
              <h2>
                {heading} <span class="count">{items.length}</span>
              </h2>
              {items.map((item) => (
                <ItemView
                  key={item.id}
                  item={item}
                  exchanges={exchanges}
                  isOpenAtFirst={open.has(item.id)}
                  isTarget={item.id === target}
                />
              ))}
            </section>
          ))}
          {shown.length === 0 && <p class="quiet">{groups.length > 0 ? 'Nothing matches the filters.' : 'Nothing was found.'}</p>}
        </main>
        <footer class="quiet">Written by {suite}. results.json has the same data.</footer>
      </div>
    </div>
  );
}

/** Returns the ID in the fragment of the address. Calls `onChange` when the fragment changes, because filters may hide the item. */
function useTarget(onChange: () => void): string {
  const read = () => decodedOf(location.hash.slice(1));
  const [target, setTarget] = useState(read);
  useEffect(() => {
    addEventListener('hashchange', () => {
      onChange();
      setTarget(read());
    });
  }, []);
  return target;
}

/** Returns the first failure of each cause. The others most likely need the same correction. */
function firstOfCauses(groups: readonly FilterGroup[]): Set<string> {
  const failures = groups.flatMap(({ items }) => items).filter(isFailure);
  const ids = new Map(failures.toReversed().map(({ cause, id }) => [cause.replaceAll(/#\d+/g, ''), id]));
  return new Set(ids.values());
}

function Head(document: Omit<DocumentInPage, 'groups' | 'suite'>) {
  const { outcomes, startedAt, tone, headings, summary, notices, setup } = document;
  const [{ word, title, because } = { word: '', title: '', because: '' }] = outcomes;
  const [first, ...counts] = title.split(' · ');
  return (
    <header>
      <p class="quiet">{[...headings, startedAt].join(' · ')}</p>
      <h1>
        <Label tone={tone === 'warning' ? 'warn' : tone}>{word}</Label> {first}
      </h1>
      {[counts.join(' · '), because, ...summary].map((line) => (
        <p key={line}>{line}</p>
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

/** A chart of the verdicts by section. A press on a section shows only this section. */
function Sections({ groups, filter, onFilter }: FilterProps) {
  const most = Math.max(...groups.map(({ items }) => items.length));
  const choose = (heading: string) => onFilter({ ...filter, heading: filter.heading === heading ? '' : heading });
  return (
    <details class="sections" open={matchMedia('(width >= 900px)').matches}>
      <summary>Verdicts by section</summary>
      {groups.map(({ heading, items }) => (
        <button key={heading} type="button" class="bar" aria-pressed={filter.heading === heading} onClick={() => choose(heading)}>
          {heading}
          <Bar items={items} most={most} />
        </button>
      ))}
    </details>
  );
}
