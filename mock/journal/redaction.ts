/** Shown in place of a secret. */
export const MASK = '***';

/** Names of headers, parameters and properties whose values are secrets; an idempotency_key is not one. */
const SECRET_NAME = /token|secret|password|signature|credential|authorization|cookie|(?<!idempotency[-_]?)key/i;

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Headers with masked secrets, without content-length. */
export function redactHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || name === 'content-length') continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    shown[name] = isSecretName(name) && text !== '' ? MASK : redactUrls(text);
  }
  return shown;
}

/** The user of a URL, up to the last @ before its path: a password may contain one. */
const USER = /\/\/([^/?#\s"<>]*)@/g;
const PARAMETER = /([?&#;])([^=?&#;\s"<>]+)=([^&#;\s"<>]+)/g;

/** A text with the passwords and secret parameters of every URL in it masked; a user without a password is masked, too. */
export function redactUrls(text: string): string {
  const withoutUsers = text.includes('@')
    ? text.replace(USER, (_, user: string) => `//${user.includes(':') ? `${user.split(':', 1)[0]}:${MASK}` : MASK}@`)
    : text;
  if (!withoutUsers.includes('=')) return withoutUsers;
  return withoutUsers.replace(PARAMETER, (whole, before: string, name: string) =>
    isSecretName(name) ? `${before}${name}=${MASK}` : whole,
  );
}

/** The property that carries the token of a webhook. */
const TOKEN_PROPERTY = 'requestHeaderVerificationToken';

/** A value shorter than this is masked only as a whole word. */
const SHORT = 8;

/** Masks known secrets in every spelling: as written, in a URL, and in JSON. */
export class Redactor {
  readonly #values = new Set<string>();
  readonly #members: RegExp;
  #pattern: RegExp | undefined;

  /** `tokenNames`: other names of the property that carries a webhook's token. */
  constructor(values: Iterable<string> = [], tokenNames: Iterable<string> = []) {
    const names = [TOKEN_PROPERTY, ...tokenNames].map((name) => escapeRegExp(JSON.stringify(name)));
    this.#members = new RegExp(`((?:${names.join('|')})\\s*:\\s*)"(?:[^"\\\\]|\\\\.)+"?`, 'gs');
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

  /** The text without known secrets. */
  values(text: string): string {
    if (this.#values.size === 0) return text;
    this.#pattern ??= patternOf([...this.#values]);
    return text.replace(this.#pattern, MASK);
  }

  /** A URL, or a text with URLs, without known secrets, passwords and secret parameters. */
  urls(text: string): string {
    return this.values(redactUrls(text));
  }

  /** A body without all these, and without tokens of unknown webhooks, such as one that was rejected. */
  body(text: string): string {
    return this.urls(text.replace(this.#members, `$1"${MASK}"`));
  }
}

/** The longest come first, since one may begin with another. */
function patternOf(values: readonly string[]): RegExp {
  const alternatives = [...values]
    .sort((one, other) => other.length - one.length)
    .map((value) => (value.length < SHORT ? `(?<![\\w-])${escapeRegExp(value)}(?![\\w-])` : escapeRegExp(value)));
  return new RegExp(alternatives.join('|'), 'g');
}

function spellings(value: string): readonly string[] {
  const wellFormed = Buffer.from(value, 'utf8').toString('utf8');
  return [value, encodeURIComponent(wellFormed), JSON.stringify(value).slice(1, -1)];
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

interface SecretHolder {
  readonly keys: readonly { readonly key: string }[];
  readonly state: { webhooks(): Iterable<{ readonly token: string | null }> };
  /** Overrides of the contract, whose renames may give the token's property another name. */
  readonly overrides: readonly object[];
}

/** Masks all keys and webhook tokens of these accounts, deleted keys included. */
export function redactorOf(accounts: Iterable<SecretHolder>): Redactor {
  const values: string[] = [];
  const names = new Set<string>();
  for (const { keys, state, overrides } of accounts) {
    for (const { key } of keys) values.push(key);
    for (const { token } of state.webhooks()) if (token !== null) values.push(token);
    for (const row of overrides as readonly { rename?: string; move?: string; to?: string }[])
      if ((row.rename ?? row.move)?.endsWith(`.${TOKEN_PROPERTY}`)) names.add(row.to?.split('.').at(-1) ?? TOKEN_PROPERTY);
  }
  return new Redactor(values, names);
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

interface KeptHeaders {
  readonly shown: Readonly<Record<string, string>>;
  readonly fromBrowser: boolean;
}

/** The headers of the last request: a client mostly sends the same again, and then they are redacted and kept once. */
export class HeaderCache {
  #raw: Headers = {};
  #kept: KeptHeaders = { shown: {}, fromBrowser: false };

  of(headers: Headers): KeptHeaders {
    if (areEqual(headers, this.#raw)) return this.#kept;
    this.#raw = headers;
    // Only browsers send these; node's fetch sends sec-fetch-mode as well.
    const { origin, 'sec-fetch-site': site, 'sec-fetch-dest': destination } = headers;
    this.#kept = { shown: redactHeaders(headers), fromBrowser: (origin ?? site ?? destination) !== undefined };
    return this.#kept;
  }
}

function areEqual(one: Headers, other: Headers): boolean {
  let difference = 0;
  for (const name in one) {
    if (name === 'content-length') continue;
    if (one[name] !== other[name]) return false;
    difference++;
  }
  for (const name in other) if (name !== 'content-length') difference--;
  return difference === 0;
}
