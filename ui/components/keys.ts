import { useEffect, useRef } from 'preact/hooks';

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
