import { decoded } from '../../contract/parse/decoded.ts';
import { isSecret, MASK } from './secret-names.ts';

/** Who is named before a host, up to the last @: a password may have one of its own. */
const USER = /(?<=[:/\\][/\\]|^https?:)([^/\\]*)@/gi;
/** A text that is an address as a whole, blanks included. */
const WHOLE = /^(?:https?:|[a-z][a-z\d+.-]*:[/\\])/i;
/** The name of a parameter, also of one after a # and of one in what is a value itself. */
const NAME = /(?<=[?&#;])([^=?&#;]*)=/g;

/** What takes the place of a secret; a function is asked for each. */
type Mask = string | ((secret: string) => string);

/**
 * A URL, or a path with its query, with `mask` for passwords and for the values of parameters that are named like secrets. A user without a password
 * is one himself. Host, path and all other parameters stay, since they say where it leads.
 */
export function hiddenInAddress(address: string, mask: Mask = MASK): string {
  const start = address.search(/[?#]/);
  return start < 0
    ? hiddenInPath(address, mask)
    : hiddenInPath(address.slice(0, start), mask) + hiddenInQuery(address.slice(start), mask);
}

/** A text with the same for the whole where that is an address, or else for each in it. */
export function hiddenInAddresses(text: string, mask: Mask = MASK): string {
  return WHOLE.test(text) ? hiddenInAddress(text, mask) : hiddenInEach(text, mask);
}

/** The same for each address in what is more than one, whatever it begins with. */
export function hiddenInEach(text: string, mask: Mask = MASK): string {
  return text.replace(/[/\\]{2}[^\s"<>]*/g, (address) => hiddenInAddress(address, mask));
}

function hiddenInPath(path: string, mask: Mask): string {
  const shown = path.replace(USER, (_, user: string) => `${hiddenUser(user, mask)}@`);
  return shown.replace(/[^/]+/g, (segment) => hiddenWhenEncoded(segment, mask));
}

function hiddenUser(user: string, mask: Mask): string {
  const colon = user.indexOf(':');
  if (user === '') return '';
  const hasPassword = colon > 0 && colon < user.length - 1;
  return hasPassword ? `${user.slice(0, colon)}:${masked(user.slice(colon + 1), mask)}` : masked(user, mask);
}

function hiddenInQuery(query: string, mask: Mask): string {
  let shown = '';
  let from = 0;
  NAME.lastIndex = 0;
  for (let found = NAME.exec(query); found; found = NAME.exec(query)) {
    const start = NAME.lastIndex;
    const isHidden = isSecret(decoded(found[1] as string));
    const rest = query.slice(start);
    const length = rest.search(isHidden ? /&|$/ : /[?&#;]|$/);
    const value = rest.slice(0, length);
    const kept = isHidden && value !== '' ? masked(value, mask) : hiddenWhenEncoded(value, mask);
    NAME.lastIndex = start; // where an address in the value has moved it
    if (kept === value) continue;
    shown += query.slice(from, start) + kept;
    from = NAME.lastIndex = start + length;
  }
  return shown + query.slice(from);
}

/** A text that may be an address as it stands in another or in a form; nothing of it is left where it has a secret. */
export function hiddenWhenEncoded(text: string, mask: Mask): string {
  if (!text.includes('%')) return text;
  const plain = decoded(text);
  return plain === text || hiddenInAddresses(plain, mask) === plain ? text : masked(text, mask);
}

function masked(secret: string, mask: Mask): string {
  return typeof mask === 'string' ? mask : mask(secret);
}
