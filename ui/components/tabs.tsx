import type { ComponentChildren } from 'preact';

interface TabsProps {
  readonly name: string;
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly count?: number | undefined }[];
  readonly selected: string;
  readonly hrefOf: (id: string) => string;
  readonly children: ComponentChildren;
}

/** Links to the parts of a detail, and the selected part. */
export function Tabs({ name, tabs, selected, hrefOf, children }: TabsProps) {
  return (
    <>
      <nav class="tabs" aria-label={name}>
        {tabs.map(({ id, title, count }) => (
          <a key={id} href={hrefOf(id)} aria-current={id === selected ? 'true' : undefined}>
            {title} {count !== undefined && <span class="count">{count}</span>}
          </a>
        ))}
      </nav>
      {children}
    </>
  );
}
