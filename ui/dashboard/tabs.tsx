import { hrefOf } from './router.ts';

interface TabsProps {
  readonly name: string;
  readonly tabs: readonly { readonly id: string; readonly title: string }[];
  readonly selected: string;
}

/** Links to the parts of a detail. The address has the selected part. */
export function Tabs({ name, tabs, selected }: TabsProps) {
  return (
    <nav class="tabs" aria-label={name}>
      {tabs.map(({ id, title }) => (
        <a key={id} href={hrefOf({ query: { tab: id } })} aria-current={id === selected ? 'true' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
