import { table } from '../table.ts';
import { ratioRow } from './figures.ts';
import { load, type Request } from './load.ts';
import { mockServer, type Server } from './server.ts';
import { createCards, requests } from './throughput.ts';

const SECONDS = 5;
const MEGABYTE = 1024 * 1024;

/** Measures the memory of the mock at full rate with a full journal. Reads must not increase the memory. */
export async function memory(root: string, folder: string): Promise<string> {
  const server = await mockServer(root);
  const code = await createCards(server);
  const reads = requests.map(({ request }) => request(code)).filter(({ method }) => method === 'GET');
  const peaks: number[] = [];
  for (let turn = 0; turn < 8; turn++) peaks.push((await peakDuring(server, reads[turn % 2] as Request, folder)) / MEGABYTE);
  await server.stop();
  const row = ratioRow('reads', Math.max(...peaks.slice(0, 4)), Math.max(...peaks.slice(4)), 1.1);
  return table([['peak memory, MB', 'before', 'after', 'ratio', 'limit', ''], row]);
}

/** Returns the most memory that the server has while a request is repeated, in bytes. */
async function peakDuring(server: Server, request: Request, folder: string): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, server.memory());
  }, 100);
  await load(server, request, SECONDS, folder);
  clearInterval(timer);
  return peak;
}
