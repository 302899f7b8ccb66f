import type { ComponentChildren } from 'preact';
import type { ItemInPage } from '../../conformance/report/page-data.ts';
import { toneOf } from '../components/label.tsx';

/** In this order, the parts of a bar do not change their places from row to row. */
const ORDER = [
  'fail',
  'violated',
  'error',
  'blocked',
  'unexpected',
  'possible',
  'client',
  'known-fail',
  'pass',
  'held',
  'observed',
  'open',
];

export function countsOf(items: readonly ItemInPage[]): (readonly [status: string, count: number])[] {
  const statuses = new Set([...ORDER, ...items.map(({ status }) => status)]);
  return [...statuses].flatMap((status) => {
    const { length } = items.filter((item) => item.status === status);
    return length > 0 ? [[status, length] as const] : [];
  });
}

/** Names the colors of the parts. */
export const Legend = ({ items }: { readonly items: readonly ItemInPage[] }) => (
  <p class="legend quiet">
    {countsOf(items).map(([status]) => (
      <span key={status}>
        <span class={`bar-part ${toneOf(status)}`} /> {status}
      </span>
    ))}
  </p>
);

interface BarProps {
  readonly items: readonly ItemInPage[];
  /** The number of items that fills the whole length. */
  readonly most: number;
}

/** Shows the number of items with each status as a bar and as text. */
export function Bar({ items, most }: BarProps) {
  const counts = countsOf(items);
  return (
    <>
      <span class="bar-track" aria-hidden="true">
        {counts.map(([status, count]) => (
          <span key={status} class={`bar-part ${toneOf(status)}`} style={{ flexBasis: `${(100 * count) / most}%` }} />
        ))}
      </span>
      <span class="bar-counts">
        {counts.map(
          ([status, count], index): ComponentChildren => (
            <span key={status} class={toneOf(status) === 'bad' ? 'bad-text' : 'quiet'}>
              {index > 0 && ' · '}
              {count} {status}
            </span>
          ),
        )}
      </span>
    </>
  );
}
