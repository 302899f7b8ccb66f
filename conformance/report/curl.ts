import type { Exchange } from '../client.ts';
import { printable } from '../names.ts';
import { shellWord } from './escape.ts';

/** Stand-ins that the suite puts for keys and for what only one run may use: «key», «run», card#1. */
const standIn = /«([\w ]+)»|\b([a-z]+)#(\d+)/g;

/**
 * The exchanges as lines for a shell. Keys come from the environment, as they do for the suite; codes and unique values are new each time, since the
 * service takes each only once.
 */
export function curlScript(exchanges: readonly Exchange[], target: string): string {
  const lines = exchanges.map((exchange) => curlLine(exchange, target));
  const used = (variable: string) => lines.some((line) => line.includes(`"$${variable}"`));
  const cards = [...new Set(lines.join('\n').match(/(?<="\$)card_\d+(?=")/g))];
  const first = [
    ...(used('run') || cards.length > 0 ? ['run=$(date +%s)'] : []),
    ...cards.map((card) => `${card}="GCS\${run}X${card.slice('card_'.length)}"`),
  ];
  return [...first, ...lines].join('\n');
}

export function curlLine({ method, elsewhere, path, requestHeaders, requestBody }: Exchange, target: string): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`);
  // Otherwise curl would say that it sends a form.
  const typed = Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'content-type');
  return [
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    word((elsewhere ?? target) + path),
    ...headers,
    ...(requestBody === undefined ? [] : [...(typed ? [] : [`-H 'content-type:'`]), `--data-raw ${word(requestBody)}`]),
  ].join(' ');
}

/** A word in which each stand-in is a variable in quotes of its own. */
function word(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: named, 2: kind, 3: number, index } of text.matchAll(standIn)) {
    if (index > end) parts.push(shellWord(printable(text.slice(end, index))));
    parts.push(`"$${variableFor(named, kind, number)}"`);
    end = index + whole.length;
  }
  if (end < text.length) parts.push(shellWord(printable(text.slice(end))));
  return parts.join('');
}

function variableFor(named: string | undefined, kind: string | undefined, number: string | undefined): string {
  if (named === undefined) return `${kind}_${number}`;
  if (named === 'run') return 'run';
  if (named === 'key') return 'GIFTCARD_API_KEY';
  return named.replace(/[A-Z ]/g, (c) => `_${c.trim()}`).toUpperCase();
}
