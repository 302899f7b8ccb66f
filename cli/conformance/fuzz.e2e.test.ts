import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from './main.ts';

type Intercept = (request: Request, fetch: (request: Request) => Promise<Response>) => Promise<Response>;

/** Runs the command against a mock. `through` may change the mock's responses. A request for which `breaks` is true interrupts the command. */
async function command(argv: string[], through: Intercept = (request, fetch) => fetch(request), breaks = (_: Request) => false) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const [out, err]: [string[], string[]] = [[], []];
  let stop = () => {};
  const io = {
    stdout: { write: (part: string) => out.push(part) },
    stderr: { write: (part: string) => err.push(part) },
    fetch: (request: Request) => {
      if (breaks(request)) stop();
      return through(request, (each) => mock.fetch(each));
    },
    once: (_: string, listener: () => void) => {
      stop = listener;
    },
    off: () => {},
  };
  const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'fuzz-state-')), GIFTCARD_API_KEY: mock.apiKey };
  const code = await main(argv, env, io).finally(() => mock.close());
  expect([...out, ...err].join('')).not.toContain(mock.apiKey);
  return { code, out: out.join(''), err: err.join('') };
}

const here = ['fuzz', 'sequences', '--target', 'http://127.0.0.1:8460'];

/** Changes the mock's responses, so that every redemption by ID seems to be accepted. */
const overdraws: Intercept = async (request, fetch) => {
  if (!request.url.endsWith('/AddAdjustmentByGiftCardId')) return fetch(request);
  const { adjustmentAmount } = (await request.clone().json()) as { adjustmentAmount: number };
  const response = await fetch(request);
  return response.status === 200 || adjustmentAmount > 0
    ? response
    : new Response('true', { headers: { 'content-type': 'application/json' } });
};

describe('fuzz', () => {
  test('0: nothing is violated', async () => {
    const { code, out, err } = await command([...here, '--runs', '5', '--seed', '3', '--quiet']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('5 cases from seed 3');
    expect(out).toContain(' 0 left');
  });

  test('1: the failing sequence, and the command that repeats it', async () => {
    const { code, out } = await command([...here, '--steps', '6'], overdraws);
    expect(code).toBe(1);
    expect(out).toContain('adjustment.by-id.refuses-overdraw');
    const again = /npx giftcard-sandbox conformance (fuzz .*--path [\d:]+)/.exec(out)?.[1]?.split(/\s+/) ?? [];
    const requests = (text: string) => text.match(/^.*\d+\. (create|adjust|GET|void) .*$/gm);
    const once = await command(again, overdraws);
    expect(once.code).toBe(1);
    expect(once.out).toContain('1 case from');
    expect(requests(once.out)).toEqual(requests(out));
    expect(await command(again)).toMatchObject({ code: 0, out: expect.stringContaining('in 1 case') });
  });

  test('the report as JSON', async () => {
    const { code, out } = await command([...here, '--steps', '6', '--reporter', 'json'], overdraws);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      kind: 'fuzz',
      seed: 1,
      cards: { left: [] },
      failures: [{ rule: 'adjustment.by-id.refuses-overdraw', did: expect.arrayContaining([expect.any(String)]) }],
    });
  });

  test('odd input: 1 if an operation responds to it with a server error', async () => {
    const inputs = ['fuzz', 'inputs', '--target', 'http://127.0.0.1:8460', '--quiet'];
    const broken: Intercept = async (request, fetch) =>
      request.url.includes('/GetByEmail?') && !request.url.includes('example.com')
        ? new Response('', { status: 500 })
        : fetch(request);
    const { code, out } = await command(inputs, broken);
    expect(code).toBe(1);
    expect(out).toContain('robustness.get-by-email');
    expect(out).not.toContain('FAIL  robustness.get-by-code');
  });

  test.each([
    ['a remote target without --mode full', ['fuzz', '--target', 'https://example.com', '--yes'], '--mode full'],
    ['a remote target without --yes', ['fuzz', '--target', 'https://example.com', '--mode', 'full'], '--yes'],
    ['a malformed path', [...here, '--path', 'left'], '--path'],
    ['a path without a sequence', [...here, '--steps', '1', '--path', '0:99:99:99:99'], 'leads to no sequence'],
    ['too many steps', [...here, '--steps', '41'], 'got "41"'],
    ['no sequences', [...here, '--runs', '0'], 'got "0"'],
    ['another reporter', [...here, '--reporter', 'pdf'], '"pdf"'],
    ['another word', [...here, 'list.*'], '"list.*"'],
  ])('2: %s', async (_, argv, words) => {
    const sent: string[] = [];
    const { code, err } = await command(argv, (request, fetch) => {
      sent.push(request.url);
      return fetch(request);
    });
    expect([code, sent]).toEqual([2, []]);
    expect(err).toContain(words);
  });

  test('3: no response, at the start or later', async () => {
    const refuseConnection = () => Promise.reject(new Error('refused'));
    expect((await command(here, refuseConnection)).code).toBe(3);
    let adjustments = 0;
    const gone = await command(here, (request, fetch) => {
      if (!request.url.endsWith('/AddAdjustmentByGiftCardCode')) return fetch(request);
      adjustments += 1;
      return adjustments === 3 ? refuseConnection() : fetch(request);
    });
    expect(gone.code).toBe(3);
    expect(gone.out).toContain(' 0 left');
  });

  test('4: the budget is used up', async () => {
    const { code, out } = await command([...here, '--max-creates', '3']);
    expect(code).toBe(4);
    expect(out).toContain(' 0 left');
  });

  test('5: a card could not be voided', async () => {
    const { code, out } = await command([...here, '--runs', '1'], (request, fetch) =>
      request.method === 'DELETE' ? Promise.resolve(new Response('no', { status: 500 })) : fetch(request),
    );
    expect(code).toBe(5);
    expect(out).not.toContain(' 0 left');
  });

  test('130: interrupted, and every created card is voided', async () => {
    let creates = 0;
    const { code, out } = await command(here, undefined, ({ url }) => {
      creates += url.endsWith('/Create') ? 1 : 0;
      return creates === 6;
    });
    expect(code).toBe(130);
    const [, created, voided] = /Cards (\d+) created, (\d+) voided, 0 left/.exec(out) ?? [];
    expect(Number(created)).toBeGreaterThan(4);
    expect(voided).toBe(created);
  });
});
