import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithBench, pinned, type Server } from './server.ts';

const CONNECTIONS = 64;

export interface Request {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Repeats a request for some seconds with wrk. Returns the server's processor time per request in microseconds. On systems other than Linux, returns
 * the time between two responses. Throws if a response is not 2xx.
 */
export async function load(server: Server, request: Request, seconds: number, folder: string): Promise<number> {
  const script = join(folder, 'request.lua');
  writeFileSync(script, luaScript(request));
  const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, `${server.url}${request.target}`];
  const [program, ...args] = pinned('client', ['wrk', ...flags]);
  const before = server.worked();
  const wrk = promisify(execFile)(program, args, { timeout: (seconds + 20) * 1000 });
  endWithBench(wrk.child);
  const { stdout } = await wrk;
  const work = server.worked() - before;
  const problem = /^.*(?:Non-2xx|Socket errors).*$/m.exec(stdout)?.[0].trim();
  if (problem) throw new Error(`${request.method} ${server.url}${request.target}: ${problem}`);
  const answered = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  return (Number.isNaN(work) ? seconds * 1e6 : work) / answered;
}

/** Returns the request as a Lua script for wrk. These strings are valid in JSON and in Lua, because they contain no escapes except of quotes. */
function luaScript({ method, headers, body }: Request): string {
  const fields = Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  const lines = [`wrk.method = "${method}"`, `wrk.headers = { ${fields.join(', ')} }`];
  return [...lines, ...(body === undefined ? [] : [`wrk.body = ${JSON.stringify(body)}`])].join('\n');
}
