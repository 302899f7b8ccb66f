import type { Session } from './session.ts';
import { arraysIn } from './structure.ts';
import { TransportError, Untested } from './verdict.ts';

type Way = Pick<Session, 'target' | 'client'>;

/** What came of looking at a target: a value, or the trouble in a sentence. */
export type Looked<T> =
  | { readonly value: T; readonly trouble?: undefined }
  | { readonly trouble: string; readonly value?: undefined };

/** Looks before anything is judged, so that a target that is not there is trouble with it and no fault of the suite. */
export async function looked<T>({ target }: Pick<Way, 'target'>, look: () => Promise<T>): Promise<Looked<T>> {
  try {
    return { value: await look() };
  } catch (error) {
    if (error instanceof TransportError)
      return { trouble: `The target ${target.url} could not be reached: ${error.message}. Is it running, and at this address?` };
    if (error instanceof Untested) return { trouble: `The target ${target.url} lets no request through: ${error.message}.` };
    throw error;
  }
}

/** One GET before anything is created: is somebody there, and is the key taken? Answers with the trouble, or with nothing. */
export async function preflight(way: Way): Promise<string | undefined> {
  const found = await looked(way, () => way.client.send({ method: 'GET', path: '/api/GiftCard/List', query: { pageSize: 1 } }));
  if (found.trouble !== undefined) return found.trouble;
  const { status } = found.value;
  if (status !== 401 && status !== 403) return undefined;
  return `The target ${way.target.url} refuses the key: GET /api/GiftCard/List answered ${status}. Look at the environment variable that holds it, and whether the key is of this target.`;
}

/** How many webhooks the account has; how the list is wrapped is open, so that its outermost array counts, and an answer without one says nothing. */
export function webhooksPresent(way: Way): Promise<Looked<number | 'unknown'>> {
  return looked(way, async () => {
    const { status, json } = await way.client.send({ method: 'GET', path: '/api/Webhook/List' });
    return status === 200 ? (arraysIn(json)[0]?.items.length ?? 'unknown') : 'unknown';
  });
}
