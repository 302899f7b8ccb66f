/** Names and types of a JSON value. */
export function shapeOf(json: unknown): string {
  if (json === null) return 'null';
  if (Array.isArray(json)) return `[${[...new Set(json.map(shapeOf))].slice(0, 3).join(' | ')}]`;
  if (typeof json !== 'object') return typeof json;
  return `{${Object.entries(json)
    .map(([name, value]) => `${name}: ${shapeOf(value)}`)
    .join(', ')}}`;
}
