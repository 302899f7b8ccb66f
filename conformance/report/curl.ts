import { printable } from '../core/text.ts';
import type { Exchange } from '../http/exchange.ts';
import { shellWord } from './escape.ts';

/** Pseudonyms of keys and of values of one run: «key», «run», card#1. */
const pseudonym = /«([\w .]+)»|\b([a-z]+)#(\d+)((?:\.id)?)/g;

/** The exchanges as lines for a shell. Keys come from the environment. Codes and unique values are new each time, because the service accepts each once. */
export function curlScript(exchanges: readonly Exchange[], target: string): string {
  const plain = exchanges.map((exchange) => curlLine(exchange, target));
  const used = (variable: string) => plain.some((line) => line.includes(`"$${variable}"`));
  const all = [...new Set(plain.join('\n').match(/(?<="\$)\w+(?=")/g))];
  const created = exchanges.map((exchange) => createdBy(exchange));
  const lines = plain.map((line, index) => {
    const id = `${created[index]}_id`;
    return created[index] !== undefined && used(id) ? `${id}=$(${line} | tee /dev/stderr | ${firstId})` : line;
  });
  const ids = all.filter((variable) => variable.endsWith('_id'));
  const cards = [...new Set([...all, ...ids.map((id) => id.slice(0, -3))])].filter(
    (each) => /^card_\d+$/.test(each) && used(each),
  );
  const external = all.filter((variable) => variable !== 'run' && !cards.includes(variable) && !ids.includes(variable));
  const without = ids.filter((id) => !created.includes(id.slice(0, -3)));
  const first = [
    ...(created.some(Boolean) ? ['# This creates cards: void them afterwards.'] : []),
    ...(external.length > 0 ? [`# Set these first: ${external.join(', ')}`] : []),
    ...(without.length > 0 ? [`# Set the IDs of existing cards first: ${without.join(', ')}`] : []),
    ...(used('run') || cards.length > 0 ? ['run=$(date +%s)'] : []),
    ...cards.map((card) => `${card}="GCS\${run}X${card.slice('card_'.length)}"`),
  ];
  return [...first, ...lines].join('\n');
}

/** The variable of the card that the exchange creates. */
function createdBy({ method, path, requestBody = '', status }: Exchange): string | undefined {
  if (method !== 'POST' || !path.endsWith('/GiftCard/Create') || status !== 200) return undefined;
  const number = /"code":"card#(\d+)"/.exec(requestBody)?.[1];
  return number && `card_${number}`;
}

/** Prints the card's ID of the answer, a number or a string. */
const firstId = String.raw`grep -o '"id": *"\{0,1\}[^",}]*' | head -n 1 | sed 's/^"id": *"\{0,1\}//'`;

export function curlLine({ method, elsewhere, path, requestHeaders, requestBody }: Exchange, target: string): string {
  const headers = Object.entries(requestHeaders).map(([name, value]) => `-H ${word(`${name}: ${value}`)}`);
  // Without this, curl declares a form.
  const typed = Object.keys(requestHeaders).some((name) => name.toLowerCase() === 'content-type');
  return [
    'curl -sSg',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    word((elsewhere ?? target) + path),
    ...headers,
    ...(requestBody === undefined ? [] : [...(typed ? [] : [`-H 'content-type:'`]), `--data-raw ${word(requestBody)}`]),
  ].join(' ');
}

/** A word of the shell in which each pseudonym is a quoted variable. */
function word(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: whole, 1: named, 2: kind, 3: number, 4: id = '', index } of text.matchAll(pseudonym)) {
    if (index > end) parts.push(shellWord(printable(text.slice(end, index))));
    parts.push(`"$${variableFor(named, kind, number, id)}"`);
    end = index + whole.length;
  }
  if (end < text.length) parts.push(shellWord(printable(text.slice(end))));
  return parts.join('');
}

function variableFor(named: string | undefined, kind: string | undefined, number: string | undefined, id: string): string {
  if (named === undefined) return `${kind}_${number}${id.replace('.', '_')}`;
  if (named === 'run') return 'run';
  if (named === 'key') return 'GIFTCARD_API_KEY';
  return named.replace(/[A-Z .]/g, (c) => `_${c.replace(/[ .]/, '')}`).toUpperCase();
}
