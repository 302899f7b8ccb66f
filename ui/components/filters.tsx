import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useKey } from './keys.ts';

export interface Choice {
  readonly value: string;
  readonly count?: number | undefined;
}

/** Returns a choice for each value that the rows have, in alphabetical order. */
export function choicesOf<Row>(rows: readonly Row[], of: (row: Row) => string): Choice[] {
  const counts = new Map<string, number>();
  for (const value of rows.map(of)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts.keys()].sort().map((value) => ({ value, count: counts.get(value) }));
}

interface FiltersProps {
  /** The text of the search field. Without this property, there is no such field. */
  readonly search?: string | undefined;
  readonly onSearch?: (text: string) => void;
  readonly placeholder?: string | undefined;
  readonly choices?: readonly Choice[];
  /** The chosen value; null for all. */
  readonly chosen?: string | null;
  readonly onChoose?: (value: string | null) => void;
  /** Buttons at the right end. */
  readonly children?: ComponentChildren;
}

/** A search field, and choices with counts. The key / focuses the field; Escape clears and leaves it. A second press on a choice shows all again. */
export function Filters({ search, onSearch, placeholder, choices = [], chosen = null, onChoose, children }: FiltersProps) {
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus());
  const leave = ({ key, currentTarget }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    onSearch?.(''); // Only some browsers clear the field.
    (currentTarget as HTMLInputElement).blur();
  };
  return (
    <div class="filters">
      {search !== undefined && (
        <input
          ref={field}
          type="search"
          aria-label={placeholder ?? 'Search'}
          placeholder={placeholder}
          value={search}
          onInput={(event) => onSearch?.(event.currentTarget.value)}
          onKeyDown={leave}
        />
      )}
      <div class="choices">
        {choices.map(({ value, count }) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen === value}
            onClick={() => onChoose?.(chosen === value ? null : value)}
          >
            {value} {count !== undefined && <span class="count">{count}</span>}
          </button>
        ))}
      </div>
      {children && <div class="filters-end">{children}</div>}
    </div>
  );
}
