import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { table } from '../table.ts';
import { median, verdict } from './figures.ts';
import { CONNECTIONS, type Figures, load, type Request } from './load.ts';
import { bareServer, KEY, mockServer, type Server } from './server.ts';

const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP = 2;

interface MeasuredRequest {
  readonly name: string;
  /** The argument of `npm run bench` that measures this request. */
  readonly part: string;
  /** The lower limit of the bare server's processor time divided by the mock's processor time. */
  readonly limit: number;
  /** Returns a request about the card with this code. */
  request(code: string): Request;
}

const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
const body = JSON.stringify({ balance: 25, recipientName: 'Robin Sample', recipientEmailAddress: 'robin@example.com' });
const create: Request = { method: 'POST', target: '/api/GiftCard/Create', headers, body };
const read = (target: string): Request => ({ method: 'GET', target: `/api/GiftCard/${target}`, headers });

export const requests: readonly MeasuredRequest[] = [
  { name: 'GetByCode', part: 'get', limit: 0.8, request: (code) => read(`GetByCode/${code}`) },
  { name: 'Create', part: 'create', limit: 0.4, request: () => create },
  { name: 'List of 50', part: 'list', limit: 0.4, request: () => read('List?pageSize=50') },
];

/** Creates the 50 cards of a full page, and returns the code of the last card. */
export async function createCards(server: Server): Promise<string> {
  let code = '';
  for (let created = 0; created < 50; created++) code = JSON.parse(await responseTo(server, create)).code;
  return code;
}

async function responseTo({ url }: Server, { method, target, headers, body }: Request): Promise<string> {
  const response = await fetch(`${url}${target}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${target} was answered with ${response.status}: ${text}`);
  return text;
}

/**
 * Measures a request on the mock, and on a bare server that always returns the same response. Every round starts new processes, so no round
 * has the cards or the compiled code of an earlier round.
 */
export async function throughput(measured: MeasuredRequest, root: string, folder: string): Promise<string> {
  const figures: Record<'bare' | 'mock', Figures[]> = { bare: [], mock: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const mock = await mockServer(root);
    const request = measured.request(await createCards(mock));
    const file = join(folder, 'response.json');
    writeFileSync(file, await responseTo(mock, request));
    figures.mock.push(await measure(mock, request, folder));
    figures.bare.push(await measure(await bareServer(root, file), request, folder));
  }
  const medians = (figure: keyof Figures) => [figures.bare, figures.mock].map((all) => median(all.map((each) => each[figure])));
  const [bareSpeed = 0, mockSpeed = 0] = medians('perSecond');
  const [bareWork = 0, mockWork = 0] = medians('work');
  const [speed, work] = [mockSpeed / bareSpeed, bareWork / mockWork];
  const { name, limit } = measured;
  const isFast = (Number.isNaN(work) ? speed : work) >= limit;
  const rows = [
    [name, 'bare', 'mock', 'mock/bare', 'limit', ''],
    ['requests/s', bareSpeed.toFixed(0), mockSpeed.toFixed(0), speed.toFixed(2), '', ''],
    ['µs of work', bareWork.toFixed(1), mockWork.toFixed(1), work.toFixed(2), `>= ${limit}`, verdict(isFast)],
  ];
  return `${table(rows)}${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} seconds. The limit applies to the processor time of a request.\n`;
}

async function measure(server: Server, request: Request, folder: string): Promise<Figures> {
  try {
    await load(server, request, WARM_UP, folder);
    return await load(server, request, SECONDS, folder);
  } finally {
    await server.stop();
  }
}
