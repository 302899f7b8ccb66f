import { createHash } from 'node:crypto';
import { escaped } from '../escape.ts';
import { script } from './script.ts';
import { style } from './style.ts';

interface Page {
  readonly title: string;
  /** Parts of the body, as HTML. */
  readonly header: string;
  readonly bar: string;
  readonly main: string;
  /** By whom, as text. */
  readonly footer: string;
  /** Rules besides the house's. */
  readonly style?: string;
}

/** A page that needs nothing else. What a target sent is text in it; should something slip through all the same, no script runs but the page's own. */
export function shell({ title, header, bar, main, footer, style: more = '' }: Page): string {
  const rules = style + more;
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(rules)}; script-src ${hash(script)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<style>${rules}</style>
</head>
<body>
<a class="skip" href="#clauses">To the clauses</a>
<header>${header}</header>
${bar}
<main id="clauses">
${main}</main>
<footer><p>${escaped(footer)}</p></footer>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** Filters by words in a clause's data-verdicts, and by text. */
export function filterBar(buttons: readonly (readonly [word: string, label: string])[]): string {
  const all = buttons.map(
    ([word, label]) => `<button type="button" data-show="${escaped(word)}" aria-pressed="false">${escaped(label)}</button>`,
  );
  return `<nav class="bar" aria-label="Filter" hidden><form>${all.join('')}
<input type="search" placeholder="Name or text   /" aria-label="Only clauses whose name or text has"><output aria-live="polite"></output></form></nav>`;
}
