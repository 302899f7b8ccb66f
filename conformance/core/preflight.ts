import { isNotReady, type TargetResponse, TransportError, withoutPath } from '../http/exchange.ts';
import { arraysIn } from '../http/json-search.ts';
import type { Target } from '../http/target.ts';
import { listPath, shortList } from '../safety/card-search.ts';
import { Untested } from '../safety/policy.ts';
import type { Session } from './session.ts';
import { excerpt } from './text.ts';

type Connection = Pick<Session, 'target' | 'client'>;

type ReadResult<T> =
  | { readonly value: T; readonly trouble?: undefined }
  | { readonly trouble: string; readonly value?: undefined };

export const baseUrlHint = 'Check the base URL: the suite appends /api/… to this URL.';

/** Reads from the target. Returns a sentence if the target cannot be reached. Throws any other error. */
export async function tryRead<T>({ target: { url } }: Pick<Session, 'target'>, look: () => Promise<T>): Promise<ReadResult<T>> {
  try {
    return { value: await look() };
  } catch (error) {
    if (error instanceof Untested) return { trouble: `The target ${url} accepts no request: ${error.message}.` };
    if (!(error instanceof TransportError)) throw error;
    const tls = error.cut && url.startsWith('http:') ? ' If the target uses TLS, give its https URL.' : '';
    return {
      trouble: `The target ${url} could not be reached: ${error.message}.${tls} Check that the target is running at this address.`,
    };
  }
}

/** Reads from the target before the run creates anything. Resolves with a sentence if the target is not the service, does not respond, or refuses the key. */
export async function preflight(connection: Connection): Promise<string | undefined> {
  const { value, trouble } = await tryRead(connection, async () => {
    const response = await firstList(connection);
    return whyUntestable(response, connection.target) ?? whyNotService(connection, response);
  });
  return trouble ?? value;
}

function whyUntestable({ status, headers }: TargetResponse, { url, keyVariable }: Target): string | undefined {
  const says = `GET ${listPath} returned ${status}`;
  if (status === 401 || status === 403)
    return `The target ${url} refuses the key${keyVariable === undefined ? '' : ` in ${keyVariable}`}: ${says}. Check that the key belongs to this target.`;
  if ([301, 302, 303, 307, 308].includes(status)) {
    // The rest of the location may contain secrets.
    const origin = URL.canParse(headers.location ?? '', url) ? new URL(headers.location ?? '', url).origin : 'nowhere';
    return `The target ${url} redirects to ${origin}: ${says}. The suite does not send the key to another address. Give the URL of the service itself.`;
  }
  return isNotReady(status)
    ? `The target ${url} is not ready: ${says} twice, as a load balancer does when the service is down.`
    : undefined;
}

/** Other reads that a half-finished server without a list may respond to. The code belongs to no card. */
const otherReads = ['/api/GiftCard/GetByCode/GCSNONE', '/api/Company/Profile', '/api/Webhook/List'];

/**
 * Returns a sentence if no read shows the service. A list shows the service, as does 401 without a key. So do responses in JSON and refusals, unless the target
 * responds to every path alike. A half-finished server may return 404 to most reads.
 */
async function whyNotService({ client, target: { url } }: Connection, list: TargetResponse): Promise<string | undefined> {
  if (list.status === 200 && Array.isArray((list.json as { giftCards?: unknown } | null)?.giftCards)) return undefined;
  // A service may refuse unknown paths without a key, too, so 401 does not show that the path of the base URL is right.
  const hasPath = new URL(url).pathname !== '/';
  const responses: TargetResponse[] = [];
  for (const path of [listPath, ...otherReads]) {
    responses.push(path === listPath ? list : await client.send({ method: 'GET', path }));
    if (responses.some(mayBeOfService) && new Set(responses.map(withoutPath)).size > 1) return undefined;
    if (!hasPath && (await client.send({ method: 'GET', path, key: null })).status === 401) return undefined;
  }
  return `The target ${url} is not the service, or does not work: GET ${listPath} returned ${list.status} "${excerpt(list.exchange.body, 60)}", and no other GET returns a response of the service. ${baseUrlHint}`;
}

const mayBeOfService = ({ status, json, body }: TargetResponse): boolean =>
  status === 200 ? typeof json === 'object' && json !== null : status >= 400 && status < 500 && !/^\s*</.test(body);

async function firstList({ client }: Connection): Promise<TargetResponse> {
  const response = await client.send(shortList);
  if (!isNotReady(response.status)) return response;
  await client.rate.wait(1_000, 'rest');
  return client.send(shortList);
}

/** Returns the number of webhooks on the account. The specification does not say which property contains the list, so the outermost array counts. */
export async function webhooksPresent({ client }: Pick<Session, 'client'>): Promise<number | 'unknown'> {
  const { status, json } = await client.send({ method: 'GET', path: '/api/Webhook/List' });
  return status === 200 ? (arraysIn(json)[0]?.items.length ?? 'unknown') : 'unknown';
}
