import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { mockServer } from './server.ts';
import { median, table, word } from './table.ts';

const WARM_UP = 300;
const ROUNDS = 200;
/** In milliseconds; "about 1" and "a few". */
const ACCOUNT_LIMIT = 1.5;
const MOCK_LIMIT = 5;

type Mock = Awaited<ReturnType<typeof import('../../mock/index.ts').startMock>>;

/** A new account over the control door and within the process, and a new mock without a socket. */
export async function accounts(root: string): Promise<string> {
  const { startMock } = (await import(pathToFileURL(join(root, 'dist/index.js')).href)) as typeof import('../../mock/index.ts');
  const server = await mockServer(root);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const overDoor = await timed(() => post(`${server.url}/__mock/accounts`, agent));
  agent.destroy();
  await server.stop();

  const mock: Mock = await startMock({ listen: false });
  const inProcess = await timed(() => mock.account());
  await mock.close();

  const mocks: Mock[] = [];
  const whole = await timed(async () => void mocks.push(await startMock({ listen: false })));
  for (const each of mocks) await each.close();

  const line = (name: string, milliseconds: number, limit: number) => [
    name,
    milliseconds.toFixed(2),
    `<= ${limit}`,
    word(milliseconds <= limit),
  ];
  return table([
    ['milliseconds', '', 'limit', ''],
    line('new account over the control door', overDoor, ACCOUNT_LIMIT),
    line('new account within the process', inProcess, ACCOUNT_LIMIT),
    line('new mock without a socket', whole, MOCK_LIMIT),
  ]);
}

/** The median, once everything is loaded and compiled. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return median(times.slice(WARM_UP));
}

function post(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent }, (response) => {
      if (response.statusCode !== 200 && response.statusCode !== 201)
        reject(new Error(`POST ${url} was answered with ${response.statusCode}.`));
      response.resume().once('end', resolve);
    });
    asked.once('error', reject).end();
  });
}
