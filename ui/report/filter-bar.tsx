import { Filters } from '../components/filters.tsx';
import { countsOf } from './bars.tsx';
import { type Filter, type Group, matches } from './filter.ts';

interface FilterBarProps {
  readonly groups: readonly Group[];
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** Default: the statuses. */
  readonly choices?: readonly { readonly value: string; readonly count: number }[];
}

/** Filters by search, status, level and section. */
export function FilterBar({ groups, filter, onFilter, choices }: FilterBarProps) {
  const items = groups.flatMap((group) => group.items);
  const ofStatus = () => {
    const others = items.filter((item) => matches(item, { ...filter, status: '' }));
    return countsOf(others).map(([value, count]) => ({ value, count }));
  };
  const levels = [...new Set(items.flatMap(({ about: [level] }) => level ?? []))];
  const select = (name: 'level' | 'heading', label: string, values: readonly string[]) =>
    values.length > 1 && (
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
      choices={choices ?? ofStatus()}
      chosen={filter.status || null}
      onChoose={(status) => onFilter({ ...filter, status: status ?? '' })}
    >
      {select('level', 'Level', levels)}
      {select(
        'heading',
        'Section',
        groups.map(({ heading }) => heading),
      )}
    </Filters>
  );
}
