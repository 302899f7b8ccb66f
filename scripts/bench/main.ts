import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import '../bundle.ts';
import { prepare, type Row, rows } from './requests.ts';
import { bareServer, mockServer, pinning, prismServer, type Server } from './server.ts';
import { startUp } from './start-up.ts';
import { median, table } from './table.ts';
import { CONNECTIONS, type Figures, load, type Request, wrkIsThere } from './wrk.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP = 2;
const START_LIMIT = 2.5;

type Name = 'bare' | 'mock' | 'prism';

/**
 * One request on a bare server, the mock and Prism in turn, each time in a new process, so that no round inherits what the one before left behind:
 * cards, compiled code, or a cooler machine.
 */
async function measure(row: Row, folder: string): Promise<Record<Name, Figures>> {
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
  return { perSecond: median(rounds.map(({ perSecond }) => perSecond)), work: median(rounds.map(({ work }) => work)) };
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

function say(text: string): void {
  process.stdout.write(text);
}

async function bench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-bench-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const minutes = Math.ceil((rows.length * ROUNDS * 3 * (SECONDS + WARM_UP + 1)) / 60);
  say(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${pinning}; at most ${minutes} minutes.\n\n`);

  const start = await startUp(root);
  const slower = start.mock / start.bare;
  say(
    table([
      ['milliseconds', 'bare', 'mock', 'mock/bare', 'limit', ''],
      [
        'spawn to answer',
        start.bare.toFixed(1),
        start.mock.toFixed(1),
        slower.toFixed(2),
        `<= ${START_LIMIT}`,
        word(slower <= START_LIMIT),
      ],
    ]),
  );

  const lines = [['', 'bare', 'mock', 'prism', 'mock/prism', 'mock/bare', 'limit', '']];
  for (const row of rows) {
    const { bare, mock, prism } = await measure(row, folder);
    const share = mock.perSecond / bare.perSecond;
    const byWork = bare.work / mock.work;
    const limit = `>= ${row.limit}`;
    const figures = [bare, mock, prism].map(({ perSecond }) => perSecond.toFixed(0));
    lines.push([`${row.name}, requests/s`, ...figures, (mock.perSecond / prism.perSecond).toFixed(1), share.toFixed(2), '', '']);
    const held = Number.isNaN(byWork) ? share : byWork;
    const work = [bare, mock, prism].map((one) => one.work.toFixed(1));
    lines.push([`${row.name}, µs of work`, ...work, '', byWork.toFixed(2), limit, word(held >= row.limit)]);
  }
  say(
    `\n${table(lines)}\n${CONNECTIONS} kept-alive connections; medians of ${ROUNDS} rounds of ${SECONDS} seconds each. ${explanation}\n`,
  );
}

const explanation = `A server
that has a core to itself answers as many requests a second as its work allows. Where the two lines of a request differ, something
else was running; the work is then the truer one, and it is what the limit is held to.`;

function word(holds: boolean): string {
  return holds ? 'holds' : 'MISSED';
}

if (wrkIsThere()) await bench();
else {
  process.stderr.write(
    'wrk, which makes the load, is not installed. Install it (Debian, Ubuntu: apt-get install wrk; macOS: brew install wrk).\n',
  );
  process.exitCode = 2;
}
