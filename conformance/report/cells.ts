import { visible } from './escape.ts';

/** A table of markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(withoutBars).join(' | ')} |`).join('\n');
}

/** Also within code, a bar would end the cell of a table. */
const withoutBars = (text: string) => text.replaceAll('|', '\\|');

/** Text of others as code, in which nothing is markup. */
export function code(text: string): string {
  const flat = visible(text).replaceAll('\n', ' ');
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = flat.startsWith('`') || flat.endsWith('`') ? ' ' : '';
  return `${fence}${gap}${flat}${gap}${fence}`;
}
