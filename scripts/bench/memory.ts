import { load, type Request } from './load.ts';
import { mockServer, type Server } from './server.ts';
import { table, verdict } from './table.ts';
import { createCards, requests } from './throughput.ts';

const SECONDS = 5;
const MEGABYTE = 1024 * 1024;

/** The memory of the mock at full rate with a full journal: reads add nothing. */
export async function memory(root: string, folder: string): Promise<string> {
  const server = await mockServer(root);
  const code = await createCards(server);
  const reads = requests.map(({ request }) => request(code)).filter(({ method }) => method === 'GET');
  const peaks: number[] = [];
  for (let turn = 0; turn < 8; turn++) peaks.push(await peakDuring(server, reads[turn % 2] as Request, folder));
  await server.stop();
  const [before, after] = [Math.max(...peaks.slice(0, 4)), Math.max(...peaks.slice(4))];
  const megabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(0);
  const ratio = after / before;
  return table([
    ['peak memory, MB', 'before', 'after', 'ratio', 'limit', ''],
    ['reads', megabytes(before), megabytes(after), ratio.toFixed(2), '<= 1.1', verdict(ratio <= 1.1)],
  ]);
}

/** The most memory that the server has while a request is repeated. */
async function peakDuring(server: Server, request: Request, folder: string): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, server.memory());
  }, 100);
  await load(server, request, SECONDS, folder);
  clearInterval(timer);
  return peak;
}
