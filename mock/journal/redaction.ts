import { spellings } from '../../openapi/spellings.ts';
import type { Contract } from '../contract/contract.ts';
import { decoded } from '../contract/router.ts';

/** Shown in place of a secret. */
export const MASK = '***';

/** Matches the names of secret headers, parameters and properties. Also matches every URL without % that has such a parameter. An idempotency_key is not secret. */
const SECRET_NAME =
  /token|secret|passw|passphrase|pwd|signature|credential|authorization|cookie|(?<!idempotency[-_]?)key|(?:^|[-_.?&#;])(?:sig|auth|pass|jwt|hmac|sid|otp)(?:$|[-_.=])/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Masks secret headers, and drops content-length. */
export function redactHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'content-length') continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    shown[name] = isSecretName(name) && text !== '' ? MASK : redactUrls(text);
  }
  return shown;
}

/** Matches the user of a URL up to the last @ before the path, because a password may contain another @. The URL may be percent-encoded, or JSON with \/. */
const USER = /(\/\/|\\\/\\\/|%2F%2F)((?:(?!%2F|%3F|%23)[^/?#\s"<>\\])*)(@|%40)/gi;
/** Matches a parameter of a URL or a form, also inside a percent-encoded URL. */
const PARAMETER = /(^|[?&#;]|%(?:3F|26|23))((?:(?!%3D|%26|%3F)[^=?&#;\s"<>]){1,200})(=|%3D)(?:(?!%26|%3F)[^&#;\s"<>])+/gi;

/** Masks passwords and secret parameters of every URL in a text. A user without a password is masked, too. */
export function redactUrls(text: string): string {
  const withoutUsers =
    text.includes('@') || text.includes('%40')
      ? text.replace(USER, (_, slashes: string, user: string, at: string) => {
          const [, name = ''] = /^(.*?(?::|%3A))/i.exec(user) ?? [];
          return `${slashes}${name}${MASK}${at}`;
        })
      : text;
  if (!withoutUsers.includes('%') && !(withoutUsers.includes('=') && isSecretName(withoutUsers))) return withoutUsers;
  return withoutUsers.replace(PARAMETER, (whole, before: string, name: string, equals: string) =>
    isSecretName(decoded(name)) ? `${before}${name}${equals}${MASK}` : whole,
  );
}

/** The property that carries the token of a webhook. */
const TOKEN_PROPERTY = 'requestHeaderVerificationToken';

/** Values with fewer characters are masked only as whole words, because a short value may be part of an ordinary word. */
const SHORT = 8;

/** Masks known secrets in every encoding. */
export class JournalRedactor {
  readonly #values = new Set<string>();
  readonly #members: RegExp;
  #pattern: RegExp | undefined;

  /** `tokenNames` are the names that overrides give to TOKEN_PROPERTY. */
  constructor(values: Iterable<string> = [], tokenNames: Iterable<string> = []) {
    const names = [TOKEN_PROPERTY, ...tokenNames].map(escapeRegExp);
    const value = `"(?:[^"\\\\]|\\\\.)+"?|'[^']+'?|[[{][^\\]}]*[\\]}]?|(?!null\\b)[^\\s"',;&<}\\]]+`;
    this.#members = new RegExp(`((?<![\\w-])(?:${names.join('|')})(?:["']\\s*:|\\s*[:=>])\\s*)(?:${value})`, 'gis');
    for (const value of values) this.add(value);
  }

  add(value: string): void {
    for (const spelling of spellings(value)) if (spelling !== '') this.#values.add(spelling);
    this.#pattern = undefined;
  }

  remove(value: string): void {
    for (const spelling of spellings(value)) this.#values.delete(spelling);
    this.#pattern = undefined;
  }

  /** Masks known secrets. */
  values(text: string): string {
    if (this.#values.size === 0) return text;
    this.#pattern ??= patternOf([...this.#values]);
    return text.replace(this.#pattern, MASK);
  }

  /** Masks known secrets, and the passwords and secret parameters of URLs. */
  urls(text: string): string {
    return this.values(redactUrls(text));
  }

  /** Masks all secrets of a body, including the token of a rejected webhook. */
  body(text: string): string {
    return this.urls(withoutEscapes(text).replace(this.#members, `$1"${MASK}"`));
  }
}

/** Replaces letters, digits and signs that a JSON text has as \u0041, so that names and values have one spelling. */
function withoutEscapes(text: string): string {
  if (!text.includes('\\u00')) return text;
  return text.replace(/(?<!\\)\\u00([2-7][\da-f])/gi, (whole, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /["\\\x7f]/.test(character) ? whole : character;
  });
}

/** Returns a pattern that tries the longest value first, because one value may begin with another. */
function patternOf(values: readonly string[]): RegExp {
  const alternatives = [...values]
    .sort((one, other) => other.length - one.length)
    .map((value) => (value.length < SHORT ? `(?<![\\w-])${escapeRegExp(value)}(?![\\w-])` : escapeRegExp(value)));
  return new RegExp(alternatives.join('|'), 'g');
}

export function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

interface SecretHolder {
  readonly keys: readonly { readonly key: string }[];
  readonly state: { webhooks(): Iterable<{ readonly token: string | null }> };
  readonly contract: Pick<Contract, 'namesOf'>;
}

/** Returns a Redactor of all keys and webhook tokens of these accounts, including deleted keys. */
export function redactorOf(accounts: Iterable<SecretHolder>): JournalRedactor {
  const holders = [...accounts];
  const keys = holders.flatMap((holder) => holder.keys.map(({ key }) => key));
  const tokens = holders.flatMap(({ state }) => Array.from(state.webhooks(), ({ token }) => token ?? ''));
  const names = holders.map(({ contract }) => contract.namesOf('createWebhook')?.get(TOKEN_PROPERTY)?.split('.').at(-1));
  return new JournalRedactor([...keys, ...tokens], new Set(names.filter((name) => name !== undefined)));
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface KeptHeaders {
  readonly shown: Readonly<Record<string, string>>;
  readonly fromBrowser: boolean;
}

/** Keeps the redacted headers of the last request, because most clients send the same headers again. */
export class HeaderCache {
  #raw: Headers = {};
  #kept: KeptHeaders = { shown: {}, fromBrowser: false };

  of(headers: Headers): KeptHeaders {
    if (areEqual(headers, this.#raw)) return this.#kept;
    this.#raw = headers;
    // Only browsers send these headers. Node's fetch sends sec-fetch-mode, too, so sec-fetch-mode is not checked.
    const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination, 'x-sandbox-dashboard': dashboard } = headers;
    const fromBrowser = dashboard === undefined && (origin ?? site ?? destination) !== undefined;
    this.#kept = { shown: redactHeaders(headers), fromBrowser };
    return this.#kept;
  }
}

function areEqual(one: Headers, other: Headers): boolean {
  if (Object.keys(one).length !== Object.keys(other).length) return false;
  for (const name in one) if (name === 'content-length' ? !(name in other) : one[name] !== other[name]) return false;
  return true;
}
