import { useKey } from '../components/keys.ts';

/** Makes j and k move the focus to the next and previous item. */
export function useJkNavigation(): void {
  useKey('j', () => moveFocus(1));
  useKey('k', () => moveFocus(-1));
}

function moveFocus(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('.item > summary, .matrix button[aria-expanded]')];
  const index = items.indexOf(document.activeElement as HTMLElement);
  const next = items[index < 0 ? 0 : index + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
