import { expect, test } from 'vitest';
import { main } from './main.ts';

async function plan(...argv: string[]): Promise<string> {
  const written: string[] = [];
  const write = { write: (text: string) => written.push(text) };
  expect(await main(['plan', '--target', 'http://127.0.0.1:9', ...argv], {}, { stdout: write, stderr: write })).toBe(0);
  return written.join('');
}

test('a full run says what it judges, as a safe one does', async () => {
  const names = ['adjustment.answers-true', 'adjustment.by-id.overdraw-status'];
  const judged = `Judged are:\n${names.map((name) => `  ${name}\n`).join('')}`;
  for (const mode of ['full', 'safe']) expect(await plan('--mode', mode, ...names)).toContain(judged);
});

test('how long the run takes at least: at its own rate, or at that of the service where it has none', async () => {
  const minutes = /\n {2}takes at least {11}(\d+) minutes?, at 200 requests a minute where the target limits them by real time\n/;
  const requests = (told: string) => Number(/ sends (\d+) requests/.exec(told)?.[1]);
  const all = await plan('--no-inputs');
  expect(Number(minutes.exec(all)?.[1])).toBe(Math.ceil(requests(all) / 200) - 1);
  expect(await plan('--rate', '60/m')).toMatch(/\n {2}takes at least {11}\d+ minutes, at 60 requests a minute\n/);
  expect(await plan('adjustment.answers-true')).not.toContain('takes at least');
});

test('what is not done is not spoken of', async () => {
  const told = await plan('adjustment.answers-true');
  expect(told).toMatch(/^A full run of 1 check sends /);
  expect(told).toMatch(/cannot be undone {9}\d+ voids?, /);
  expect(told).toMatch(/judges {19}1 statement, and asks 0 questions/);
  for (const words of ['automation events', 'coupons', 'webhooks registered', 'Left out']) expect(told).not.toContain(words);
  const looks = await plan('--mode', 'read-only', 'list.page-size-maximum');
  expect(looks).not.toMatch(/posted to|cannot be undone/);
});

test('what is done is told with what becomes of it', async () => {
  const told = await plan('webhook.create.*');
  expect(told).toMatch(/webhooks registered {6}[1-9]\d*, and deleted again/);
});
