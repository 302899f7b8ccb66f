import { table } from '../table.ts';
import { ratioRow } from './figures.ts';
import { load, type Request } from './load.ts';
import { mockServer, type Server } from './server.ts';
import { createCards, requests } from './throughput.ts';

const MEGABYTE = 1024 * 1024;

/** Measures the mock's memory while reads arrive as fast as possible. Later reads may need at most 10 % more memory than the first reads. */
export async function memory(root: string, folder: string, seconds = 40): Promise<string> {
  const server = await mockServer(root);
  const code = await createCards(server);
  const reads = requests.map(({ request }) => request(code)).filter(({ method }) => method === 'GET');
  const peaks: number[] = [];
  for (let turn = 0; turn < 8; turn++)
    peaks.push((await peakDuring(server, reads[turn % 2] as Request, Math.ceil(seconds / 8), folder)) / MEGABYTE);
  await server.stop();
  const row = ratioRow('reads', Math.max(...peaks.slice(0, 4)), Math.max(...peaks.slice(4)), 1.1);
  return table([['peak memory, MB', 'first half', 'second half', 'ratio', 'limit', ''], row]);
}

/** Returns the server's peak memory in bytes while a request is repeated. */
async function peakDuring(server: Server, request: Request, seconds: number, folder: string): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, server.memory());
  }, 100);
  await load(server, request, seconds, folder);
  clearInterval(timer);
  return peak;
}
