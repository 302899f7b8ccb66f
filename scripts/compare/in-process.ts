import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { main } from '../../cli/conformance/main.ts';
import type { CompareResult } from '../../conformance/compare/result.ts';
import type { InProcessFetch, Profile } from '../../conformance/http/target.ts';
import { type Mock, startMock } from '../../mock/index.ts';

/** A server in this process. */
export interface Served {
  readonly key: string;
  readonly fetch: InProcessFetch;
  readonly profile?: Profile;
}

export type Spoil = (response: Response, request: Request) => Response | Promise<Response>;

/** Rules that take little time to compare, and the rule that the spoiled mock of most tests violates. */
export const few = ['adjustment.by-id.*', 'gift-card.void.*', 'gift-card.get-by-code.*'];
export const overdrawRule = 'adjustment.by-id.refuses-overdraw';

/** The mocks of a test file. */
export class Mocks {
  readonly #mocks: Mock[] = [];

  /** Starts a mock and changes its responses with `spoil`. */
  readonly serving = async (options: object = {}, spoil: Spoil = (response) => response): Promise<Served> => {
    const mock = await startMock({ listen: false, rateLimit: 'off', ...options });
    this.#mocks.push(mock);
    return {
      key: mock.apiKey,
      fetch: async (request) => spoil(await mock.fetch(request), request),
    };
  };

  async end(): Promise<void> {
    for (const mock of this.#mocks) await mock.close();
  }
}

/** Runs `compare` on two servers in this process, in its own folder, with more arguments. */
export async function comparing(a: Served, b: Served, ...words: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-compare-'));
  const [one, other] = ['http://127.0.0.1:1', 'http://127.0.0.1:2'];
  const files = [a, b].map(({ profile = {} }, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(profile));
    return file;
  });
  const [out, err]: [string[], string[]] = [[], []];
  try {
    const code = await main(
      ['compare', one, other, '--quiet', '--profile', files.join(','), ...words],
      { XDG_STATE_HOME: folder, GIFTCARD_API_KEY_A: a.key, GIFTCARD_API_KEY_B: b.key },
      {
        stdout: { write: (text: string) => out.push(text) },
        stderr: { write: (text: string) => err.push(text) },
        fetch: (request, about) => (new URL(request.url).origin === one ? a : b).fetch(request, about),
      },
    );
    return { code, out: out.join(''), err: err.join('') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The result of `compare` as JSON, and the exit code. */
export async function comparisonOf(
  a: Served,
  b: Served,
  ...words: readonly string[]
): Promise<CompareResult & { readonly code: number }> {
  const { code, out } = await comparing(a, b, '--reporter', 'json', ...words);
  return { ...(JSON.parse(out) as CompareResult), code };
}
