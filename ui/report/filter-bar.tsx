import { type Choice, Filters } from '../components/filters.tsx';
import type { Filter, FilterGroup } from './filter.ts';

export interface FilterProps {
  readonly groups: readonly FilterGroup[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

interface FilterBarProps extends FilterProps {
  readonly choices: readonly Choice[];
}

/** Filters by search, status, level and section. */
export function FilterBar({ groups, filter, onFilter, choices }: FilterBarProps) {
  const levels = new Set(groups.flatMap(({ items }) => items).flatMap(({ about: [level] }) => level ?? []));
  const select = (name: 'level' | 'heading', label: string, values: readonly string[]) => (
    <select
      aria-label={label}
      value={filter[name]}
      onChange={(event) => onFilter({ ...filter, [name]: event.currentTarget.value })}
    >
      <option value="">{label}: all</option>
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </select>
  );
  return (
    <Filters
      search={filter.search}
      onSearch={(search) => onFilter({ ...filter, search })}
      placeholder="Search name, text and details"
      choices={choices}
      chosen={filter.status || null}
      onChoose={(status) => onFilter({ ...filter, status: status ?? '' })}
    >
      {select('level', 'Level', [...levels])}
      {select(
        'heading',
        'Section',
        groups.map(({ heading }) => heading),
      )}
    </Filters>
  );
}
