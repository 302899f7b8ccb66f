import type { Socket } from 'node:net';
import type { DatabaseError, Pool, QueryConfig, QueryResult } from 'pg';
import { elapsed, pause, secret, setSystemTime, systemTime } from '../account/clock.ts';
import { FORMAT, TABLES, TAKE, WRITE } from './postgres-statements.ts';
import { StateFileError } from './state-file-error.ts';
import { OtherLeads, type Peer, type Store, StoreUnavailable, unavailable } from './store.ts';

/** The seconds after which another replica may lead: since the last renewal, and since the last renewal of a leader whose process has ended. */
const LEASE = 10;
const LEASE_OF_ENDED = 1;

/** The milliseconds within which a write whose connection was lost is repeated. */
const PATIENCE = 3000;

/** The number of rows that are read at a time, and of characters that are written at a time. */
const ROWS = 1000;
const WRITE_SIZE = 1024 * 1024;

type Part = readonly [removed: string[], names: string[], texts: string[]];

/** Rows in PostgreSQL that several replicas share. At any time, at most one replica leads, and only the leader reads and writes. */
export class PostgresStore implements Store {
  readonly #pool: Pool;
  /** Each lead has its own ID. Otherwise, a TAKE that the database runs late would look like a write of the lead that it has become. */
  #id = secret();
  #version = 0;
  /** The last time at which this replica led for certain. */
  #renewed = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;

