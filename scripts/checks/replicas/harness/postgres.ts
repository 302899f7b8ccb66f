import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../../../../mock/testing/command-fixture.ts';

/** Debian has a folder for each version, and most of the programs are not in the PATH. */
const VERSIONS = '/usr/lib/postgresql';

function programOf(name: string): string {
  const latest = existsSync(VERSIONS) ? Math.max(...readdirSync(VERSIONS).map(Number)) : undefined;
  return latest === undefined ? name : join(VERSIONS, `${latest}`, 'bin', name);
}

/** Only the user `guarded` needs a password. */
const ACCESS = `host all guarded 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
`;
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'full_page_writes=off'];

/** A PostgreSQL server with its own data in a temporary folder, and its own port. */
export class PostgresServer {
  readonly port: number;
  readonly #folder: string;
  #server: ChildProcess | undefined;
  #databases = 0;

  private constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
    process.once('exit', () => this.#server?.kill('SIGQUIT'));
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'giftcard-sandbox-postgres-'));
    giveToUnprivileged(folder);
    const flags = ['--auth=trust', '--username=sandbox', '--encoding=UTF8', '--no-locale', '--no-sync'];
    const data = join(folder, 'data');
    execFileSync(programOf('initdb'), ['--pgdata', data, ...flags], { ...unprivileged(), cwd: folder, stdio: 'pipe' });
    writeFileSync(join(data, 'pg_hba.conf'), ACCESS);
    const server = new PostgresServer(await freePort(), folder);
    await server.begin();
    return server;
  }

  /** Starts the server on its port. Resolves when it accepts connections. */
  async begin(): Promise<void> {
    const flags = ['-D', join(this.#folder, 'data'), '-p', `${this.port}`, ...SETTINGS.flatMap((each) => ['-c', each])];
    const options = { ...unprivileged(), cwd: this.#folder };
    const server = spawn(programOf('postgres'), flags, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#server = server;
    const log: string[] = [];
    await new Promise<void>((resolve, reject) => {
      createInterface({ input: server.stderr }).on('line', (line) => {
        log.push(line);
        if (line.includes('ready to accept connections')) resolve();
      });
      server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log.join('\n')}`)));
    });
  }

  /** Ends the server without waiting for its connections. */
  async end(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  }

  /** Stops or continues all processes of the server, as if its machine did not respond. */
  signal(signal: 'STOP' | 'CONT'): void {
    for (const pid of this.pids()) process.kill(pid, `SIG${signal}`);
  }

  /** Returns the IDs of all processes of the server. */
  pids(): number[] {
    const pid = `${this.#server?.pid}`;
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', pid], { encoding: 'utf8' }).split('\n');
    return [pid, ...children.filter((line) => line !== '')].map(Number);
  }

  async remove(): Promise<void> {
    await this.end();
    rmSync(this.#folder, { recursive: true });
  }

  /** Creates an empty database. Returns its URL. */
  async database(): Promise<string> {
    const name = `sandbox_${++this.#databases}`;
    await this.run(this.url('postgres'), `CREATE DATABASE ${name}`);
    return this.url(name);
  }

  url(database: string, user = 'sandbox'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Runs one SQL statement. Returns its output. */
  async run(url: string, sql: string): Promise<string> {
    const { stdout } = await promisify(execFile)(programOf('psql'), [url, '-XAtc', sql], { cwd: this.#folder });
    return stdout.trim();
  }
}

const isRoot = process.getuid?.() === 0;

/** Options of a child process: PostgreSQL refuses to run as root, so root runs it as the user of Debian's package. */
export function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  return isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
}

/** Makes the user of `unprivileged` the owner of a file or folder. */
export function giveToUnprivileged(path: string): void {
  const { uid, gid } = unprivileged();
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
