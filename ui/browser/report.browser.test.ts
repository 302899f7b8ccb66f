import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startMock } from 'giftcard-sandbox';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { main } from '../../cli/conformance/main.ts';
import { checks } from '../../conformance/core/rule.ts';
import { runRules } from '../../conformance/core/run.ts';
import type { Target } from '../../conformance/http/target.ts';
import { resultJson } from '../../conformance/report/result-file.ts';
import { faultNamed } from '../../conformance/testing/reference-server/faults/faults.ts';
import { referenceTarget } from '../../conformance/testing/reference-server/suite-findings.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { launchBrowser, openWindow, type Window } from './browser.ts';
import { expectAccessible, windows } from './fixture.ts';

// The pages are made from real runs of some rules, and opened as files.
const folder = mkdtempSync(join(tmpdir(), 'reports-'));
let browser: Browser;
const errors: string[] = [];

/** Runs rules against a target, and writes the result. Returns the path of the file. */
async function run(name: string, target: Target): Promise<string> {
  const isWanted = /^(adjustment\.(by-|is-|positive)|delivery\.(payload\.total|signed))/;
  const names = checks().flatMap((check) => (isWanted.test(check.name) ? [check.name] : []));
  const result = await runRules({ target, names, checks: checks() });
  mkdirSync(join(folder, name));
  writeFileSync(join(folder, name, 'results.json'), resultJson([result]));
  return join(folder, name, 'results.json');
}

function faulty(fault: string): Target {
  const { make, options } = faultNamed(fault);
  return referenceTarget({ ...options, hooks: make() }, { timesShownExactly: true });
}

/** Runs a command of the suite that writes a page. */
async function writePage(...argv: string[]): Promise<void> {
  const io = { stdout: { write: () => 0 }, stderr: { write: (text: string) => errors.push(text) } };
  await main(argv, {}, io);
}

const pageNamed = (name: string) => join(folder, `${name}.html`);

beforeAll(async () => {
  await using mock = await startMock({ listen: false });
  const own = { url: mock.url, key: mock.apiKey, profile: defaultWorldProfile, fetch: (request: Request) => mock.fetch(request) };
  const [green, lawful, red, other] = await Promise.all([
    run('mock', own),
    run('lawful', referenceTarget()),
    run('twice', faulty('adds every top-up twice')),
    run('hexadecimal', faulty('signs in hexadecimal')),
  ]);
  await writePage('report', green, '--html', pageNamed('green'));
  await writePage('report', red, '--html', pageNamed('red'));
  await writePage('compare', lawful, red, '--out', join(folder, 'comparison'));
  await writePage('report', join(folder, 'comparison/results.json'), '--html', pageNamed('comparison'));
  await writePage('report', red, other, lawful, '--html', pageNamed('trend'));
  await writePage('report', green, lawful, red, '--html', pageNamed('matrix'));
  browser = await launchBrowser();
});
afterEach(() => expect(errors.splice(0)).toEqual([]));
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

async function open(name: string, window: Window = {}, hash = ''): Promise<Page> {
  const context = await openWindow(browser, window);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.on('console', (message) => errors.push(message.text()));
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('request', (request) => {
    if (!/^(file|data):/.test(request.url())) errors.push(`requested ${request.url()}`);
  });
  await page.goto(pathToFileURL(pageNamed(name)).href + hash);
  await page.getByRole('main').waitFor();
  return page;
}

test.each(['green', 'red', 'comparison', 'trend', 'matrix'].flatMap((name) => windows.map((window) => ({ name, ...window }))))(
  '$name: axe finds nothing, and nothing is wider than $width px, $scheme',
  async ({ name, ...window }) => {
    const page = await open(name, window);
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(window.width);
  },
);

const itemsIn = (page: Page) => page.locator('main .item > summary');

test('failures come first; the first of each cause is open, with the violating exchange', async () => {
  const page = await open('red');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^FAIL .* violated$/);
  expect(await page.getByRole('heading', { level: 2 }).first().innerText()).toMatch(/^Failures/);
  const first = page.locator('.item').first();
  expect(await first.getAttribute('open')).not.toBeNull();
  for (const text of ['Expected', 'Got']) await first.getByText(text, { exact: true }).waitFor();
  await first.getByRole('heading', { name: /^Exchanges/ }).waitFor();
  expect(await first.locator('.step[open]').count()).toBe(1);
});

test('a green page has no failures, and all items are closed', async () => {
  const page = await open('green');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/^PASS/);
  expect(await page.getByRole('heading', { name: /^Failures/ }).count()).toBe(0);
  expect([await itemsIn(page).count(), await page.locator('.item[open]').count()]).toEqual([expect.any(Number), 0]);
});

