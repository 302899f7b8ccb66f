import { startMock } from 'giftcard-sandbox';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openWindow, violations } from './browser.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('the printed address opens the dashboard once; without its cookie, the page asks for the token', async () => {
  await using mock = await startMock({ host: '0.0.0.0', controlToken: 'not-a-real-token' });
  const url = `http://127.0.0.1:${new URL(mock.url).port}/__mock/`;
  const context = await openWindow(browser, {});
  const page = await context.newPage();
  await page.goto(url);
  const sentence = page.getByRole('alert').getByText("This page needs the sandbox's token");
  await sentence.waitFor();
  const { pathname, search } = new URL(String(mock.dashboardUrl));
  const signInUrl = new URL(pathname + search, url).href;

  await page.goto(signInUrl);
  await page.getByRole('link', { name: 'ACTIVE-0001' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: '+1 day' }).click();
  await page.getByRole('status').waitFor();

  await context.clearCookies();
  await page.getByRole('button', { name: '+1 day' }).click();
  await sentence.waitFor();
  expect(await violations(page)).toEqual([]);

  await page.goto(signInUrl);
  await sentence.waitFor();
  for (const [token, shown] of [
    ['guess', 'This is not the token'],
    ['not-a-real-token', 'ACTIVE-0001'],
  ] as const) {
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(shown).waitFor();
  }
  await page.getByRole('button', { name: 'Sign out' }).click();
  await sentence.waitFor();
  await context.close();
});

test('after a restart of the mock, the page connects again and shows its cards', async () => {
  const first = await startMock();
  const context = await openWindow(browser, {});
  const page = await context.newPage();
  await page.goto(`${first.url}/__mock/#/main/cards`);
  await page.getByText('Live', { exact: true }).waitFor();
  await first.close();
  await page.getByText('Reconnecting').waitFor();

  const world = { accounts: [{ id: 'main', cards: [{ code: 'RESTARTED-1' }] }] };
  await using second = await startMock({ port: Number(new URL(first.url).port), world });
  await page.getByRole('link', { name: 'RESTARTED-1' }).waitFor();
  expect(second.url).toBe(first.url);
  await context.close();
});
