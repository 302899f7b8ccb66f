/**
 * The items of a specification, in its order. A numbered rule is named by its number, a table row by its first cell, any other
 * paragraph or bullet by `text N`, each after the heading that it stands under.
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
    // Lines that follow a paragraph, a bullet or a rule without a blank line between belong to it.
    paragraphOpen = plain || rule !== undefined;
  }
  endTable();
  return items;
}

/** A row is known by its first cell, but where the columns are a method and a path by both. */
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