test.each([1280, 390] as const)('filters by verdict, level, section and search at %i px', async (width) => {
  const page = await open('red', { width });
  const all = await itemsIn(page).count();
  const button = page.getByRole('button', { name: /^pass \d/ });
  await button.click();
  const passed = Number((await button.innerText()).replace(/\D/g, ''));
  await expect.poll(() => itemsIn(page).count()).toBe(passed);
  expect(await page.locator('.item', { has: page.getByText('fail', { exact: true }) }).count()).toBe(0);
  await button.click();
  await page.getByLabel('Level').selectOption('open');
  await expect.poll(() => itemsIn(page).count()).toBeLessThan(all);
  await page.getByLabel('Level').selectOption('');
  await page.getByLabel('Section').selectOption('Webhook delivery payload');
  await expect.poll(() => page.locator('[id="adjustment.is-relative"]').count()).toBe(0);
  await page.getByLabel('Section').selectOption('');
  await page.getByRole('searchbox').fill('by-code negative');
  await expect.poll(() => itemsIn(page).count()).toBe(1);
  await page.getByRole('searchbox').fill('no such text');
  await page.getByText('Nothing matches').waitFor();
});

test('the chart filters by section', async () => {
  const page = await open('red');
  await page.getByRole('button', { name: /^Webhook delivery payload/ }).click();
  await expect.poll(() => page.locator('[id="adjustment.is-relative"]').count()).toBe(0);
});

test('copies an exchange as curl, and all exchanges as a shell script', async () => {
  const page = await open('red');
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Copy as curl' }).first().click();
  await expect.poll(copied).toMatch(/^curl .*"\$GIFTCARD_API_KEY"/);
  await page.getByRole('button', { name: 'Copy as a shell script' }).first().click();
  await expect.poll(copied).toMatch(/^# Set these variables first: .*GIFTCARD_API_KEY.*\n.*curl/);
});

test('a link to an item opens it', async () => {
  const page = await open('green', {}, '#adjustment.is-relative');
  await page.locator('[id="adjustment.is-relative"][open]').getByText('Exchanges').waitFor();
});

test('the sequence has deliveries in the order of time', async () => {
  const page = await open('red', {}, '#delivery.payload.total-issued-counts-top-ups');
  const item = page.locator('[id="delivery.payload.total-issued-counts-top-ups"]');
  await item.getByText('Service to Receiver:').first().waitFor({ state: 'attached' });
  expect(await item.locator('.lane-names').innerText()).toMatch(/Client\s*Service\s*Receiver/);
});

test('/ searches, j and k move, Enter opens', async () => {
  const page = await open('red');
  await page.keyboard.press('/');
  await page.keyboard.type('relative');
  await page.keyboard.press('Tab');
  await page.keyboard.press('j');
  const item = page.locator('[id="adjustment.is-relative"]');
  await expect.poll(() => item.locator('> summary').evaluate((summary) => summary === document.activeElement)).toBe(true);
  const before = await item.getAttribute('open');
  await page.keyboard.press('Enter');
  await expect.poll(() => item.getAttribute('open')).not.toBe(before);
});

test('prints failures with their details, and no filters', async () => {
  const page = await open('red', { scheme: 'dark' });
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('searchbox').isVisible()).toBe(false);
  expect(await page.locator('.item').first().getByText('Expected').isVisible()).toBe(true);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light');
});

test('runs of one target are a trend, in the order of time, with their differences', async () => {
  const page = await open('trend');
  await page.getByRole('heading', { name: '3 runs of http://127.0.0.1' }).waitFor();
  expect(await page.getByRole('columnheader').allInnerTexts()).toHaveLength(4);
  const rows = page.locator('.matrix button[aria-expanded]');
  const different = await rows.count();
  await page.getByRole('button', { name: /^differences/ }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(different);
});

test.each([1280, 390] as const)(
  'results of several targets are a matrix; a row opens with its evidence, %i px',
  async (width) => {
    const page = await open('matrix', { width });
    await page.getByRole('heading', { name: '3 results' }).waitFor();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(
      ['Rule', 'mock', 'lawful', 'twice'].map((name) => expect.stringContaining(name)),
    );
    await page.getByRole('button', { name: /^failures/ }).click();
    await page.getByRole('button', { name: 'adjustment.positive-tops-up' }).click();
    await page.getByText('Exchanges').first().waitFor();
    await expectAccessible(page);
  },
);

test('without scripts, the page is the text report', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(pageNamed('red')).href);
  expect(await page.locator('#text').isVisible()).toBe(true);
  expect(await page.locator('#text').innerText()).toContain('Expected');
});
