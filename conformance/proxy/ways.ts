import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';

interface Way {
  readonly agent: HttpAgent | HttpsAgent;
  underWay: number;
  /** Something of an answer has gone back already. */
  isAnswering: boolean;
  readonly watched: WeakSet<Socket>;
}

/** Each connection of a client has one of its own to the target, so that requests that follow each other arrive so, and what the target closes is closed. */
export class Ways {
  readonly #isTls: boolean;
  readonly #known = new WeakMap<Socket, Way>();

  constructor(isTls: boolean) {
    this.#isTls = isTls;
  }

  known(socket: Socket): Way | undefined {
    return this.#known.get(socket);
  }

  of(socket: Socket): Way {
    const known = this.#known.get(socket);
    if (known) return known;
    const settings = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1 };
    const way: Way = {
      agent: this.#isTls ? new HttpsAgent(settings) : new HttpAgent(settings),
      underWay: 0,
      isAnswering: false,
      watched: new WeakSet(),
    };
    this.#known.set(socket, way);
    socket.once('close', () => way.agent.destroy());
    return way;
  }
}
