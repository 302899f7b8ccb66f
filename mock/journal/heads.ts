import type { ServiceRequest } from '../pipeline/exchange.ts';
import { hiddenInHeaders } from './redaction/hide-in-message.ts';

type Headers = ServiceRequest['headers'];

/** The headers of a request as they are kept. */
interface Head {
  readonly shown: Readonly<Record<string, string>>;
  /** Origin and most sec-fetch headers come from browsers alone; sec-fetch-mode is also sent by the fetch of Node. */
  readonly fromBrowser: boolean;
}

/** Whoever asks again mostly does so with the same headers: then they are kept once. */
export class Heads {
  #raw: Headers = {};
  #head: Head = { shown: {}, fromBrowser: false };

  of(headers: Headers): Head {
    if (same(headers, this.#raw)) return this.#head;
    this.#raw = headers;
    const fromBrowser =
      headers.origin !== undefined || headers['sec-fetch-site'] !== undefined || headers['sec-fetch-dest'] !== undefined;
    this.#head = { shown: hiddenInHeaders(headers), fromBrowser };
    return this.#head;
  }
}

function same(one: Headers, other: Headers): boolean {
  let more = 0;
  for (const name in one) {
    if (name === 'content-length') continue;
    if (one[name] !== other[name]) return false;
    more++;
  }
  for (const name in other) if (name !== 'content-length') more--;
  return more === 0;
}
