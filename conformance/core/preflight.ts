import type { Answer } from '../http/exchange.ts';
import { arraysIn } from '../http/json-search.ts';
import { isNotReady } from '../safety/cleanup-requests.ts';
import { listPath, shortList } from './card-list.ts';
import type { Session } from './session.ts';
import { excerpt } from './text.ts';
import { TransportError, Untested } from './verdict.ts';

type Connection = Pick<Session, 'target' | 'client'>;

/** Why a target cannot be tested. */
interface Trouble {
  /** Completes "The target …". */
  readonly of: string;
  readonly hint?: string;
}

/** The result of reading from a target: a value, or why it cannot be tested. */
export type ReadResult<T> =
  | { readonly value: T; readonly trouble?: undefined }
  | { readonly trouble: Trouble; readonly value?: undefined };

export const baseUrlHint = 'Is this the base URL, to which /api/… is appended?';

export const describeTrouble = ({ of, hint }: Trouble): string => `The target ${of}.${hint === undefined ? '' : ` ${hint}`}`;

/** Reads outside of any check: an unreachable target is reported, not a defect of the suite. */
export async function tryRead<T>({ target }: Pick<Connection, 'target'>, look: () => Promise<T>): Promise<ReadResult<T>> {
  try {
    return { value: await look() };
  } catch (error) {
    if (error instanceof TransportError) {
      const tls = error.cut && target.url.startsWith('http:') ? 'If it uses TLS, give its https URL. ' : '';
      return {
        trouble: {
          of: `${target.url} could not be reached: ${error.message}`,
          hint: `${tls}Is it running, and at this address?`,
        },
      };
    }
    if (error instanceof Untested) return { trouble: { of: `${target.url} accepts no request: ${error.message}` } };
    throw error;
  }
}

/** One GET before anything is created: does the service answer, and does the key work? Resolves with a sentence if not. */
export async function preflight(connection: Connection): Promise<string | undefined> {
  const found = await tryRead(connection, () => firstList(connection));
  if (found.trouble !== undefined) return describeTrouble(found.trouble);
  const answered = found.value;
  const { status } = answered;
  const { url } = connection.target;
  const says = `GET ${listPath} answered ${status}`;
  if (status === 401 || status === 403)
    return `The target ${url} refuses the key: ${says}. Check the environment variable that holds it, and that the key belongs to this target.`;
  if (redirects.has(status))
    return `The target ${url} redirects: ${says}${leadsTo(answered, connection)}. The suite does not follow redirects with the key; give the URL of the service itself.`;
  if (status === 404 && /\/api\/?$/i.test(new URL(url).pathname))
    return `The target ${url} is not the service: ${says}. ${baseUrlHint}`;
  return isNotReady(status)
    ? `The target ${url} is not ready: ${says} twice, as a load balancer does when the service is down.`
    : undefined;
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** The redirect's target without its query, which may contain secrets. */
function leadsTo({ headers: { location = '' } }: Answer, { target }: Connection): string {
  const there = URL.canParse(location, target.url) ? new URL(location, target.url) : undefined;
  const where = there && there.origin + there.pathname;
  return where === undefined || location === '' || where.includes(target.key) ? '' : ` with the location ${excerpt(where)}`;
}

const listOnce = ({ client }: Connection) => client.send(shortList);

/** Repeated once after a second if the service is not ready. */
async function firstList(connection: Connection): Promise<Answer> {
  const answer = await listOnce(connection);
  if (!isNotReady(answer.status)) return answer;
  await connection.client.rate.wait(1_000, 'rest');
  return listOnce(connection);
}

/** The number of webhooks on the account: the length of the outermost array, because the list's wrapper is open. */
export function webhooksPresent(connection: Connection): Promise<ReadResult<number | 'unknown'>> {
  return tryRead(connection, async () => {
    const { status, json } = await connection.client.send({ method: 'GET', path: '/api/Webhook/List' });
    return status === 200 ? (arraysIn(json)[0]?.items.length ?? 'unknown') : 'unknown';
  });
}
