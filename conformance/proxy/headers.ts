import { TOKEN_HEADER } from './door.ts';

/** Of one connection only (RFC 9110, 7.6.1): each side makes its own. */
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

/** The headers of an answer as they stand, but for those of the connection; an announcement of trailers only to who can get them. */
export function passedBack(raw: readonly string[], takesTrailers: boolean): string[] {
  const left = leftOut(raw);
  if (takesTrailers && isChunked(raw)) left.delete('trailer');
  return pairs(raw).flatMap(([name, value]) => (left.has(name.toLowerCase()) ? [] : [name, value]));
}

/** The headers of a request as they stand, but for those of the connection and the proxy's own; the host is the target's. */
export function passedOn(method: string, raw: readonly string[], host: string): string[] {
  const left = leftOut(raw);
  left.add(TOKEN_HEADER);
  const inChunks = isChunked(raw);
  if (inChunks) left.delete('trailer');
  let hosted = false;
  const passed = pairs(raw).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    if (lower === 'host') {
      const again = hosted;
      hosted = true;
      return again ? [] : [name, host];
    }
    const takesTrailers = lower === 'te' && value.trim().toLowerCase() === 'trailers';
    return left.has(lower) && !takesTrailers ? [] : [name, value];
  });
  return [
    ...(hosted ? [] : ['Host', host]),
    ...passed,
    ...(inChunks ? ['Transfer-Encoding', 'chunked'] : emptiness(method, raw)),
  ];
}

const isChunked = (raw: readonly string[]) =>
  pairs(raw).some(([name, value]) => name.toLowerCase() === 'transfer-encoding' && /chunked/i.test(value));

/** Node would announce a body where a method may have one and nothing is said of it. */
function emptiness(method: string, raw: readonly string[]): string[] {
  const isSaid = pairs(raw).some(([name]) => name.toLowerCase() === 'content-length');
  return isSaid || ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'].includes(method) ? [] : ['Content-Length', '0'];
}

function leftOut(raw: readonly string[]): Set<string> {
  const named = pairs(raw).flatMap(([name, value]) => (name.toLowerCase() === 'connection' ? value.split(',') : []));
  return new Set([...ofConnection, ...named.map((name) => name.trim().toLowerCase())]);
}

/** As node lists headers and trailers, a name and a value in turn. */
export function pairs(raw: readonly string[]): [name: string, value: string][] {
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) found.push([raw[index] as string, raw[index + 1] as string]);
  return found;
}
