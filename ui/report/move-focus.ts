/** Moves the focus to the next or previous item of the page. */
export function moveFocus(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('.item > summary, .matrix tbody button')];
  const index = items.indexOf(document.activeElement as HTMLElement);
  const next = items[index < 0 ? 0 : index + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
