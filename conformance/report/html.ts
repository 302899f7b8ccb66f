import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { UsageError } from '../../cli/usage-error.ts';
import { type Document, titleOf } from './document.ts';
import { escapeHtml } from './escape.ts';
import { pageText } from './page-data.ts';
import { textReport } from './text.ts';

/**
 * Renders one page that loads no other file. The content security policy allows only the page's own script and style. Without the script, the page
 * shows the text report. Several documents are compared: the page then has details only of items that neither pass nor are skipped.
 */
export function htmlReport(documents: readonly Document[], names: readonly string[] = []): string {
  const [style, script] = [builtFile('report.css'), builtFile('report.js')];
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const texts = documents.map((document) => textReport(document, { verbose: documents.length === 1 }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(documents.map(titleOf).join('; '))}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<script type="application/json" id="data">${pageText(documents, names)}</script>
<script>${script}</script>
<pre id="text">${escapeHtml(texts.join('\n'))}</pre>
</body>
</html>
`;
}

/** Reads a file that `npm run bundle` writes. In the package, the file is next to the program; in a clone of the repository, in dist/. */
export function builtFile(name: string): string {
  const places = ['./ui/', '../../dist/ui/'].map((folder) => new URL(folder + name, import.meta.url));
  const place = places.find((each) => existsSync(each));
  if (!place) throw new UsageError(`The HTML report needs dist/ui/${name}, which is not built. Run: npm run bundle`);
  return readFileSync(place, 'utf8');
}
