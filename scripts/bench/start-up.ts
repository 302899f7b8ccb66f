import { get } from 'node:http';
import { bareServer, mockServer, type Server } from './server.ts';
import { median } from './table.ts';

const ROUNDS = 10;

/** Milliseconds from spawn to the end of the first answer, of both in turn. */
export async function startUp(root: string): Promise<{ bare: number; mock: number }> {
  const bare: number[] = [];
  const mock: number[] = [];
  await timed(() => bareServer(root));
  await timed(() => mockServer(root));
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(await timed(() => bareServer(root)));
    mock.push(await timed(() => mockServer(root)));
  }
  return { bare: median(bare), mock: median(mock) };
}

async function timed(start: () => Promise<Server>): Promise<number> {
  const spawned = performance.now();
  const server = await start();
  await new Promise<void>((resolve, reject) => {
    const headers = { 'x-api-key': 'sandbox-key-main-not-a-real-key' };
    get(`${server.url}/api/Company/Profile`, { agent: false, headers }, (response) =>
      response.resume().once('end', resolve),
    ).once('error', reject);
  });
  const answered = performance.now();
  await server.stop();
  return answered - spawned;
}
