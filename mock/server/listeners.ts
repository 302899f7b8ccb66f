import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { secret, systemTime } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import { type Guard, hostCheck, keptBytesOf } from '../control/guard.ts';
import { isForCard, opensBaseUrl, pathOf } from '../dashboard/addresses.ts';
import { plainResponse } from '../dashboard/page-response.ts';
import { type SignIn, signInHandler } from '../dashboard/sign-in.ts';
import { isLoopbackHost } from '../domain/webhooks.ts';
import { connectionClosed } from '../faults/break-response.ts';
import { DEFECT, LARGEST_BODY, type ServiceRequest, type ServiceResponse, UNAVAILABLE } from '../pipeline/exchange.ts';
import { serve } from '../pipeline/handle.ts';
import { StoreUnavailable } from '../store/store.ts';
import type { ForwardedCall, Handle } from './call.ts';
import { fetchFrom, OWN_HOST } from './fetch.ts';
import { type DatedResponse, type KeptBytes, type Listener, listen, type RequestHandler } from './http.ts';
import type { MockOptions } from './options.ts';

type Fetch = ReturnType<typeof fetchFrom>;
type Handled = ReturnType<RequestHandler>;

/** The ways to reach a sandbox: URLs for clients with sockets, functions for callers in this process. */
export interface Listeners {
  readonly url: string;
  /** Undefined if the control API is off. */
  readonly controlUrl: string | undefined;
  readonly controlToken: string | undefined;
  readonly dashboardUrl: string | undefined;
  readonly fetch: Fetch;
  /** Sends a request to the control API in this process, even if clients cannot use the control API. */
  readonly control: Fetch;
  close(): Promise<void>;
}

/** Opens the sockets, then waits for `ready`. Requests that arrive earlier wait, too. If a socket cannot listen, rejects with node's error. */
export async function openListeners(
  sandbox: Sandbox,
  options: MockOptions,
  ready: (handle: Handle) => Promise<void>,
): Promise<Listeners> {
  const { host = '127.0.0.1', controlPort, control = true, publicUrl, allowHosts = [] } = options;
  const guard: Guard = { hosts: [], token: isLoopbackHost(host) ? undefined : (options.controlToken ?? secret()) };
  const publicHosts = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const ofService: Guard = { ...guard, hosts: [...publicHosts, ...allowHosts.map((name) => name.toLowerCase())] };
  const code = secret();
  const signIn = guard.token === undefined ? undefined : signInHandler(guard.token, code);
  const isShared = control && controlPort === undefined;
  const { service, controlApi, atControlPort, ofPeer } = handlersOf(sandbox, guard, ofService, isShared, signIn);
  const keptBytes: KeptBytes = (head) => (isForControl(head) ? keptBytesOf(head, guard) : LARGEST_BODY);

  let opening: Promise<void> | undefined;
  const refusalOf = hostCheck(ofService);
  // Calls in this process have any host, because no web page sends them.
  const overSocket =
    (handler: RequestHandler): RequestHandler =>
    (request) => {
      const refusal = isForControl(request) || isForCard(request) ? undefined : refusalOf(request);
      if (refusal) return { response: plainResponse(403, refusal), at: systemTime() };
      return opening ? opening.catch(() => {}).then(() => handler(request)) : handler(request);
    };
  const sockets: Listener[] = [];
  const closeSockets = async () => void (await Promise.all(sockets.map((socket) => socket.close())));
  const listenAt = async (handler: RequestHandler, port: number) => {
    const socket = await listen(overSocket(handler), keptBytes, host, port);
    sockets.push(socket);
    return urlOf(socket);
  };
  let url = `http://${OWN_HOST}`;
  let controlUrl: string | undefined;
  const open = async () => {
    if (options.listen !== false) sandbox.cardPages.origin = url = await listenAt(service, options.port ?? 0);
    if (publicUrl !== undefined) sandbox.cardPages.origin = new URL(publicUrl).origin;
    if (controlPort !== undefined) controlUrl = await listenAt(atControlPort, controlPort);
    else if (isShared) controlUrl = url;
    await ready(ofPeer);
  };
  try {
    opening = open();
    await opening;
    opening = undefined;
  } catch (error) {
    await closeSockets();
    throw error;
  }
  const closing = new AbortController();
  const { signal } = closing;
  setMaxListeners(0, signal); // Every running call of the two functions listens.
  const ownControl = controlPort === undefined ? undefined : controlUrl;
  return {
    url,
    controlUrl,
    controlToken: guard.token,
    dashboardUrl: controlUrl && `${controlUrl}/__mock/${signIn ? `sign-in?code=${code}` : ''}`,
    fetch: fetchFrom((origin) => (origin === ownControl ? atControlPort : service), keptBytes, signal),
    control: fetchFrom(() => controlApi, keptBytes, signal),
    close: async () => {
      closing.abort(connectionClosed());
      await closeSockets();
    },
  };
}

