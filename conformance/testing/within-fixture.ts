import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import { type Finding, Tally } from '../proxy/finding.ts';
import { Veil } from '../proxy/pseudonymizer.ts';
import { type Seen, seenIn } from '../proxy/seen.ts';
import { Watch } from '../proxy/watch.ts';

type Fetch = (request: Request) => Promise<Response>;

/** A proxy without sockets, for tests: whatever is asked of its `fetch` is judged as if it had passed. */
export function within(fetch: Fetch, { onlyClient = true, reader = new Reader(standardDocument, []) } = {}) {
  const found: Finding[] = [];
  const exchanges: Seen[] = [];
  const tally = new Tally(onlyClient, (finding) => found.push(finding));
  const watch = new Watch(reader, tally);
  const veil = new Veil('salt');
  let [sequence, n] = [0, 0];

  async function pass(request: Request): Promise<Response> {
    sequence += 1;
    const [began, at] = [sequence, Date.now()];
    watch.begun(began);
    const { pathname, search } = new URL(request.url);
    const asked = Buffer.from(await request.clone().arrayBuffer());
    const response = await fetch(request);
    const told = Buffer.from(await response.clone().arrayBuffer());
    sequence += 1;
    n += 1;
    const passed = {
      ...{ began, ended: sequence, at, ms: Date.now() - at, method: request.method, target: pathname + search },
      headers: new Map(request.headers),
      body: asked,
      answer: { status: response.status, headers: new Map(response.headers), body: told },
      lost: undefined,
    };
    const seen = seenIn(passed, n, veil);
    exchanges.push(seen);
    watch.ended(seen);
    return response;
  }
  return { fetch: pass, tally, found, exchanges, watch };
}
