import { useEffect, useState } from 'preact/hooks';
import type { ExchangeInPage, ItemInPage } from '../../conformance/report/page-data.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { StatusLabel, toneOf } from '../components/label.tsx';
import { CodeText, Facts } from '../components/values.tsx';
import { Exchanges } from './exchanges.tsx';

interface ItemProps {
  readonly item: ItemInPage;
  readonly exchanges: readonly ExchangeInPage[];
  readonly isOpenAtFirst: boolean;
  /** True if the address of the page names the item. */
  readonly isTarget: boolean;
}

/** Shows a rule or a finding. The details of a closed item are rendered when the item is opened. */
export function ItemView({ item, exchanges, isOpenAtFirst, isTarget }: ItemProps) {
  const { id, name, status, about, text, cause } = item;
  const [isOpen, setOpen] = useState(isOpenAtFirst || isTarget);
  useEffect(() => {
    if (!isTarget) return;
    setOpen(true);
    document.getElementById(id)?.scrollIntoView();
  }, [isTarget]);
  return (
    <details class={`item ${toneOf(status)}`} id={id} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <StatusLabel status={status} />
        <div>
          <span class="mono">{name}</span>
          <span class="quiet">{text}</span>
          {toneOf(status) !== 'good' && !isOpen && <span>{cause}</span>}
        </div>
        <small class="quiet">{about.join(' · ')}</small>
      </summary>
      {(isOpen || isOpenAtFirst) && <ItemDetails item={item} exchanges={exchanges} />}
    </details>
  );
}

/** The rows that the exchanges below show again. */
const inExchanges = ['Request', 'Received'];

export function ItemDetails({ item, exchanges }: Pick<ItemProps, 'item' | 'exchanges'>) {
  const own = item.exchanges.flatMap((index) => exchanges[index] ?? []);
  const isShown = ([label]: readonly [string, string]) => item.decidedBy === undefined || !inExchanges.includes(label);
  const facts = item.details
    .filter(isShown)
    .map(
      ([label, text]) =>
        [label, label === 'Again' ? <CodeText text={text} /> : <span class={label.toLowerCase()}>{text}</span>] as const,
    );
  return (
    <div class="item-details">
      <Facts of={facts} />
      {own.length > 0 && (
        <>
          <h3>
            Exchanges <span class="count">{own.length}</span>{' '}
            <CopyButton text={shellScript(own.map(({ curl }) => curl))} label="Copy as a shell script" />
          </h3>
          <Exchanges exchanges={own} decidedBy={item.decidedBy} />
        </>
      )}
    </div>
  );
}

/** Joins lines of curl. The first line names the variables to set. */
export function shellScript(lines: readonly string[]): string {
  const variables = new Set(lines.join('\n').match(/(?<="\$)\w+(?=")/g));
  const head = `# Set these variables first: ${[...variables].join(', ')}. Use new card codes, and void the cards afterwards.`;
  return [head, ...lines].join('\n');
}
