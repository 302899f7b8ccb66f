import type { Session } from './session.ts';
import { arraysIn } from './structure.ts';
import { TransportError, Untested } from './verdict.ts';

/** One GET before anything is created: is somebody there, and is the key taken? Answers with the trouble, or with nothing. */
export async function preflight({ target, client }: Pick<Session, 'target' | 'client'>): Promise<string | undefined> {
  try {
    const { status } = await client.send({ method: 'GET', path: '/api/GiftCard/List', query: { pageSize: 1 } });
    if (status === 401 || status === 403)
      return `The target ${target.url} refuses the key: GET /api/GiftCard/List answered ${status}.`;
    return undefined;
  } catch (error) {
    if (error instanceof TransportError) return `The target ${target.url} could not be reached: ${error.message}.`;
    if (error instanceof Untested) return `The target ${target.url} lets no request through: ${error.message}.`;
    throw error;
  }
}

/** How many webhooks the account has; how the list is wrapped is open, so that its outermost array counts, and an answer without one says nothing. */
export async function webhooksPresent({ client }: Pick<Session, 'client'>): Promise<number | 'unknown'> {
  const { status, json } = await client.send({ method: 'GET', path: '/api/Webhook/List' });
  return status === 200 ? (arraysIn(json)[0]?.items.length ?? 'unknown') : 'unknown';
}
