/**
 * Returns the names of a specification's items, in their order. A name is `heading, key`. The key of a numbered rule is its number. The key of a table
 * row is its first cell. The key of any other paragraph or bullet is `text N`.
 */
export function itemsOf(markdown: string): string[] {
  const items: string[] = [];
  let heading = '';
  let texts = 0;
  // A line that follows a paragraph, bullet or rule without a blank line continues it.
  for (const block of markdown.replaceAll(/^#.*$/gm, '\n$&\n').split(/\n\s*\n/)) {
    const [first = '', ...others] = block.trim().split('\n');
    const title = /^#+\s+(.*\S)/.exec(first)?.[1];
    if (title !== undefined) {
      heading = title;
      texts = 0;
    } else if (first.startsWith('|')) items.push(...rowKeys([first, ...others]).map((key) => `${heading}, ${key}`));
    else
      for (const [index, line] of [first, ...others].entries()) {
        const rule = /^(\d+)\.\s/.exec(line)?.[1];
        if (rule !== undefined) items.push(`${heading}, ${rule}`);
        else if (line !== '' && (index === 0 || /^\s*[-*]\s/.test(line))) {
          texts += 1;
          items.push(`${heading}, text ${texts}`);
        }
      }
  }
  return items;
}

/** Returns the key of each table row: its first cell, or method and path in a table of operations. */
function rowKeys(lines: readonly string[]): string[] {
  const [header = [], , ...rows] = lines.map((line) => line.split('|').map((cell) => cell.trim()));
  const columns = header[1] === 'Method' && header[2] === 'Path' ? 2 : 1;
  return rows.map((row) => row.slice(1, 1 + columns).join(' '));
}
