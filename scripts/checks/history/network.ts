import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { PostgresServer } from '../replicas/harness/postgres.ts';

/** `dropped`: connections stay open, and nothing passes. `rejected`: connections break, and new ones are refused. */
type Link = 'open' | 'dropped' | 'rejected';

/** A TCP proxy that can cut its connections, as a network or a firewall does. */
export class CutProxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #link: Link = 'open';
  port = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** Listens on a free port of this machine. `target` returns the port to which a new connection leads. */
  static async start(target: () => Promise<number>): Promise<CutProxy> {
    const server = createServer({ pauseOnConnect: true });
    const proxy = new CutProxy(server);
    server.on('connection', (socket) => proxy.#pass(socket, target));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    proxy.port = (server.address() as AddressInfo).port;
    onTestFinished(() => proxy.setLink('rejected'));
    return proxy;
  }

  setLink(link: Link): void {
    this.#link = link;
    if (link === 'rejected') this.#server.close();
    else if (!this.#server.listening) this.#server.listen(this.port, '127.0.0.1');
    for (const socket of this.#sockets) {
      if (link === 'rejected') socket.resetAndDestroy();
      else if (link === 'dropped') socket.pause();
      else socket.resume();
    }
  }

  async #pass(from: Socket, target: () => Promise<number>): Promise<void> {
    from.on('error', () => {});
    const port = await target().catch(() => undefined);
    if (port === undefined || this.#link === 'rejected') return void from.resetAndDestroy();
    const to = connect(port, '127.0.0.1').on('error', () => {});
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#sockets.add(one);
      one.on('data', (part) => other.write(part));
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
    }
    for (const each of [from, to])
      if (this.#link === 'open') each.resume();
      else each.pause();
  }
}

/** Milliseconds for which the proxy remembers the leader. Each look at the database is a process of its own. */
const KNOWN_FOR = 200;

/** Makes the replicas of a database reach their leader through a proxy: the database shows the port of the proxy in place of the leader's port. */
export async function proxyToLeader(postgres: PostgresServer, database: string): Promise<CutProxy> {
  let [known, at] = [Promise.resolve(0), 0];
  const leader = () => {
    if (performance.now() - at > KNOWN_FOR)
      [known, at] = [postgres.run(database, 'SELECT port FROM leader_before_proxy').then(Number), performance.now()];
    return known;
  };
  const proxy = await CutProxy.start(leader);
  await postgres.run(
    database,
    `CREATE TABLE leader_before_proxy (port int); INSERT INTO leader_before_proxy VALUES (0);
    CREATE FUNCTION show_proxy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF NEW.port <> ${proxy.port} THEN UPDATE leader_before_proxy SET port = NEW.port; NEW.port := ${proxy.port}; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER show_proxy BEFORE UPDATE OF port ON giftcard_sandbox_lead FOR EACH ROW EXECUTE FUNCTION show_proxy()`,
  );
  return proxy;
}
