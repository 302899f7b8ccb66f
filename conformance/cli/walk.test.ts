import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { Ledger } from '../safety/ledger.ts';
import { main } from './main.ts';

type Answered = (request: Request, fetch: (request: Request) => Promise<Response>) => Promise<Response>;

/** The command on a mock of its own, whose answers `through` may change. Breaking off comes with the request that `breaks` is true of. */
async function command(argv: string[], through: Answered = (request, fetch) => fetch(request), breaks = (_: Request) => false) {
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
  const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'walk-state-')), GIFTCARD_API_KEY: mock.apiKey };
  const code = await main(argv, env, io).finally(() => mock.close());
  expect([...out, ...err].join('')).not.toContain(mock.apiKey);
  return { code, out: out.join(''), err: err.join('') };
}

const here = ['walk', '--target', 'http://127.0.0.1:8460'];

/** Says of every redemption by ID that it was taken. */
const overdraws: Answered = async (request, fetch) => {
  if (!request.url.endsWith('/AddAdjustmentByGiftCardId')) return fetch(request);
  const { adjustmentAmount } = (await request.clone().json()) as { adjustmentAmount: number };
  const answer = await fetch(request);
  return answer.status === 200 || adjustmentAmount > 0
    ? answer
    : new Response('true', { headers: { 'content-type': 'application/json' } });
};

describe('walk', () => {
  test('0: nothing contradicts', async () => {
    const { code, out, err } = await command([...here, '--runs', '5', '--seed', '3', '--quiet']);
    expect(err).toBe('');
    expect(out).toMatch(/^5 stories of up to 20 steps, from seed 3, told to http:\/\/127\.0\.0\.1:8460\nNothing contradicts/);
    expect(out).toContain(' 0 left');
    expect(code).toBe(0);
  });

  test('1: a story, whose last line tells it again', async () => {
    const { code, out } = await command([...here, '--steps', '12'], overdraws);
    expect(code).toBe(1);
    const [, stories, shorter] =
      /^(\d+) stor\S+ of .*\n.* contradicts the specification\.\nAfter it (\d+) shorter/.exec(out) ?? [];
    expect(Number(stories)).toBeLessThanOrEqual(100);
    expect(Number(shorter)).toBeGreaterThan(0);
    expect(out).toMatch(/ {2}1\. create card#1 with 0\.\d\d → 200\n {3}2\. redeem 0\.\d\d of card#1 by ID → 200\n/);
    expect(out).toContain('Clause    adjustment.by-id.refuses-overdraw: Redeeming by ID more than the card holds is refused');
    const again = /Again {5}npx giftcard-sandbox conformance (.*)/.exec(out)?.[1]?.split(' ') ?? [];
    expect(again).toContain('--path');
    const story = (text: string) => text.slice(text.indexOf('  1. '), text.indexOf('  Again'));
    const once = await command(again, overdraws);
    expect(once.code).toBe(1);
    expect(once.out).toMatch(/^1 story .*\nIt contradicts the specification\.\n\n/);
    expect(story(once.out)).toBe(story(out));
    expect(await command(again)).toMatchObject({ code: 0, out: expect.stringMatching(/^1 story .*\nNothing contradicts/) });
  });

  test('4: a path that leads nowhere', async () => {
    const { code, out } = await command([...here, '--steps', '1', '--path', '0:99:99:99:99']);
    expect(out).toMatch(/^0 stories .*\nNo story stands there\./);
    expect(code).toBe(4);
  });

  test('the story as JSON', async () => {
    const { code, out } = await command([...here, '--reporter', 'json'], overdraws);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      seed: 1,
      steps: 20,
      left: [],
      brokenOff: false,
      story: {
        clause: 'adjustment.by-id.refuses-overdraw',
        steps: [expect.stringContaining('create card#1'), expect.any(String)],
      },
    });
    expect(JSON.parse((await command([...here, '--reporter', 'json', '--runs', '1'])).out).story).toBeNull();
  });

  test.each([
    ['elsewhere without --mode full', ['walk', '--target', 'https://example.com', '--yes'], 'only --mode full'],
    [
      'elsewhere, and nobody to agree',
      ['walk', '--target', 'https://example.com', '--mode', 'full'],
      'Say --yes to go on unasked',
    ],
    ['a path that is none', [...here, '--path', 'left'], 'none that a walk has printed'],
    ['more steps than a history shows', [...here, '--steps', '41'], '--steps goes from 1 to 40, not 41'],
    ['no stories', [...here, '--runs', '0'], '--runs goes from 1'],
    ['another reporter', [...here, '--reporter', 'html'], 'text and json'],
    ['words', [...here, 'list.*'], '"list.*" is none'],
  ])('2: %s', async (_, argv, words) => {
    const sent: string[] = [];
    const { code, err } = await command(argv, (request, fetch) => {
      sent.push(request.url);
      return fetch(request);
    });
    expect([code, sent]).toEqual([2, []]);
    expect(err).toContain(words);
  });

  test('3: nobody answers, at the beginning or on the way', async () => {
    const nobody = () => Promise.reject(new Error('refused'));
    expect((await command(here, nobody)).code).toBe(3);
    let adjustments = 0;
    const gone = await command(here, (request, fetch) => {
      if (!request.url.endsWith('/AddAdjustmentByGiftCardCode')) return fetch(request);
      adjustments += 1;
      return adjustments === 3 ? nobody() : fetch(request);
    });
    expect(gone).toMatchObject({ code: 3, err: expect.stringContaining('got no answer') });
    expect(gone.out).toContain(' 0 left');
  });

  test('4: the budget is used up', async () => {
    const { code, err, out } = await command([...here, '--max-creates', '3']);
    expect(code).toBe(4);
    expect(err).toContain('the run may create 3 cards');
    expect(out).toContain(' 0 left');
  });

  test('5: a card could not be voided', async () => {
    const { code, out } = await command([...here, '--runs', '1'], (request, fetch) =>
      request.method === 'DELETE' ? Promise.resolve(new Response('no', { status: 500 })) : fetch(request),
    );
    expect(code).toBe(5);
    expect(out).not.toContain(' 0 left');
  });

  test('6: the suite itself broke, which is told once', async () => {
    const spied = vi.spyOn(Ledger.prototype, 'fresh').mockImplementation(() => {
      throw new RangeError('something odd');
    });
    const { code, err, out } = await command([...here, '--quiet']).finally(() => spied.mockRestore());
    expect([code, err.match(/something odd/g)]).toEqual([6, ['something odd']]);
    expect(err).toMatch(/^The suite itself broke: RangeError: something odd\n +at /);
    expect(out).toContain(' 0 left');
  });

  test('130: broken off, and what was created is voided', async () => {
    let creates = 0;
    const { code, out } = await command(here, undefined, ({ url }) => {
      creates += url.endsWith('/Create') ? 1 : 0;
      return creates === 6;
    });
    expect(code).toBe(130);
    const [, created, voided] = /(\d+) cards created, (\d+) voided, 0 left/.exec(out) ?? [];
    expect(Number(created)).toBeGreaterThan(4);
    expect(voided).toBe(created);
  });
});
