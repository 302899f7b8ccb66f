/** What stands in the place of a secret. */
export const MASK = '***';

/** Names of properties, parameters and headers whose values nobody may see; an idempotency_key is none. */
const NAMES = 'token|secret|password|signature|credential|authorization|cookie|(?<!idempotency[-_]?)key';
const NAME = new RegExp(NAMES, 'i');
/** Such a name in JSON with the rest of its text and what makes that a name; consumed at once, so that no letter is read again and again. */
const IN_JSON = new RegExp(`(?:${NAMES})(?:[^"\\\\]|\\\\.)*("\\s*:)?`, 'gis');
/** The same in anything else. */
const IN_PAIRS = new RegExp(`(?:${NAMES})[\\w.[\\]%-]*(["']?\\s*[=:])?`, 'gi');

/** And in an address, where most signs can be part of a name. */
const IN_QUERY = new RegExp(`(?:${NAMES})[^=?&#;]*(=)?`, 'gi');

/** What could be a user before the @ of an address: it follows a slash or a colon, also when JSON writes it with a backslash; each run is looked at once. */
const USER = /(?:[/:]|\\"?)[^@/\\?#":]*@/;

/** Whether what is called so is a secret. */
export function isSecret(name: string): boolean {
  return NAME.test(name);
}

/** Whether the text could have a value under such a name, a user in an address, or letters that are written as numbers; in time that grows with its length and no faster. */
export function mayHaveSecret(text: string): boolean {
  if (text.includes('\\u') || /%(?:2f|3d|[4-7])/i.test(text) || USER.test(text)) return true;
  return NAME.test(text) && [IN_JSON, IN_PAIRS, IN_QUERY].some((names) => isNamed(text, names));
}

function isNamed(text: string, names: RegExp): boolean {
  for (const [, ends] of text.matchAll(names)) if (ends !== undefined) return true;
  return false;
}
