import { TOKEN_HEADER } from './own-answers.ts';

/** Headers of one connection (RFC 9110, 7.6.1): each side makes its own. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of an answer without those of the connection. */
export const forwardedBack = (raw: readonly string[]): string[] => without(raw, ofConnection);

/** The headers of a request without those of the connection, the host and the proxy's own token. */
export const forwardedOn = (raw: readonly string[]): string[] =>
  without(raw, new Set([...ofConnection, 'host', 'expect', TOKEN_HEADER]));

/** Raw headers as node has them: names and values in turn. */
function without(raw: readonly string[], names: ReadonlySet<string>): string[] {
  const all = pairs(raw);
  const named = all
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','));
  const left = new Set([...names, ...named.map((name) => name.trim())]);
  return all.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

/** By name in lower case; of a header that is repeated, the last value. */
export const headersOf = (raw: readonly string[]): Record<string, string> =>
  Object.fromEntries(pairs(raw).map(([name, value]) => [name.toLowerCase(), value]));

function pairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}
