import type { Server } from './server.ts';
import type { Request } from './wrk.ts';

export interface Row {
  readonly name: string;
  /** What it is called on the command line. */
  readonly short: string;
  /** What we hold ourselves to, as a share of the bare server's requests per second. */
  readonly limit: number;
  request(mock: Prepared): Request;
}

/** What the requests need to know of a mock that has enough cards for a full page. */
export interface Prepared {
  readonly headers: Readonly<Record<string, string>>;
  readonly code: string;
}

/** Of the default world's first account. */
export const KEY = 'sandbox-key-main-not-a-real-key';

const body = JSON.stringify({ balance: 25, recipientName: 'Robin Sample', recipientEmailAddress: 'robin@example.com' });

export const rows: readonly Row[] = [
  {
    name: 'GetByCode',
    short: 'get',
    limit: 0.7,
    request: ({ headers, code }) => ({ method: 'GET', target: `/api/GiftCard/GetByCode/${code}`, headers }),
  },
  {
    name: 'Create',
    short: 'create',
    limit: 0.4,
    request: ({ headers }) => ({ method: 'POST', target: '/api/GiftCard/Create', headers, body }),
  },
  {
    name: 'List of 50',
    short: 'list',
    limit: 0.5,
    request: ({ headers }) => ({ method: 'GET', target: '/api/GiftCard/List?pageSize=50', headers }),
  },
];

/** Makes the cards of one full page, and returns the code of the last one. */
export async function prepare({ url }: Server): Promise<Prepared> {
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  let code = '';
  for (let made = 0; made < 50; made++) {
    const answer = await fetch(`${url}/api/GiftCard/Create`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`The mock did not create a card: ${answer.status} ${await answer.text()}`);
    code = ((await answer.json()) as { code: string }).code;
  }
  return { headers, code };
}
