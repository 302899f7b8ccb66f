import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { listJournal } from '../control/journal.ts';
import type { ServiceRequest } from '../exchange.ts';
import { sandboxOf } from '../fixture.ts';

/** The arguments that a shell makes of the line, and what reaches curl on its standard input. */
function run(line: string): { args: string[]; input: Buffer } {
  const script = `curl() { for argument; do printf '%s\\0' "$argument"; done; case " $* " in *" @- "*) printf '\\1'; cat;; esac; }\n${line}`;
  const env = { PATH: process.env.PATH, GIFTCARD_KEY: 'the key', GIFTCARD_SECRET: 'the secret', GIFTCARD_URL: 'http://mock' };
  const output = execFileSync('sh', ['-c', script], { env });
  const end = output.indexOf(1);
  const args = output
    .subarray(0, end < 0 ? output.length : end)
    .toString('utf8')
    .split('\0')
    .slice(0, -1);
  return { args, input: end < 0 ? Buffer.alloc(0) : output.subarray(end + 1) };
}

function lineOf(request: Partial<ServiceRequest>): string {
  const { sandbox, account } = sandboxOf();
  const headers = {
    'x-api-key': account.keys[0]?.key as string,
    host: '127.0.0.1:8460',
    connection: 'keep-alive',
    ...request.headers,
  };
  sandbox.handle({ method: 'GET', target: '/api/GiftCard/List', body: undefined, ...request, headers });
  const [entry] = listJournal(account, undefined, {}).entries;
  return entry?.curl as string;
}

describe('the line makes the same request again', () => {
  test('a read', () => {
    const line = lineOf({ target: '/api/GiftCard/List?pageSize=5&since=2026-01-01T00:00:00Z' });
    expect(line).toBe(
      `curl -i 'http://127.0.0.1:8460''/api/GiftCard/List?pageSize=5&since=2026-01-01T00:00:00Z' -H 'x-api-key: '"$GIFTCARD_KEY"''`,
    );
    expect(run(line).args).toEqual([
      '-i',
      'http://127.0.0.1:8460/api/GiftCard/List?pageSize=5&since=2026-01-01T00:00:00Z',
      '-H',
      'x-api-key: the key',
    ]);
  });

  test.each([
    `{"balance":5,"notes":"it's $HOME, \`id\` and $(id) \\\\ \\"q\\"\\n"}`,
    '{"balance":5,\n"notes":"two lines é 🎁"}',
    '@/etc/passwd',
    "'; echo broken; '",
  ])('a body that a shell would like to read: %s', (body) => {
    const { args } = run(
      lineOf({
        method: 'POST',
        target: '/api/GiftCard/Create',
        body: Buffer.from(body),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(args).toEqual([
      '-i',
      'http://127.0.0.1:8460/api/GiftCard/Create',
      '-H',
      'x-api-key: the key',
      '-H',
      'content-type: application/json',
      '--data-raw',
      body,
    ]);
  });

  test('a body that is no text', () => {
    const body = Buffer.from([0, 255, 39, 37, 92, 10, 200]);
    const { args, input } = run(lineOf({ method: 'POST', target: '/api/GiftCard/Create', body }));
    expect(args.slice(-4)).toEqual(['-H', 'content-type:', '--data-binary', '@-']);
    expect(input).toEqual(body);
  });

  test('a secret stands in a variable', () => {
    const body = Buffer.from('{"url":"https://a.example","requestHeaderVerificationToken":"s3cret"}');
    const line = lineOf({ method: 'POST', target: '/api/Webhook/Create?api_key=s3cret', body });
    expect(line).not.toContain('s3cret');
    const { args } = run(line);
    expect(args).toContain('http://127.0.0.1:8460/api/Webhook/Create?api_key=the key');
    expect(args.at(-1)).toBe('{"url":"https://a.example","requestHeaderVerificationToken":"the secret"}');
  });

  test.each([
    ['DELETE', '/api/Webhook/Delete/1', ['-i', '-X', 'DELETE', 'http://127.0.0.1:8460/api/Webhook/Delete/1']],
    ['HEAD', '/api/Webhook/List', ['-I', 'http://127.0.0.1:8460/api/Webhook/List']],
    ['GET', '/api/GiftCard/GetByCode/A{1-2}[x]', ['-i', '-g', 'http://127.0.0.1:8460/api/GiftCard/GetByCode/A{1-2}[x]']],
    ['GET', '/api/GiftCard/../x', ['-i', '--path-as-is', 'http://127.0.0.1:8460/api/GiftCard/../x']],
    ['GET', "/api/GiftCard/GetByCode/'\u00e9 $HOME", ['-i', "http://127.0.0.1:8460/api/GiftCard/GetByCode/'%e9%20$HOME"]],
  ])('%s %s', (method, target, args) => {
    expect(run(lineOf({ method, target })).args).toEqual([...args, '-H', 'x-api-key: the key']);
  });

  test.each([{ host: undefined }, { host: 'sandbox.invalid' }, { host: "x'; echo broken" }])(
    'without an address that can be called: %o',
    (headers) => {
      expect(run(lineOf({ target: '/api/Webhook/List', headers })).args[1]).toBe('http://mock/api/Webhook/List');
    },
  );
});
