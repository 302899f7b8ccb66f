import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mine, pinned, type Server } from './server.ts';

export const CONNECTIONS = 64;

export interface Request {
  readonly method: 'GET' | 'POST';
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** `{n}` in it is the number of the request. */
  readonly body?: string;
}

/** What to say where the command that makes the load is not installed. */
export function wrkMissing(): string | undefined {
  if (spawnSync('wrk', ['-v']).error === undefined) return undefined;
  return 'wrk, which makes the load, is not installed. Install it (Debian, Ubuntu: apt-get install wrk; macOS: brew install wrk).';
}

/** What one server did under load. */
export interface Figures {
  readonly answered: number;
  readonly perSecond: number;
  /** Microseconds of work for one request; NaN where the system does not tell. */
  readonly work: number;
}

/** One server under the same request again and again; throws when not every answer was a 2xx. */
export async function load(server: Server, request: Request, seconds: number, folder: string): Promise<Figures> {
  const script = join(folder, 'request.lua');
  writeFileSync(script, lua(request));
  const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s', '-s', script, `${server.url}${request.target}`];
  const [program, ...rest] = pinned('client', ['wrk', ...flags]);
  const before = server.worked();
  const wrk = promisify(execFile)(program as string, rest, { timeout: (seconds + 20) * 1000 });
  mine(wrk.child);
  const { stdout } = await wrk;
  const after = server.worked();
  const trouble = /^.*(?:Non-2xx|Socket errors).*$/m.exec(stdout)?.[0].trim();
  if (trouble) throw new Error(`${request.method} ${server.url}${request.target}: ${trouble}`);
  const answered = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  return {
    answered,
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]),
    work: ((after ?? Number.NaN) - (before ?? Number.NaN)) / answered,
  };
}

/** JSON texts are Lua texts too, as long as nothing in them has to be escaped but quotes. */
function lua({ method, headers, body }: Request): string {
  const lines = [`wrk.method = "${method}"`];
  for (const [name, value] of Object.entries(headers))
    lines.push(`wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`);
  const [first = '', ...rest] = body?.split('{n}') ?? [];
  if (rest.length > 0) {
    const parts = [first, ...rest].map((part) => JSON.stringify(part)).join(' .. n .. ');
    lines.push('local n = 0', `request = function() n = n + 1; return wrk.format(nil, nil, nil, ${parts}) end`);
  } else if (body !== undefined) lines.push(`wrk.body = ${JSON.stringify(body)}`);
  return `${lines.join('\n')}\n`;
}
