import { useEffect, useRef } from 'preact/hooks';

/** Returns a function that gives the focus back to what has it now, or to the detail. A disabled or removed element loses the focus. */
export function keepFocus(): () => void {
  const focused = document.activeElement as HTMLElement | null;
  const giveBack = () => {
    const target = focused?.isConnected ? focused : document.querySelector<HTMLElement>('.detail');
    if (document.activeElement === document.body) target?.focus({ preventScroll: true });
  };
  return () => requestAnimationFrame(giveBack); // after the page is rendered
}

/** Calls `act` when the key is pressed, except while the user types, and while a dialog or the list of keys is open. Escape also works in a field, except a search field. */
export function useKey(key: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (
        event.key !== key ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        document.querySelector('dialog[open], :popover-open')
      )
        return;
      const fields = key === 'Escape' ? '[type="search"]' : 'input, select, textarea';
      if ((event.target as Element).matches(fields)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [key]);
}
