import { type Mock, type MockOptions, startMock } from 'giftcard-sandbox';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser, openWindow, violations, type Window } from './browser.ts';

/** The browser logs each refused action as an error, which the view shows. */
const REFUSED = /status of 4(00|04|09)/;

export interface Dashboard {
  /** The running mock. Every test of a file uses the same one. */
  readonly mock: Mock;
  /** Opens an address such as "cards" or "cards?only=Active" of an account (default: main), and waits until the view is there. */
  readonly open: (address: string, window?: Window, account?: string) => Promise<Page>;
  /** Sends a request to the service with the key of the account main. Returns the parsed body. */
  readonly request: (method: string, path: string, body?: unknown) => Promise<unknown>;
}

/**
 * Starts a mock from dist/ and a browser for the tests of a file, and ends them. After each test, fails if a page logged an error, or requested
 * another host.
 *
 * @example
 * const dashboard = useDashboard();
 * test.each(windows)('lists emails at $width px, $scheme', async (window) => {
 *   const page = await dashboard.open('emails', window);
 *   await page.getByText('ann@example.com').click();
 *   await expectAccessible(page);
 * });
 */
export function useDashboard(options: MockOptions = {}): Dashboard {
  let mock: Mock;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    [mock, browser] = await Promise.all([startMock({ seed: 1, rateLimit: 'off', ...options }), launchBrowser()]);
  });
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    expect(errors.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await mock?.close();
  });

  const open = async (address: string, window: Window = {}, account = 'main') => {
    const context = await openWindow(browser, window);
    contexts.push(context);
    context.setDefaultTimeout(10_000); // shorter than the time of a test, so that a failure names the element
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error' && !REFUSED.test(message.text())) errors.push(message.text());
    });
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('request', (request) => {
      if (!request.url().startsWith(mock.url) && !request.url().startsWith('data:')) errors.push(`requested ${request.url()}`);
    });
    await page.goto(`${mock.url}/__mock/#/${account}/${address}`);
    await page.getByRole('main').waitFor();
    return page;
  };
  const request = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { 'x-api-key': mock.apiKey }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    return (await fetch(`${mock.url}${path}`, init)).json();
  };
  return {
    get mock() {
      return mock;
    },
    open,
    request,
  };
}

/** The windows in which each view is tested. */
export const windows = [
  { width: 1280, scheme: 'light' },
  { width: 1280, scheme: 'dark' },
  { width: 390, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const satisfies readonly Window[];

/** Expects that axe finds no serious or critical violation. */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}