  private constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Creates the tables if they do not exist. Also returns the address of this machine that the database sees. Throws StateFileError. */
  static async connect(url: string, name: string): Promise<{ readonly store: PostgresStore; readonly host: string }> {
    const { Pool } = (
      await import('pg').catch(() => {
        throw new StateFileError('--state with PostgreSQL needs the package pg; install it with: npm install pg@8');
      })
    ).default;
    // The server's session has no state, so that PgBouncer can be between this process and the server.
    const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 3000, allowExitOnIdle: true });
    // Without listeners, a lost connection would end the process. The next query opens a new connection.
    pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}));
    try {
      await pool.query(TABLES);
      const client = await pool.connect();
      const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
      client.release();
      return { store: new PostgresStore(pool), host: stream.localAddress ?? '127.0.0.1' };
    } catch (error) {
      await pool.end();
      throw new StateFileError(
        `The state in ${name} cannot be opened: ${unavailable(error).message}; check the URL, and that the database runs.`,
      );
    }
  }

  /** Makes this replica the leader. `ended` is a replica whose process has ended. Throws StoreUnavailable. */
  async lead({ host, port, token }: Peer, ended: Peer | undefined): Promise<this> {
    const began = elapsed();
    const leases = [LEASE, ended?.token, LEASE_OF_ENDED];
    this.#id = secret();
    const { rows } = await this.#query(TAKE, [this.#id, host, port, token, FORMAT, ...leases]);
    const taken = rows[0];
    if (!taken) throw new OtherLeads(await this.#leader());
    this.#version = taken.version;
    this.#renewed = began;
    setSystemTime(Math.ceil(taken.now));
    return this;
  }

  /** Records that this replica still leads. A write does so itself, and locks the row until then. Throws StoreUnavailable. */
  renew(): Promise<void> {
    this.#renewing ??= (this.#writing ?? this.#renew()).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const began = elapsed();
    const renewal = 'UPDATE giftcard_sandbox_lead SET renewed = clock_timestamp() WHERE id = $1';
    const { rowCount } = await this.#query(renewal, [this.#id]);
    if (rowCount === 0) throw new OtherLeads(await this.#leader());
    this.#renewed = began;
  }

  /** Returns true if no other replica led at the time `since`, even one that takes this process for ended. */
  ledAt(since: number): boolean {
    return since - this.#renewed < LEASE_OF_ENDED * 1000;
  }

  /** True while it is too early to give the lead up, because the next renewal may succeed. */
  get mayLead(): boolean {
    return elapsed() - this.#renewed < (LEASE / 2) * 1000;
  }

  async *rows(): AsyncGenerator<readonly (readonly [string, string])[]> {
    const text = 'SELECT name, text FROM giftcard_sandbox_rows WHERE name > $1 ORDER BY name LIMIT $2';
    for (let last = ''; ; ) {
      const { rows } = await this.#query({ text, rowMode: 'array' } as QueryConfig, [last, ROWS]);
      // Reading and restoring many rows takes longer than a lease.
      if (rows.length === 0 || !this.ledAt(elapsed())) await this.renew();
      if (rows.length === 0) return;
      yield rows as unknown as (readonly [string, string])[];
      last = rows.at(-1)[0];
    }
  }

  async keys(prefix: string): Promise<string[]> {
    const all = 'SELECT name FROM giftcard_sandbox_rows WHERE name >= $1 AND name < $2';
    const { rows } = await this.#query(all, [prefix, `${prefix}\uffff`]);
    return rows.map(({ name }) => name);
  }

  async write(rows: ReadonlyMap<string, string | undefined>): Promise<void> {
    const parts = partsOf(rows);
    if (parts.length === 0) return;
    this.#writing = this.#writeParts(parts).finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** If the connection is lost during a commit, the version shows whether the rows were written. */
  async #writeParts(parts: readonly Part[]): Promise<void> {
    const target = this.#version + parts.length;
    const end = elapsed() + PATIENCE;
    for (let isUnsure = false; ; ) {
      const began = elapsed();
      try {
        if ((isUnsure && (await this.#isWritten(target))) || (await this.#append(parts))) {
          this.#version = target;
          this.#renewed = began;
          return;
        }
        if (!isUnsure) throw new OtherLeads(await this.#leader());
      } catch (error) {
        if (error instanceof StoreUnavailable || !isLost(error as Error) || elapsed() > end) throw error;
        isUnsure = true;
        await pause(50);
      }
    }
  }

  /** Lets another replica lead at once. */
  async close(): Promise<void> {
    this.#renewed = Number.NEGATIVE_INFINITY;
    const release = "UPDATE giftcard_sandbox_lead SET renewed = '-infinity' WHERE id = $1 AND version = $2";
    await this.#query(release, [this.#id, this.#version]).catch(() => {}); // Without a connection, the lease ends by itself.
  }

  /** Closes all connections. */
  end(): Promise<void> {
    return this.#pool.end();
  }

  /** Returns false if this replica does not lead any more, or if the rows are already written. */
  async #append(parts: readonly Part[]): Promise<boolean> {
    if (parts.length === 1) return this.#appendPart(this.#pool, parts[0] as Part, 0);
    const client = await this.#pool.connect();
    try {
      // If this machine disappears, the transaction must not lock the row of the leader for ever.
      await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${LEASE}s'`);
      let isExpected = true;
      for (const [index, part] of parts.entries()) isExpected &&= await this.#appendPart(client, part, index);
      await client.query(isExpected ? 'COMMIT' : 'ROLLBACK');
      client.release();
      return isExpected;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }

  async #appendPart(connection: Pick<Pool, 'query'>, part: Part, index: number): Promise<boolean> {
    const lists = part.map((lines) => lines.join('\n'));
    const { rowCount } = await connection.query(WRITE, [this.#id, this.#version + index, systemTime(), ...lists]);
    return rowCount === 1;
  }

  async #isWritten(target: number): Promise<boolean> {
    const { rows } = await this.#pool.query('SELECT id, version::float8 FROM giftcard_sandbox_lead');
    const { id, version } = rows[0] ?? {};
    if (id !== this.#id || (version !== target && version !== this.#version))
      throw new StoreUnavailable('The connection was lost during a write, and now another replica leads');
    return version === target;
  }

  async #leader(): Promise<Peer> {
    const { rows } = await this.#query('SELECT host, port, token FROM giftcard_sandbox_lead');
    return rows[0] as Peer;
  }

  #query(query: string | QueryConfig, values: unknown[] = []): Promise<QueryResult> {
    return this.#pool.query(query as string, values).catch((error) => {
      throw unavailable(error);
    });
  }
}

/** Divides rows into parts that one statement can write. */
function partsOf(rows: ReadonlyMap<string, string | undefined>): Part[] {
  const parts: Part[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const [name, text] of rows) {
    if (size > WRITE_SIZE) {
      parts.push([[], [], []]);
      size = 0;
    }
    const [removed, names, texts] = parts.at(-1) as Part;
    if (text === undefined) removed.push(name);
    else {
      names.push(name);
      texts.push(text);
    }
    size += name.length + (text?.length ?? 0);
  }
  return parts;
}

/** Returns true if the connection ended. The server gives classes 08 (connection) and 57 (operator intervention) of SQLSTATE. */
function isLost(error: Error | DatabaseError): boolean {
  return !('severity' in error) || /^(08|57)/.test(error.code ?? '');
}
