import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../mock/testing/free-port-fixture.ts';
import { prepare, rows } from './requests.ts';
import { bareServer, mockServer, type Server, serve } from './server.ts';
import { median, table, word } from './table.ts';
import { CONNECTIONS, load, type Request } from './wrk.ts';

const [ROUNDS, SECONDS, WARM_UP] = [3, 4, 2];
/** What we hold ourselves to: what passing and judging take together, as a multiple of what passing alone takes. */
const LIMIT = 5;

/** The work of one request in the proxy that watches, beside one that passes on and looks at nothing; both before a server that only answers. */
export async function proxied(root: string, folder: string): Promise<string> {
  const [row] = rows;
  const mock = await mockServer(root);
  const request = row?.request(await prepare(mock)) as Request;
  const file = join(folder, 'proxied.json');
  writeFileSync(file, await fetch(`${mock.url}${request.target}`, { headers: request.headers }).then((answer) => answer.text()));
  await mock.stop();
  const [plain, watched]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await workOf(({ url }) => serve([process.execPath, join(root, 'scripts/bench/pass-through.mjs'), url])));
    watched.push(await workOf(({ url }) => watching(root, url)));
  }
  const times = median(watched) / median(plain);
  const lines = [
    [`${row?.name} through a proxy`, 'pass-through', 'proxy', 'proxy/pass-through', 'limit', ''],
    ['µs of work', median(plain).toFixed(1), median(watched).toFixed(1), times.toFixed(2), `<= ${LIMIT}`, word(times <= LIMIT)],
  ];
  return `${table(lines)}${CONNECTIONS} kept-alive connections; medians of ${ROUNDS} rounds of ${SECONDS} seconds each; the work of the proxy's own process.\n`;

  async function workOf(started: (target: Server) => Promise<Server>): Promise<number> {
    const target = await bareServer(root, file);
    const proxy = await started(target);
    try {
      await load(proxy, request, WARM_UP, folder);
      return (await load(proxy, request, SECONDS, folder)).work;
    } finally {
      await proxy.stop();
      await target.stop();
    }
  }
}

async function watching(root: string, target: string): Promise<Server> {
  const port = await freePort();
  const flags = ['--target', target, '--port', String(port), '--quiet'];
  return serve([process.execPath, join(root, 'dist/cli.js'), 'proxy', ...flags], `http://127.0.0.1:${port}`);
}
