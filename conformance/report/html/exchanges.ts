import type { RunResult } from '../../core/result.ts';
import type { Exchange } from '../../http/exchange.ts';
import { escaped } from '../escape.ts';
import { pretty } from './pretty.ts';

/** Under which clause each exchange of a run stands whole: of those that looked at it, the one whose reader needs it most. The others link to it. */
export class Places {
  readonly #owners = new Map<string, { readonly clause: string; readonly id: string }>();

  constructor(runs: readonly RunResult[]) {
    for (const [index, { clauses }] of runs.entries()) {
      const bad = clauses.filter(({ verdict }) => verdict === 'fail');
      for (const { name, exchanges } of [...bad, ...clauses])
        for (const each of exchanges) {
          const key = keyOf(index, each);
          if (!this.#owners.has(key)) this.#owners.set(key, { clause: name, id: `exchange-${this.#owners.size + 1}` });
        }
    }
  }

  /** The exchanges of a clause, each of them whole at one place of the page. */
  shown(index: number, clause: string, exchanges: readonly Exchange[]): string {
    const here = new Set<string>();
    return exchanges
      .map((each) => {
        const owner = this.#owners.get(keyOf(index, each));
        if (!owner) return exchangeDetails(each);
        if (owner.clause !== clause || here.has(owner.id)) return linkTo(owner.id, each);
        here.add(owner.id);
        return exchangeDetails(each, { id: owner.id });
      })
      .join('');
  }
}

const keyOf = (index: number, exchange: Exchange) => `${index} ${JSON.stringify(exchange)}`;

const linkTo = (id: string, { method, elsewhere = '', path, status, ms }: Exchange) =>
  `<p class="exchange"><a href="#${id}"><code>${escaped(`${method} ${elsewhere}${path}`)}</code></a> → <strong>${status}</strong> <span class="time">${ms} ms</span></p>
`;

/** One exchange, folded; `number` is what it is called in a report that numbers them, `id` what links name it by. */
export function exchangeDetails(
  { at, ms, method, elsewhere = '', path, requestHeaders, requestBody, status, contentType, body }: Exchange,
  { number = '', id }: { readonly number?: string; readonly id?: string } = {},
): string {
  const sent = requestBody === undefined ? '' : `<pre aria-label="request body" tabindex="0">${shown(requestBody)}</pre>`;
  const headers = Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`);
  return `<details class="exchange"${id === undefined ? '' : ` id="${id}"`}><summary>${number}<code>${escaped(`${method} ${elsewhere}${path}`)}</code> → <strong>${status}</strong> <span class="time">${ms} ms</span></summary>
<p class="label">${escaped([at, ...headers].join(' · '))}</p>${sent}<p class="label">${escaped(`${status} ${contentType}`)}</p><pre aria-label="answer" tabindex="0">${shown(body) || '(no body)'}</pre></details>
`;
}

/** Laid out, an answer is several times as long. */
const longest = 8_000;

function shown(text: string): string {
  const laidOut = pretty(text);
  const rest = laidOut.length - longest;
  return rest > 0
    ? `${escaped(laidOut.slice(0, longest))}\n… and ${rest} characters more, which results.json has`
    : escaped(laidOut);
}
