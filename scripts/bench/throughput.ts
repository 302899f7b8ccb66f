import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PostgresServer } from '../checks/replicas/harness/postgres.ts';
import { table } from '../table.ts';
import { median, ratioRow, verdict } from './figures.ts';
import { BENCH_KEY, bareServer, endWithBench, mockServer, pinned, type Server, type Work, workOf } from './server.ts';

interface Request {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP = 2;

interface MeasuredRequest {
  readonly part: string;
  /** The lower limit of the baseline's processor time divided by the mock's processor time. */
  readonly limit: number;
  readonly flags: readonly string[];
  /** True if the mock keeps a state. Then the baseline is the mock without a state. */
  readonly isStored?: boolean;
  /** Returns a request about the card with this code. */
  request(code: string): Request;
}

const headers = { 'x-api-key': BENCH_KEY, 'content-type': 'application/json' };
const body = JSON.stringify({ balance: 25, recipientName: 'Robin Sample', recipientEmailAddress: 'robin@example.com' });
const create: Request = { method: 'POST', target: '/api/GiftCard/Create', headers, body };
const read = (target: string): Request => ({ method: 'GET', target: `/api/GiftCard/${target}`, headers });

export const requests: readonly MeasuredRequest[] = [
  { part: 'get', limit: 0.75, flags: ['--quiet'], request: (code) => read(`GetByCode/${code}`) },
  { part: 'log', limit: 0.65, flags: [], request: (code) => read(`GetByCode/${code}`) },
  { part: 'create', limit: 0.3, flags: ['--quiet'], request: () => create },
  { part: 'state', limit: 0.6, flags: ['--quiet', '--state'], isStored: true, request: () => create },
  { part: 'list', limit: 0.45, flags: ['--quiet'], request: () => read('List?pageSize=50') },
];

/** Creates the 50 cards of a full page, and returns the code of the last card. */
async function createCards(server: Server): Promise<string> {
  let code = '';
  for (let created = 0; created < 50; created++) code = JSON.parse(await responseTo(server, create)).code;
  return code;
}

async function responseTo({ url }: Server, { method, target, headers, body }: Request): Promise<string> {
  const response = await fetch(`${url}${target}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${target} returned ${response.status}: ${text}`);
  return text;
}

/**
 * Measures a request on the mock, and on a baseline: a bare server that always returns the same response. Every round starts new processes, so no round
 * has the cards or the compiled code of an earlier round.
 */
export async function throughput(measured: MeasuredRequest, root: string, folder: string): Promise<string> {
  const works: [bare: Work[], mock: Work[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const { flags, isStored } = measured;
    const mock = await mockServer(root, isStored ? [...flags, join(folder, `state-${round}`)] : flags);
    const request = measured.request(await createCards(mock));
    const file = join(folder, 'response.json');
    writeFileSync(file, await responseTo(mock, request));
    works[1].push(...(await measure([mock], request, folder)));
    works[0].push(...(await measure([isStored ? await mockServer(root) : await bareServer(root, file)], request, folder)));
  }
  const [bare, mock] = works.map((rounds) => median(rounds.map(([all]) => all)));
  const [bareSystem, mockSystem] = works.map((rounds) => median(rounds.map(([, system]) => system)).toFixed(1));
  const [part = '', base = '', work = '', ...rest] = workRow(measured.part, bare ?? 0, mock ?? 0, measured.limit);
  return table([
    ['µs of work', measured.isStored ? 'memory' : 'bare', 'of it system', 'mock', 'of it system', 'ratio', 'limit', ''],
    [part, base, bareSystem ?? '', work, mockSystem ?? '', ...rest],
  ]);
}

/** Returns a row of a table: the name, the work of a baseline and of the mock, their ratio, its lower limit, and the verdict. */
function workRow(name: string, base: number, work: number, limit: number): string[] {
  const ratio = base / work;
  return [name, base.toFixed(1), work.toFixed(1), ratio.toFixed(2), `>= ${limit}`, verdict(ratio >= limit)];
}

/**
 * Measures creates in memory, at a replica, and through another replica. The busiest process counts, because it limits the throughput where each process has
 * a core. PostgreSQL counts as one process.
 */
export async function postgres(root: string, folder: string): Promise<string> {
  const server = await PostgresServer.start();
  const worked = () => server.pids().reduce((sum, pid) => sum + workOf(pid)[0], 0);
  const works: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const [replicaCount, rounds] of works.entries()) {
      const flags = ['--quiet', ...(replicaCount === 0 ? [] : ['--state', await server.database()])];
      const processes = [await mockServer(root, flags)];
      if (replicaCount === 2) processes.unshift(await mockServer(root, flags));
      processes.push({ ...(processes[0] as Server), worked: () => [worked(), 0], stop: async () => {} });
      rounds.push(Math.max(...(await measure(processes, create, folder)).map(([all]) => all)));
    }
  await server.remove();
  const [memory = 0, leader = 0, follower = 0] = works.map(median);
  const rows = [workRow('PostgreSQL', memory, leader, 0.4), workRow('a follower', leader, follower, 0.8)];
  return table([['µs of work', 'without', 'with', 'ratio', 'limit', ''], ...rows]);
}

/** Sends requests to the first of these processes. Returns the work of each. */
async function measure(servers: readonly Server[], request: Request, folder: string): Promise<Work[]> {
  try {
    await load(servers, request, WARM_UP, folder);
    return await load(servers, request, SECONDS, folder);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** Measures the mock's memory while reads arrive as fast as possible. Later reads may need at most 10 % more memory than the first reads. */
export async function memory(root: string, folder: string, seconds: number): Promise<string> {
  const server = await mockServer(root);
  const code = await createCards(server);
  const sizes: number[] = [];
  for (let turn = 0; turn < 8; turn++) {
    await load([server], read(turn % 2 === 0 ? `GetByCode/${code}` : 'List?pageSize=50'), Math.ceil(seconds / 8), folder);
    sizes.push(server.memory() / 1024 ** 2);
  }
  await server.stop();
  const row = ratioRow('reads', Math.max(...sizes.slice(0, 4)), Math.max(...sizes.slice(4)), 1.1);
  return table([['memory, MB', 'first half', 'second half', 'ratio', 'limit', ''], row]);
}

/**
 * Repeats a request for some seconds with wrk at the first of these processes. Returns the processor time per request of each process in microseconds. On
 * systems other than Linux, returns the time between two responses. Throws if a response is not 2xx.
 */
async function load(servers: readonly Server[], request: Request, seconds: number, folder: string): Promise<Work[]> {
  const script = join(folder, 'request.lua');
  writeFileSync(script, luaScript(request));
  const url = `${servers[0]?.url}${request.target}`;
  const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, url];
  const [program, ...args] = pinned('client', ['wrk', ...flags]);
  const before = servers.map((server) => server.worked());
  const wrk = promisify(execFile)(program, args, { timeout: (seconds + 20) * 1000 });
  endWithBench(wrk.child);
  const { stdout } = await wrk;
  const works = servers.map((server, index) => server.worked().map((time, part) => time - (before[index]?.[part] as number)));
  const problem = /^.*(?:Non-2xx|Socket errors).*$/m.exec(stdout)?.[0].trim();
  if (problem) throw new Error(`${request.method} ${url}: ${problem}`);
  const requestCount = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const perRequest = (work: number) => (Number.isNaN(work) ? seconds * 1e6 : work) / requestCount;
  return works.map(([all = 0, system = 0]) => [perRequest(all), perRequest(system)]);
}

/** Returns the request as a Lua script for wrk. These strings are valid in JSON and in Lua, because they contain no escapes except of quotes. */
function luaScript({ method, headers, body }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  const lines = [`wrk.method = "${method}"`, `wrk.headers = { ${fields.join(', ')} }`];
  return [...lines, ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`])].join('\n');
}
