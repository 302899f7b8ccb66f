import { Clock, secret } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Guard } from '../control/guard.ts';
import { isForControl } from '../control/is-for-control.ts';
import { DEFECT } from '../pipeline/exchange.ts';
import { fetchFrom, OWN_HOST } from './fetch.ts';
import { type Answerer, type Dated, type Listener, listen } from './http.ts';
import { isLoopback } from './loopback.ts';
import type { MockOptions } from './options.ts';

type Fetch = ReturnType<typeof fetchFrom>;

/** The ways into a sandbox: over sockets, and past them. */
export interface Doors {
  readonly url: string;
  /** Undefined when the control door is closed. */
  readonly controlUrl: string | undefined;
  readonly controlToken: string | undefined;
  /** Asks as somebody would over a socket. */
  readonly fetch: Fetch;
  /** Asks the control door at `http://OWN_HOST`, open or closed; for whoever holds the mock. */
  readonly control: Fetch;
  /** Nobody can ask over a socket from here on. */
  close(): Promise<void>;
}

/** Opens them; whoever comes before `ready` waits for it. Rejects with node's error where it cannot listen, and nothing is listened to then. */
export async function openDoors(sandbox: Sandbox, options: MockOptions, ready: () => Promise<void>): Promise<Doors> {
  const { host = '127.0.0.1', controlPort, control = true } = options;
  const guard: Guard = { hosts: [OWN_HOST], token: isLoopback(host) ? undefined : (options.controlToken ?? secret()) };
  const machine = new Clock();
  const isShared = control && controlPort === undefined;
  // Loaded for the first who comes, since a start does not need it.
  const atControl = unbroken(sandbox, machine, async (request) => {
    const { control: answerTo } = await import('../control/control.ts');
    return { answer: await answerTo(sandbox, request, guard), at: machine.now() };
  });
  const atService = unbroken(sandbox, machine, (request) => {
    if (isShared && isForControl(request)) return atControl(request);
    const { answer, holder, fault } = sandbox.handle(request);
    return { answer, at: (holder?.account.clock ?? machine).now(), fault };
  });

  let opening: Promise<void> | undefined;
  const opened = (answerer: Answerer): Answerer => {
    return (request) => (opening ? opening.then(() => answerer(request)) : answerer(request));
  };
  const listeners: Listener[] = [];
  const close = async () => void (await Promise.all(listeners.map((listener) => listener.close())));
  let url = `http://${OWN_HOST}`;
  let controlUrl = isShared ? url : undefined;
  try {
    let arrived = () => {};
    opening = new Promise((resolve) => {
      arrived = resolve;
    });
    if (options.listen !== false) {
      listeners.push(await listen(opened(atService), host, options.port ?? 0));
      url = addressOf(listeners[0] as Listener);
      if (isShared) controlUrl = url;
    }
    if (controlPort !== undefined) {
      listeners.push(await listen(opened(atControl), host, controlPort));
      controlUrl = addressOf(listeners.at(-1) as Listener);
    }
    await ready();
    arrived();
    opening = undefined;
  } catch (error) {
    await close();
    throw error;
  }
  let isOpen = true;
  const whileOpen = (fetch: Fetch): Fetch => {
    return (input, init) =>
      isOpen ? fetch(input, init) : Promise.reject(new TypeError('The sandbox is closed; start another one with startMock.'));
  };
  const ownControl = controlPort === undefined ? undefined : controlUrl;
  return {
    url,
    controlUrl,
    controlToken: guard.token,
    fetch: whileOpen(fetchFrom(atService, (origin) => (origin === ownControl ? atControl : atService))),
    control: whileOpen(fetchFrom(atControl)),
    close: async () => {
      isOpen = false;
      await close();
    },
  };
}

/** Answers also where the answerer breaks; nothing that a caller sends ends the process. */
function unbroken(sandbox: Sandbox, machine: Clock, answerer: Answerer): Answerer {
  return (request) => {
    const broken = (error: unknown): Dated => {
      sandbox.defect(error, request);
      return { answer: DEFECT, at: machine.now() };
    };
    try {
      const dated = answerer(request);
      return dated instanceof Promise ? dated.catch(broken) : dated;
    } catch (error) {
      return broken(error);
    }
  };
}

/** An address that a client on this machine can use, also where every address is listened to. */
function addressOf({ host, port }: Listener): string {
  const reached = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
