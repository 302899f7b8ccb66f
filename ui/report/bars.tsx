import type { ItemInPage } from '../../conformance/report/page-data.ts';
import { type Choice, choicesOf } from '../components/filters.tsx';
import { toneOf } from '../components/label.tsx';

const TONES = ['bad', 'warn', 'good', 'info', 'quiet'];

/** Returns the number of items with each status, failures first. */
export function statusCounts(items: readonly ItemInPage[]): Choice[] {
  const rank = ({ value }: Choice) => TONES.indexOf(toneOf(value));
  return choicesOf(items.map(({ status }) => status)).sort((one, other) => rank(one) - rank(other));
}

interface BarProps {
  readonly items: readonly ItemInPage[];
  /** The number of items that fills the whole length. */
  readonly most: number;
}

/** Shows the number of items with each status as a bar and as text. */
export function Bar({ items, most }: BarProps) {
  const counts = statusCounts(items);
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
