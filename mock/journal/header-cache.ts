import { redactHeaders } from './redaction.ts';

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
