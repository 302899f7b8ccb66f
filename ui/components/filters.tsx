import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useKey } from './keys.ts';

export interface Choice {
  readonly value: string;
  readonly count: number;
}

/** Returns a choice for each different value, in the order of their first appearance. */
export function choicesOf(values: readonly string[]): Choice[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count }));
}

interface FiltersProps {
  /** The text of the search field. */
  readonly search: string;
  readonly onSearch: (text: string) => void;
  /** The text in the empty search field. Without it, there is no such field. */
  readonly placeholder?: string | undefined;
  readonly choices: readonly Choice[];
  /** The chosen value; null for all. */
  readonly chosen: string | null;
  readonly onChoose: (value: string | null) => void;
  /** Buttons at the right end. */
  readonly children?: ComponentChildren;
}

/** A search field, and choices with counts. The key / focuses the field; Escape clears and leaves it. A second press on a choice shows all again. */
export function Filters({ search, onSearch, placeholder, choices, chosen, onChoose, children }: FiltersProps) {
  const field = useRef<HTMLInputElement>(null);
  useKey('/', () => field.current?.focus());
  const leave = ({ key, currentTarget }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    onSearch(''); // Only some browsers clear the field.
    (currentTarget as HTMLInputElement).blur();
  };
  return (
    <div class="filters">
      {placeholder && (
        <input
          ref={field}
          type="search"
          aria-label={placeholder}
          placeholder={placeholder}
          value={search}
          onInput={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={leave}
        />
      )}
      <div class="buttons choices">
        {choices.map(({ value, count }) => (
          <button
            key={value}
            type="button"
            class="choice"
            aria-pressed={chosen === value}
            onClick={() => onChoose(chosen === value ? null : value)}
          >
            {value} <span class="count">{count}</span>
          </button>
        ))}
      </div>
      {children && <div class="buttons filters-end">{children}</div>}
    </div>
  );
}
