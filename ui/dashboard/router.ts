import { signal } from '@preact/signals';
import { decodedOf } from '../components/decoded.ts';

/** What the page shows. The address has all of it: `#/ACCOUNT/VIEW?filters&selected=ID`. */
interface Route {
  /** Empty before an account is chosen. */
  readonly account: string;
  readonly view: string;
  /** Filters, and the ID of the selected record as `selected`. */
  readonly query: URLSearchParams;
}

function parse(hash: string): Route {
  const [, path = '', search = ''] = /^#?\/?([^?]*)\??(.*)$/.exec(hash) ?? [];
  const [account = '', view = ''] = path.split('/').map(decodedOf);
  return { account, view: view || 'cards', query: new URLSearchParams(search) };
}

export const route = signal(parse(location.hash));

addEventListener('popstate', () => {
  route.value = parse(location.hash);
});

export interface RouteChange {
  readonly account?: string;
  readonly view?: string;
  /** Values of the query; null removes a value. Values that are not named stay, unless account or view change. */
  readonly query?: Readonly<Record<string, string | null>>;
}

/** Returns the address of the present route with changes, for a link. */
export function hrefOf({ account = route.value.account, view = route.value.view, query = {} }: RouteChange): string {
  const isSame = account === route.value.account && view === route.value.view;
  const values = new URLSearchParams(isSame ? route.value.query : undefined);
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === '') values.delete(name);
    else values.set(name, value);
  }
  const search = values.size > 0 ? `?${values}` : '';
  return `#/${encodeURIComponent(account)}/${view}${search}`;
}

/** Goes to another route. With `replace`, Back skips the present route: for filters while the user types. */
export function go(change: RouteChange, replace = false): void {
  const href = hrefOf(change);
  if (href === location.hash) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  route.value = parse(href);
}
