import { masked } from '../log.ts';

/** What stands in the place of a secret. */
export const MASK = '***';

/** Names of properties, parameters and headers whose values nobody may see; an idempotency_key is none. */
const SECRET = /token|secret|password|signature|api[-_]?key|^key$/i;
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Whether one of a query's parameters is named like a secret. */
export function hasSecret(query: string): boolean {
  if (!/token|secret|password|signature|key/i.test(query)) return false;
  return query.split('&').some((part) => SECRET.test(part.split('=', 1)[0] as string));
}

/** The address with `mask` for the values of what is named like a secret. */
export function hiddenInTarget(target: string, mask = MASK): string {
  const text = masked(target);
  return mask === MASK ? text : text.replaceAll(`=${MASK}`, () => `=${mask}`);
}

/** Headers by name, without the length of the body, which is told of elsewhere. Of an authorization its scheme is left. */
export function hiddenInHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'content-length') continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    if (SECRET_HEADERS.has(name)) shown[name] = /^[a-z]+ /i.test(text) ? `${text.split(' ', 1)[0]} ${MASK}` : MASK;
    else shown[name] = SECRET.test(name) ? MASK : text;
  }
  return shown;
}

/** Names and values of JSON, however it is spaced and wherever it was cut. */
const MEMBERS = /"((?:[^"\\]|\\.)*)"(\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|[^\s"{[,}\]]+)/g;
/** The same in what is no JSON: single quotes, none at all, a form. */
const PAIRS = /(?<![\w-])([\w-]+)(["']?\s*[=:]\s*["']?)([^"'&,;\s}]+)/g;

/** What either of the two could find something in: a name of that kind that goes on to its end, or letters that are written as numbers. */
const PERHAPS = /(?:token|secret|password|signature|key)(?:(?:[^"\\]|\\.)*"\s*:|[\w-]*["']?\s*[=:])|\\u/i;

/** A body with `mask` for the values of what is named like a secret. */
export function hiddenInBody(text: string, mask = MASK): string {
  return PERHAPS.test(text) ? hidden(text, mask) : text;
}

/** The same, with a close look at every body; a snapshot of thousands has no time for that. */
export function hidden(text: string, mask: string): string {
  const secrets: string[] = [];
  const isJson = parsed(text, (name, value) => {
    if (SECRET.test(name) && value !== null && typeof value !== 'object' && value !== '' && value !== MASK)
      secrets.push(JSON.stringify(value));
  });
  let shown = text.replace(MEMBERS, (whole, name: string, colon: string) =>
    SECRET.test(name) ? `"${name}"${colon}"${mask}"` : whole,
  );
  if (!isJson)
    shown = shown.replace(PAIRS, (whole, name: string, equals: string) =>
      SECRET.test(name) ? `${name}${equals}${mask}` : whole,
    );
  return secrets.some((secret) => shown.includes(secret)) ? '(not shown: it has a secret under an unusual spelling)' : shown;
}

/** Whether the text is JSON, with every name and value in it told to `visit`. */
function parsed(text: string, visit: (name: string, value: unknown) => void): boolean {
  try {
    JSON.parse(text, (name, value) => {
      visit(name, value);
      return value;
    });
    return true;
  } catch {
    return false;
  }
}
