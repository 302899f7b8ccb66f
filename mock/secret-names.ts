/** Names of properties, parameters and headers whose values nobody may see; an idempotency_key is none. */
const NAMES = 'token|secret|password|signature|credential|authorization|cookie|(?<!idempotency[-_]?)key';
const NAME = new RegExp(NAMES, 'i');
/** Such a name in JSON with the rest of its text and what makes that a name; consumed at once, so that no letter is read again and again. */
const IN_JSON = new RegExp(`(?:${NAMES})(?:[^"\\\\]|\\\\.)*("\\s*:)?`, 'gis');
/** The same in anything else. */
const IN_PAIRS = new RegExp(`(?:${NAMES})[\\w.[\\]%-]*(["']?\\s*[=:])?`, 'gi');

/** Whether what is called so is a secret. */
export function isSecret(name: string): boolean {
  return NAME.test(name);
}

/** Whether the text could have a value under such a name, or letters that are written as numbers; in time that grows with its length and no faster. */
export function mayNameSecret(text: string): boolean {
  if (text.includes('\\u') || /%[4-7]/.test(text)) return true;
  return NAME.test(text) && (isNamed(text, IN_JSON) || isNamed(text, IN_PAIRS));
}

function isNamed(text: string, names: RegExp): boolean {
  for (const [, ends] of text.matchAll(names)) if (ends !== undefined) return true;
  return false;
}
