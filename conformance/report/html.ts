import { createHash } from 'node:crypto';
import { applyEdits, format } from 'jsonc-parser';
import type { Exchange } from '../http/exchange.ts';
import { parseJson } from '../http/json-search.ts';
import { groupBy } from './causes.ts';
import { type Document, type Group, type Item, type Notice, type Row, titleOf } from './document.ts';
import { escapeHtml } from './escape.ts';
import { script } from './html/script.ts';
import { style } from './html/style.ts';

/** Renders one page that loads no other file. The content security policy allows only the page's own script and style. */
export function htmlReport(document: Document): string {
  const { headings, outcomes, tone, suite, startedAt, summary, notices, groups, setup } = document;
  const title = titleOf(document);
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const places = new ExchangePlaces();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<a class="skip" href="#items">To the items</a>
<header><p class="eyebrow">Gift card service, checked against its specification · ${escapeHtml(startedAt)}</p>
<h1 class="${tone}">${escapeHtml(title)}</h1>
${[...outcomes.map(({ because }) => because), ...headings, ...summary].map((line) => `<p class="summary">${escapeHtml(line)}</p>`).join('\n')}
${notices.map(notice).join('\n')}
<details class="setup"><summary>How it was run</summary>${definitions(setup)}</details></header>
${filterBar(groups)}
<main id="items">
${failuresFirst(groups)
  .map((group) => section(group, places))
  .join('')}</main>
<footer><p>${escapeHtml(`Written by ${suite}. results.json has the same data.`)}</p></footer>
<script type="module">${script}</script>
</body>
</html>
`;
}

const notice = ({ label, text, lines = [] }: Notice): string =>
  `<div class="alarm"><p><strong>${escapeHtml(label)}</strong> ${escapeHtml(text)}</p>${lines.length > 0 ? `<ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>` : ''}</div>`;

/** Moves the failures of all groups into one group, which comes first. */
function failuresFirst(groups: readonly Group[]): Group[] {
  const isFailure = ({ status }: Item) => status === 'fail';
  const failures = { heading: 'Failures', items: groups.flatMap(({ items }) => items.filter(isFailure)) };
  const others = groups.map(({ heading, items }) => ({ heading, items: items.filter((item) => !isFailure(item)) }));
  return [failures, ...others].filter(({ items }) => items.length > 0);
}

function filterBar(groups: readonly Group[]): string {
  const byStatus = groupBy(
    groups.flatMap(({ items }) => items),
    ({ status }) => status,
  );
  const buttons = [...byStatus].map(
    ([status, { length }]) =>
      `<button type="button" data-show="${escapeHtml(status)}" aria-pressed="false">${escapeHtml(status)} ${length}</button>`,
  );
  return `<nav class="bar" aria-label="Filter" hidden><div>${buttons.join('')}</div></nav>`;
}

const section = ({ heading, items }: Group, places: ExchangePlaces): string =>
  `<section><h2>${escapeHtml(heading)}<small>${items.length}</small></h2>
${items.map((item) => itemHtml(item, places)).join('')}</section>
`;

function itemHtml(item: Item, places: ExchangePlaces): string {
  const { id, name, status, outcome, about, text, cause, details, exchanges, script: lines } = item;
  const shell = `<details class="exchange"><summary>As a shell script</summary><pre>${escapeHtml(lines ?? '')}</pre></details>`;
  const sent = `<div class="exchanges"><h3>Exchanges: ${exchanges.length}</h3>${exchanges.map((each) => places.html(each)).join('')}${lines ? shell : ''}</div>`;
  const shortCause = status === 'observed' || status === 'untested' ? ` <strong>${escapeHtml(cause)}</strong>` : '';
  return `<details class="item ${outcome}" id="${escapeHtml(id)}" data-status="${escapeHtml(status)}"${outcome === 'failure' ? ' open' : ''}>
<summary><span class="badge ${escapeHtml(status)}">${escapeHtml(status)}</span><span class="what"><span class="name">${escapeHtml(name)}</span><p>${escapeHtml(text)}${shortCause}</p></span><span class="about">${escapeHtml(about)}</span></summary>
<div class="inner">${definitions(details)}${exchanges.length > 0 ? sent : ''}</div></details>
`;
}

const definitions = (rows: readonly Row[]): string =>
  `<dl>${rows.map(([label, text]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(text)}</dd>`).join('')}</dl>`;

/** Shows each exchange once, and links to it from other clauses. */
class ExchangePlaces {
  readonly #ids = new Map<string, string>();

  html(exchange: Exchange): string {
    const { method, elsewhere = '', path, status, ms } = exchange;
    const line = `<code>${escapeHtml(`${method} ${elsewhere}${path}`)}</code>`;
    const outcome = `→ <strong>${status || 'received'}</strong> <span class="time">${ms} ms</span>`;
    const key = JSON.stringify(exchange);
    const earlier = this.#ids.get(key);
    if (earlier !== undefined) return `<p class="exchange"><a href="#${earlier}">${line}</a> ${outcome}</p>`;
    const id = `exchange-${this.#ids.size + 1}`;
    this.#ids.set(key, id);
    return `<details class="exchange" id="${id}"><summary>${line} ${outcome}</summary>${bodies(exchange)}</details>`;
  }
}

function bodies({ at, requestHeaders, requestBody, status, contentType, body }: Exchange): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  const pre = (label: string, text: string) => `<pre aria-label="${label}" tabindex="0">${escapeHtml(prettyJson(text))}</pre>`;
  const sent = requestBody === undefined ? '' : pre('request body', requestBody);
  return `<p class="label">${escapeHtml([at, ...headers].join(' · '))}</p>${sent}<p class="label">${escapeHtml(`${status} ${contentType}`)}</p>${pre('answer', body || '(no body)')}`;
}

/** Indents JSON without changes to its tokens: 25.00 stays 25.00, and a repeated property stays repeated. */
export function prettyJson(text: string): string {
  if (typeof parseJson(text) !== 'object') return text;
  const edits = format(text, undefined, { insertSpaces: true, tabSize: 2, eol: '\n' });
  return applyEdits(text, edits);
}