function isForControl({ target }: Pick<ServiceRequest, 'target'>): boolean {
  return target.startsWith('/__mock/') || target === '/__mock';
}

function handlersOf(sandbox: Sandbox, guard: Guard, ofService: Guard, isShared: boolean, signIn?: SignIn) {
  const handle: Handle = (call) => (call.guard ? serveControl(sandbox, call.request, call.guard) : serve(sandbox, call.request));
  const controlApi = withDefects(sandbox, (request) => {
    if (opensBaseUrl(request)) return { response: TO_DASHBOARD, at: systemTime() };
    if (signIn && pathOf(request) === '/__mock/sign-in') return { response: signIn(request), at: systemTime() };
    const call = { request, guard };
    const isHealth = /^\/__mock\/health(\?|$)/.test(request.target); // Handled even while the state cannot be stored.
    return handleStored(sandbox, call, handle, isHealth ? () => handle(call) : unavailable);
  });
  const service = withDefects(sandbox, (request) => {
    if (isShared && opensBaseUrl(request)) return { response: TO_DASHBOARD, at: systemTime() };
    if (isShared && isForControl(request)) return controlApi(request);
    return handleStored(sandbox, { request, guard: isForCard(request) ? ofService : undefined }, handle, unavailable);
  });
  // The dashboard sends requests to the service at its own origin.
  const atControlPort: RequestHandler = (request) =>
    request.target.startsWith('/api/') ? service(request) : controlApi(request);
  const ofPeer: Handle = async (call) => joined(await withDefects(sandbox, () => handle(call))(call.request));
  return { service, controlApi, atControlPort, ofPeer };
}

/** Needs no token, because a browser sends the cookie only below /__mock. */
const TO_DASHBOARD: ServiceResponse = { status: 302, headers: { location: '/__mock/', vary: 'accept' }, body: '' };

async function serveControl(sandbox: Sandbox, request: ServiceRequest, guard: Guard): Promise<DatedResponse> {
  const { handleControl: control } = await import('../control/control.ts');
  return { response: await control(sandbox, request, guard), at: systemTime() };
}

/** Handles a request. With a store, delays the response until the changes of the request are in the store. While that is impossible, calls `otherwise`. */
function handleStored(
  { rows: { persistence } }: Sandbox,
  call: ForwardedCall,
  handle: Handle,
  otherwise: () => Handled,
): Handled {
  if (!persistence) return handle(call);
  return persistence
    .respond(call, () => handle(call))
    .catch((error) => {
      if (error instanceof StoreUnavailable) return otherwise();
      throw error;
    });
}

function unavailable(): DatedResponse {
  return { response: UNAVAILABLE, at: systemTime() };
}

/** Joins the parts of a large body, because a message between replicas has no parts. */
async function joined({ response: { parts, ...response }, ...rest }: DatedResponse): Promise<DatedResponse> {
  if (parts instanceof Readable) parts.destroy();
  if (!parts || parts instanceof Readable) return { ...rest, response };
  return { ...rest, response: { ...response, body: Buffer.concat(await Readable.from(parts).toArray()) } };
}

/** Returns 500 if the handler throws, so that no request can end the process. */
function withDefects(sandbox: Sandbox, handler: RequestHandler): RequestHandler {
  return (request) => {
    const defect = (error: unknown): DatedResponse => {
      sandbox.defect(error, request);
      return { response: DEFECT, at: systemTime() };
    };
    try {
      const response = handler(request);
      return response instanceof Promise ? response.catch(defect) : response;
    } catch (error) {
      return defect(error);
    }
  };
}

/** Returns an address that a client on this machine can use. 0.0.0.0 and :: mean every address. */
function urlOf({ host, port }: Listener): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
