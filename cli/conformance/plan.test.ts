import { expect, test } from 'vitest';
import { main } from './main.ts';

async function plan(...argv: string[]): Promise<string> {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  expect(await main(['plan', '--target', 'http://127.0.0.1:9', ...argv], {}, { stdout: write, stderr: write })).toBe(0);
  return written.join('');
}

test('the plan names the rules that the run tests', async () => {
  const names = ['adjustment.returns-true', 'adjustment.by-id.overdraw-status'];
  for (const mode of ['full', 'safe'])
    expect(await plan('--mode', mode, ...names)).toContain(names.map((name) => `  ${name}\n`).join(''));
});

test('--json prints the plan for scripts', async () => {
  const names = ['adjustment.returns-true', 'names.gift-card'];
  const planned = JSON.parse(await plan('--mode', 'safe', '--json', ...names));
  expect(planned).toEqual({
    target: 'http://127.0.0.1:9',
    mode: 'safe',
    requests: expect.any(Number),
    requestsPerMinute: 60,
    effects: expect.objectContaining({ creates: expect.any(Number), faceValue: expect.any(Number), emails: 0 }),
    rules: [names[0]],
    leftOut: [{ rule: names[1], reason: 'not-allowed:email', detail: expect.any(String) }],
  });
  const text = await plan('--mode', 'safe', ...names);
  expect(text).toContain(`sends ${planned.requests} requests, ${planned.effects.cleaning} of them`);
  expect(text).toContain(`${planned.effects.creates}, face value ${planned.effects.faceValue.toFixed(2)} in all`);
});

test('the duration follows --rate, or the rate limit of the service', async () => {
  const all = await plan('--mode', 'full');
  const requests = Number(/ sends (\d+) requests/.exec(all)?.[1]);
  const minutes = Number(/at least (\d+) minutes?, at 200 requests a minute/.exec(all)?.[1]);
  expect(minutes).toBe(Math.ceil(requests / 200) - 1);
  expect(await plan('--mode', 'full', '--rate', '60')).toMatch(/at least \d+ minutes, at 60 requests a minute\n/);
  expect(await plan('--mode', 'full', 'adjustment.returns-true')).toContain('less than a minute');
});

test('only effects that the run has are listed', async () => {
  const one = await plan('--mode', 'full', 'adjustment.returns-true');
  expect(one).toMatch(/cannot be undone +\d+ voids?, /);
  expect(one).toMatch(/1 stated, 0 others/);
  for (const words of ['automation events', 'webhooks registered', 'Left out']) expect(one).not.toContain(words);
  expect(await plan('--mode', 'read-only', 'list.page-size-maximum')).not.toMatch(/posted to|cannot be undone/);
  expect(await plan('--mode', 'full', 'webhook.create.*')).toMatch(/webhooks registered +[1-9]/);
});
