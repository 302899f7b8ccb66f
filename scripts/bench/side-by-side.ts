import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, type Row } from './requests.ts';
import { bareServer, mockServer, prismServer, type Server } from './server.ts';
import { median, table, word } from './table.ts';
import { CONNECTIONS, type Figures, load, type Request } from './wrk.ts';

const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP = 2;

type Name = 'bare' | 'mock' | 'prism';

export function minutesFor(_row: Row): number {
  return Math.ceil((ROUNDS * 3 * (SECONDS + WARM_UP + 1)) / 60);
}

/** One request on a bare server, the mock and Prism: requests a second, the work that each takes, and what these are of the bare server's. */
export async function sideBySide(row: Row, root: string, folder: string): Promise<string> {
  const { bare, mock, prism } = await measure(row, root, folder);
  const share = mock.perSecond / bare.perSecond;
  const byWork = bare.work / mock.work;
  const held = Number.isNaN(byWork) ? share : byWork;
  const perSecond = [bare, mock, prism].map((one) => one.perSecond.toFixed(0));
  const work = [bare, mock, prism].map((one) => one.work.toFixed(1));
  const lines = [
    [row.name, 'bare', 'mock', 'prism', 'mock/prism', 'mock/bare', 'limit', ''],
    ['requests/s', ...perSecond, (mock.perSecond / prism.perSecond).toFixed(1), share.toFixed(2), '', ''],
    ['µs of work', ...work, '', byWork.toFixed(2), `>= ${row.limit}`, word(held >= row.limit)],
  ];
  return `${table(lines)}${explanation}\n`;
}

const explanation = `${CONNECTIONS} kept-alive connections; medians of ${ROUNDS} rounds of ${SECONDS} seconds each. A server that has a core to itself answers as many requests a
second as its work allows. Where the two lines differ, something else was running; the work is then the truer one, and it is what
the limit is held to.`;

/**
 * On the three in turn, each time in a new process, so that no round inherits what the one before left behind: cards, compiled code, or a cooler
 * machine.
 */
async function measure(row: Row, root: string, folder: string): Promise<Record<Name, Figures>> {
  const figures: Record<Name, Figures[]> = { bare: [], mock: [], prism: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const mock = await mockServer(root);
    const request = row.request(await prepare(mock));
    const answer = await answerTo(mock, request);
    const file = join(folder, 'answer.json');
    writeFileSync(file, answer);
    figures.mock.push(await underLoad(mock, request, folder));
    figures.bare.push(await underLoad(await bareServer(root, file), request, folder));
    figures.prism.push(await underLoad(await prismServer(root), request, folder));
  }
  return { bare: middle(figures.bare), mock: middle(figures.mock), prism: middle(figures.prism) };
}

function middle(rounds: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]));
  return { answered: of('answered'), perSecond: of('perSecond'), work: of('work') };
}

async function answerTo({ url }: Server, { method, target, headers, body }: Request): Promise<string> {
  const answer = await fetch(`${url}${target}`, { method, headers, ...(body === undefined ? {} : { body }) });
  return answer.text();
}

async function underLoad(server: Server, request: Request, folder: string): Promise<Figures> {
  try {
    await load(server, request, WARM_UP, folder);
    return await load(server, request, SECONDS, folder);
  } finally {
    await server.stop();
  }
}
