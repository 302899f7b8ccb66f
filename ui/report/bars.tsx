import type { ItemInPage } from '../../conformance/report/page-data.ts';
import { toneOf } from '../components/label.tsx';

const TONES = ['bad', 'warn', 'good', 'info', 'quiet'];

/** Returns the number of items with each status, failures first. */
export function countsOf(items: readonly ItemInPage[]): { readonly value: string; readonly count: number }[] {
  const statuses = [...new Set(items.map(({ status }) => status))];
  const rank = (status: string) => TONES.indexOf(toneOf(status));
  return statuses
    .sort((one, other) => rank(one) - rank(other))
    .map((value) => ({ value, count: items.filter(({ status }) => status === value).length }));
}

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
      <span class="bar-parts" aria-hidden="true">
        {counts.map(({ value, count }) => (
          <span key={value} class={toneOf(value)} style={{ flexBasis: `${(100 * count) / most}%` }} />
        ))}
      </span>
      <small class="quiet">
        {counts.map(({ value, count }, index) => (
          <span key={value} class={toneOf(value) === 'bad' ? 'bad-text' : ''}>
            {index > 0 && ' · '}
            {count} {value}
          </span>
        ))}
      </small>
    </>
  );
}
