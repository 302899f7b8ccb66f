import { shellQuoted } from '../../mock/journal/curl.ts';
import type { Mock } from '../../mock/server/mock.ts';
import { isPostgres } from '../../mock/server/options.ts';
import { version } from '../../mock/server/version.ts';
import type { Paint } from '../color.ts';

type Row = readonly [label: string, text: string];

/** Other accounts are only counted. */
const MOST_ACCOUNTS = 20;
const NO_KEY = '(no usable key)';

/** Returns the text that a started mock prints on stdout. Without a terminal, the first line is the base URL, for scripts. */
export function banner(mock: Mock, isTerminal: boolean, paint: Paint): string {
  const facts = [dashboardRows, keyRows, seedRows, behaviorRows, stateRows].flatMap((rowsOf) => rowsOf(mock, paint));
  if (!isTerminal) return `${mock.url}\n${table([...facts, ...hintRows(mock)], paint)}`;
  const head = `${paint('bold', 'giftcard-sandbox')} ${paint('dim', version)}`;
  const groups = [[['API', paint('cyan', mock.url)] as const, ...facts], hintRows(mock)];
  return `\n${[head, ...groups.map((rows) => table(rows, paint).replace(/^/gm, '  ').trimEnd())].join('\n\n')}\n\n`;
}

function table(rows: readonly Row[], paint: Paint): string {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `${paint('dim', label.padEnd(width))}  ${text}\n`).join('');
}

function dashboardRows({ dashboardUrl, controlToken }: Mock, paint: Paint): Row[] {
  if (dashboardUrl === undefined) return [];
  const row: Row = ['Dashboard', paint('cyan', dashboardUrl)];
  if (controlToken === undefined) return [row];
  return [row, ['Token', `${controlToken}   for the header x-sandbox-token, and for more browsers: the address works once`]];
}

function keyRows({ accounts }: Mock, paint: Paint): Row[] {
  const shown = accounts.slice(0, MOST_ACCOUNTS).map(({ apiKey, ...account }) => ({ ...account, key: apiKey ?? NO_KEY }));
  const width = Math.max(...shown.map(({ key }) => key.length));
  const rows = shown.map(({ id, plan, currency, key }): Row => {
    return ['API key', `${paint(key === NO_KEY ? 'dim' : 'green', key.padEnd(width))}   ${[id, plan, currency].join(' · ')}`];
  });
  const others = accounts.length - shown.length;
  return others > 0 ? [...rows, ['', `and ${others} more accounts`]] : rows;
}

function seedRows({ seed, state }: Mock): Row[] {
  // A replica that follows another one does not know their seed.
  return isPostgres(state?.path) && state?.wasThere ? [] : [['Seed', String(seed)]];
}

function behaviorRows({ controlUrl, variant: { differing, overrides } }: Mock): Row[] {
  if (differing + overrides === 0) return [];
  const counts = [differing > 0 && `${differing} not the default`, overrides > 0 && `overrides: ${overrides}`].filter(Boolean);
  const where = controlUrl === undefined ? '' : `   ${controlUrl}/__mock/behaviors`;
  return [['Behaviors', counts.join(', ') + where]];
}

function stateRows({ state }: Mock): Row[] {
  if (!state) return [];
  const { path, wasThere } = state;
  const loaded = `loaded from ${path}; --world, --variant, --vary and --seed apply after a reset`;
  return [['State', wasThere ? loaded : `${path} is new; every change is kept there`]];
}

function hintRows({ url, controlUrl, accounts }: Mock): Row[] {
  const key = accounts.find(({ apiKey }) => apiKey !== null)?.apiKey;
  return [
    ...(key ? [['Try', `curl -H ${shellQuoted(`x-api-key: ${key}`)} ${url}/api/GiftCard/List`] as const] : []),
    ...(controlUrl === undefined ? [] : [['Docs', `${controlUrl}/__mock/#//reference`] as const]),
  ];
}
