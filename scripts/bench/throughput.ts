import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONNECTIONS, type Figures, load, type Request } from './load.ts';
import { bareServer, KEY, mockServer, type Server } from './server.ts';
import { median, table, verdict } from './table.ts';

const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP = 2;

interface MeasuredRequest {
  readonly name: string;
  /** Its name on the command line. */
  readonly part: string;
  /** The least share of the bare server's work. */
  readonly limit: number;
  /** `code`: of a card. */
  request(code: string): Request;
}

const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
const body = JSON.stringify({ balance: 25, recipientName: 'Robin Sample', recipientEmailAddress: 'robin@example.com' });
const create: Request = { method: 'POST', target: '/api/GiftCard/Create', headers, body };

export const requests: readonly MeasuredRequest[] = [
  {
    name: 'GetByCode',
    part: 'get',
    limit: 0.8,
    request: (code) => ({ method: 'GET', target: `/api/GiftCard/GetByCode/${code}`, headers }),
  },
  { name: 'Create', part: 'create', limit: 0.4, request: () => create },
  {
    name: 'List of 50',
    part: 'list',
    limit: 0.4,
    request: () => ({ method: 'GET', target: '/api/GiftCard/List?pageSize=50', headers }),
  },
];

/** Creates a full page of cards, and returns the code of the last one. */
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
 * Measures a request on the mock and on a bare server with the same response. Every round starts new processes, so that no round inherits cards or
 * compiled code.
 */
export async function throughput(
  { name, limit, request: requestFor }: MeasuredRequest,
  root: string,
  folder: string,
): Promise<string> {
  const figures: Record<'bare' | 'mock', Figures[]> = { bare: [], mock: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const mock = await mockServer(root);
    const request = requestFor(await createCards(mock));
    const file = join(folder, 'response.json');
    writeFileSync(file, await responseTo(mock, request));
    figures.mock.push(await measure(mock, request, folder));
    figures.bare.push(await measure(await bareServer(root, file), request, folder));
  }
  const of = (server: 'bare' | 'mock', figure: keyof Figures) => median(figures[server].map((each) => each[figure]));
  const speed = of('mock', 'perSecond') / of('bare', 'perSecond');
  const work = of('bare', 'work') / of('mock', 'work');
  const share = Number.isNaN(work) ? speed : work;
  const rows = [
    [name, 'bare', 'mock', 'mock/bare', 'limit', ''],
    ['requests/s', of('bare', 'perSecond').toFixed(0), of('mock', 'perSecond').toFixed(0), speed.toFixed(2), '', ''],
    [
      'µs of work',
      of('bare', 'work').toFixed(1),
      of('mock', 'work').toFixed(1),
      work.toFixed(2),
      `>= ${limit}`,
      verdict(share >= limit),
    ],
  ];
  return `${table(rows)}${CONNECTIONS} connections, medians of ${ROUNDS} rounds of ${SECONDS} seconds. The limit is for the processor time of a request.\n`;
}

async function measure(server: Server, request: Request, folder: string): Promise<Figures> {
  try {
    await load(server, request, WARM_UP, folder);
    return await load(server, request, SECONDS, folder);
  } finally {
    await server.stop();
  }
}
