/**
 * The items of a specification, in its order. An item is named by its heading and its key: the number of a rule, the first cell of a table row,
 * or `text N` for any other paragraph or bullet.
 */
export function itemsOf(markdown: string): string[] {
  const items: string[] = [];
  let heading = '';
  let texts = 0;
  let table: string[] = [];
  let paragraphOpen = false;

  const text = (): void => {
    texts += 1;
    items.push(`${heading}, text ${texts}`);
  };
  const endTable = (): void => {
    for (const key of rowKeys(table)) items.push(`${heading}, ${key}`);
    table = [];
  };

  for (const line of markdown.split('\n')) {
    if (!line.startsWith('|')) endTable();
    const title = /^#+\s+(.*\S)/.exec(line)?.[1];
    const rule = /^(\d+)\.\s/.exec(line)?.[1];
    const plain = title === undefined && rule === undefined && !line.startsWith('|') && line.trim() !== '';
    if (title !== undefined) {
      heading = title;
      texts = 0;
    } else if (rule !== undefined) items.push(`${heading}, ${rule}`);
    else if (line.startsWith('|')) table.push(line);
    else if (/^\s*[-*]\s/.test(line)) text();
    else if (plain && !paragraphOpen) text();
    // A line continues the paragraph, bullet or rule above it unless a blank line is between them.
    paragraphOpen = plain || rule !== undefined;
  }
  endTable();
  return items;
}

/** The first cell of each row; method and path in a table of operations. */
function rowKeys(table: string[]): string[] {
  const [header, , ...rows] = table.map(cells);
  if (header === undefined) return [];
  const columns = header[0] === 'Method' && header[1] === 'Path' ? 2 : 1;
  return rows.map((row) => row.slice(0, columns).join(' '));
}

function cells(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}
