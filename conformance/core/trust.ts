import { randomUUID } from 'node:crypto';
import { isLocal, type Target } from '../http/target.ts';
import { Transport } from '../http/transport.ts';

/** The header with which this project's proxy names the service behind it. */
export const TARGET_HEADER = 'x-giftcard-sandbox-proxy-target';

/** The result of an examination. It decides the default mode of a run, the question before it, and its ledger. */
export interface Trust {
  /**
   * `mock`: the target proved to be this project's mock. `near`: the target is on this machine or in this process, but may be a tunnel to a live account.
   * `remote`: the target is on another machine, or is a proxy to another machine.
   */
  readonly place: 'mock' | 'near' | 'remote';
  /** The base URL of the service. Behind this project's proxy, the base URL of the proxy's target. */
  readonly service: string;
  /** Completes the sentence "The target is not treated as the mock, because …". Empty for the mock. */
  readonly because: string;
}

export function trustUnexamined({ url }: Pick<Target, 'url'>): Trust {
  if (isLocal(url)) return { place: 'near', service: url, because: 'it has not been examined' };
  return { place: 'remote', service: url, because: 'it is not on this machine' };
}

/**
 * Examines a target on this machine or in this process. The proof of a mock is one read with a random value, which must then be in the mock's journal. A
 * health check would prove nothing, because a gateway may send /__mock and /api to different servers. The read has no key. Never rejects.
 */
export async function examine(target: Pick<Target, 'url' | 'fetch' | 'responseTimeout'>): Promise<Trust> {
  const { url } = target;
  const unexamined = trustUnexamined(target);
  if (unexamined.place === 'remote') return unexamined;
  const transport = new Transport(target);
  const read = (path: string) => transport.send({ method: 'GET', path, headers: {}, text: undefined }).catch(() => undefined);
  try {
    const nonce = randomUUID();
    const response = await read(`/api/Company/Profile?nonce=${nonce}`);
    const service = serviceNamedBy(response?.headers) ?? url;
    if (!isLocal(service)) return { place: 'remote', service, because: `it is a proxy to ${service}` };
    const journal = response && (await read('/__mock/journal'));
    if (journal?.body.includes(nonce)) return { place: 'mock', service, because: '' };
    if (!journal) return { place: 'near', service, because: 'it gave no response' };
    const listing = journal.status === 200 ? 'does not list requests to /api' : `returned ${journal.status}`;
    return { place: 'near', service, because: `GET /__mock/journal ${listing}` };
  } finally {
    await transport.close();
  }
}

/** Returns the base URL in the proxy's header. A value that is not a URL counts as missing, because the header can only lower trust. */
function serviceNamedBy(headers: Readonly<Record<string, string>> = {}): string | undefined {
  const named = headers[TARGET_HEADER];
  return named !== undefined && URL.canParse(named) ? named.replace(/\/+$/, '') : undefined;
}
