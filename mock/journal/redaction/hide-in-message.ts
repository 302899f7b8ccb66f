import { decoded } from '../../contract/parse/decoded.ts';
import { hiddenInAddresses, hiddenInEach, hiddenWhenEncoded } from './hide-in-address.ts';
import { hideMembers, hidePairs } from './hide-values.ts';
import { isSecret, MASK, mayHaveSecret } from './secret-names.ts';

/** What rows of a contract call properties that are secrets. */
export type OtherNames = ReadonlySet<string>;
const NONE: OtherNames = new Set();

/** Whether one of a query's parameters is named like a secret. */
export function hasSecret(query: string): boolean {
  return query.split('&').some((part) => isSecret(decoded(part.split('=', 1)[0] as string)));
}

/** Headers by name, without the length of the body, which is told of elsewhere. Of an authorization its scheme is left, and an empty one stays empty. */
export function hiddenInHeaders(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'content-length') continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    const [scheme = ''] = (name.endsWith('authorization') && /^[a-z]+ /i.exec(text)) || [];
    shown[name] = isSecret(name) && text !== '' ? `${scheme}${MASK}` : hiddenInAddresses(text);
  }
  return shown;
}

/** A body with `mask` for the values of what is named like a secret, and for what is secret in the addresses in it. */
export function hiddenInBody(text: string, mask = MASK, others = NONE): string {
  return others.size > 0 || mayHaveSecret(text) ? hidden(text, mask, others) : text;
}

/** The same, with a close look at every body; a snapshot of thousands has no time for that. */
export function hidden(text: string, mask = MASK, others = NONE): string {
  const isHidden = (name: string) => isSecret(name) || others.has(name);
  const shown = hideMembers(text, mask, isHidden);
  if (isJson(text)) return shown;
  const words = hiddenInEach(shown, mask).replace(/[^\s"'<>&=]+/g, (word) => hiddenWhenEncoded(word, mask));
  return hidePairs(words, mask, isHidden);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
