/** Joins lines of curl. The first line names the variables to set. */
export function shellScript(lines: readonly string[]): string {
  const variables = new Set(lines.join('\n').match(/(?<="\$)\w+(?=")/g));
  const head = `# Set these variables first: ${[...variables].join(', ')}. Use new card codes, and void the cards afterwards.`;
  return [head, ...lines].join('\n');
}
