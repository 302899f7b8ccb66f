import { excerpt } from '../http/excerpt.ts';
import type { Answer } from '../http/exchange.ts';
import { arraysIn } from '../http/structure.ts';
import { isNotReady } from '../safety/cleanup-requests.ts';
import { listPath, shortList } from './card-list.ts';
import type { Session } from './session.ts';
import { TransportError, Untested } from './verdict.ts';

type Way = Pick<Session, 'target' | 'client'>;

/** Why nothing was seen of a target. */
interface Trouble {
  /** What goes behind "the target". */
  readonly of: string;
  readonly hint?: string;
}

/** What came of looking at a target: a value, or the trouble with it. */
export type Looked<T> =
  | { readonly value: T; readonly trouble?: undefined }
  | { readonly trouble: Trouble; readonly value?: undefined };

export const troubleTold = ({ of, hint }: Trouble): string => `The target ${of}.${hint === undefined ? '' : ` ${hint}`}`;

/** Looks where nothing is judged, so that a target that is not there is trouble with it and no fault of the suite. */
export async function looked<T>({ target }: Pick<Way, 'target'>, look: () => Promise<T>): Promise<Looked<T>> {
  try {
    return { value: await look() };
  } catch (error) {
    if (error instanceof TransportError) {
      const tls = error.cut && target.url.startsWith('http:') ? 'If it speaks TLS there, give its https URL. ' : '';
      return {
        trouble: {
          of: `${target.url} could not be reached: ${error.message}`,
          hint: `${tls}Is it running, and at this address?`,
        },
      };
    }
    if (error instanceof Untested) return { trouble: { of: `${target.url} lets no request through: ${error.message}` } };
    throw error;
  }
}

/** One GET before anything is created: is somebody there, and is the key taken? Answers with the trouble, or with nothing. */
export async function preflight(way: Way): Promise<string | undefined> {
  const found = await looked(way, () => firstList(way));
  if (found.trouble !== undefined) return troubleTold(found.trouble);
  const answered = found.value;
  const { status } = answered;
  const { url } = way.target;
  const says = `GET ${listPath} answered ${status}`;
  if (status === 401 || status === 403)
    return `The target ${url} refuses the key: ${says}. Look at the environment variable that holds it, and whether the key is of this target.`;
  if (redirects.has(status))
    return `The target ${url} sends everybody elsewhere: ${says}${leadsTo(answered, way)}. The key is not carried there; give the URL at which the service itself answers.`;
  return isNotReady(status)
    ? `The target ${url} is not ready: ${says}, twice, as a load balancer does in the place of a service that is down.`
    : undefined;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Without a query, which may hold anything. */
function leadsTo({ headers: { location = '' } }: Answer, { target }: Way): string {
  const there = URL.canParse(location, target.url) ? new URL(location, target.url) : undefined;
  const where = there && there.origin + there.pathname;
  return where === undefined || location === '' || where.includes(target.key) ? '' : `, and leads to ${excerpt(where)}`;
}

const listOnce = ({ client }: Way) => client.send(shortList);

/** A service that was not ready for a moment is asked once more. */
async function firstList(way: Way): Promise<Answer> {
  const answer = await listOnce(way);
  if (!isNotReady(answer.status)) return answer;
  await way.client.rest(1_000);
  return listOnce(way);
}

/** How many webhooks the account has; how the list is wrapped is open, so that its outermost array counts, and an answer without one says nothing. */
export function webhooksPresent(way: Way): Promise<Looked<number | 'unknown'>> {
  return looked(way, async () => {
    const { status, json } = await way.client.send({ method: 'GET', path: '/api/Webhook/List' });
    return status === 200 ? (arraysIn(json)[0]?.items.length ?? 'unknown') : 'unknown';
  });
}
