import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Keeps the first visible row of a list at its place while rows are added above. `ids` are the rows in order; each row has its ID in data-id. */
export function useStablePosition(ids: readonly string[]) {
  const box = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ readonly id: string; readonly top: number } | undefined>(undefined);
  const seen = useRef<ReadonlySet<string>>(new Set());
  const [above, setAbove] = useState(0);

  const remember = () => {
    const list = box.current;
    if (!list) return;
    const row = [...list.querySelectorAll<HTMLElement>('[data-id]')].find((each) => each.offsetTop >= list.scrollTop);
    anchor.current = row && { id: row.dataset.id ?? '', top: row.offsetTop - list.scrollTop };
    if (list.scrollTop === 0) seen.current = new Set(ids);
    const index = ids.indexOf(anchor.current?.id ?? '');
    setAbove(list.scrollTop === 0 ? 0 : ids.slice(0, Math.max(index, 0)).filter((id) => !seen.current.has(id)).length);
  };

  useLayoutEffect(() => {
    const list = box.current;
    const { id, top } = anchor.current ?? {};
    const row = id !== undefined && list?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
    const isReading = list && (list.scrollTop > 0 || list.matches(':hover'));
    if (row && isReading) list.scrollTop = row.offsetTop - (top ?? 0);
    remember();
    list?.addEventListener('scroll', remember);
    return () => list?.removeEventListener('scroll', remember);
  }, [ids.join()]);

  const showTop = () => box.current?.scrollTo({ top: 0 });
  return { box, above, showTop };
}
