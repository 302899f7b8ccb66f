import { expect, test } from 'vitest';
import { expectAccessible, useDashboard, windows } from './fixture.ts';

const cards = Array.from({ length: 60 }, (_, index) => ({ code: `CARD-${index}`, createdDaysAgo: index + 1 }));
const dashboard = useDashboard({
  world: {
    accounts: [
      { id: 'main', cards },
      { id: 'other', currency: 'EUR', locale: 'de-DE', cards: [{ code: 'EURO-1', balance: 5 }] },
      { id: 'empty' },
      { id: 'basic', plan: 'Basic' },
    ],
  },
});

test('new cards appear at the top; they do not move what the user reads, and are shown by a button', async () => {
  const page = await dashboard.open('cards');
  await page.getByRole('link', { name: 'CARD-0', exact: true }).waitFor();
  await dashboard.request('POST', '/api/GiftCard/Create', { balance: 5, code: 'LIVE-1' });
  await page.getByRole('link', { name: 'LIVE-1' }).waitFor();

  const row = page.getByRole('link', { name: 'CARD-25', exact: true });
  await row.scrollIntoViewIfNeeded();
  const top = async () => (await row.boundingBox())?.y ?? 0;
  const before = await top();
  await dashboard.request('POST', '/api/GiftCard/Create', { balance: 5, code: 'LIVE-2' });
  const shown = page.getByRole('button', { name: '1 new' });
  await shown.waitFor();
  expect(Math.abs((await top()) - before)).toBeLessThan(1);
  await shown.click();
  await expect.poll(() => page.locator('.rows').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await shown.waitFor({ state: 'detached' });
});

test('an address that cannot be decoded is named', async () => {
  const page = await dashboard.open('cards');
  await page.goto('about:blank');
  await page.goto(`${dashboard.mock.url}/__mock/#/%E0%A4%A/cards`);
  await page.getByText('The sandbox has no account %E0%A4%A.').waitFor();
});

test('Pause shows no changes until the user continues', async () => {
  const page = await dashboard.open('cards?search=PAUSE');
  await page.getByRole('button', { name: 'Live' }).click();
  const before = page.getByText('No card matches');
  await before.waitFor();
  await dashboard.request('POST', '/api/GiftCard/Create', { balance: 5, code: 'PAUSED-1' });
  await dashboard.mock.settled();
  expect(await before.count()).toBe(1);
  await page.getByRole('button', { name: 'Paused' }).click();
  await page.getByRole('link', { name: 'PAUSED-1' }).waitFor();
});

test('a page of cards is followed by the next', async () => {
  const page = await dashboard.open('cards?search=CARD');
  await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.locator('tbody tr').count()).toBe(60);
});

test('keys: / searches, j and k move, Esc closes, ? lists the keys', async () => {
  const page = await dashboard.open('cards?search=CARD-1');
  await page.getByRole('link', { name: 'CARD-1', exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'CARD-1', exact: false }).first().waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'CARD-10' }).waitFor();
  await page.keyboard.press('k');
  await page.getByRole('heading', { name: /^CARD-1 / }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await page.keyboard.type('5?');
  expect(await page.getByRole('searchbox').inputValue()).toBe('CARD-15?');
  await page.getByRole('searchbox').blur();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the panel takes the focus; when it closes, its row has the focus', async () => {
  const page = await dashboard.open('cards?search=CARD-1');
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent);
  await page.getByRole('link', { name: 'CARD-10', exact: true }).click();
  await expect.poll(focused).toBe('Detail');
  await page.keyboard.press('j');
  await page.getByRole('heading', { name: 'CARD-11' }).waitFor();
  await expect.poll(focused).toBe('Detail');

  await page.getByRole('button', { name: 'Void', exact: true }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Void');
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe('CARD-11');

  await page.getByRole('button', { name: 'Create card' }).click();
  await expect.poll(focused).toBe('Detail');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => page.evaluate(() => document.activeElement?.className)).toBe('rows');
});

test('Escape in the search field clears and leaves it; only the next Escape closes the panel', async () => {
  const page = await dashboard.open('cards?search=CARD-1');
  await page.getByRole('link', { name: 'CARD-10', exact: true }).click();
  await page.getByRole('heading', { name: 'CARD-10' }).waitFor();
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.url()).not.toContain('search=');
  expect(await page.getByRole('searchbox').inputValue()).toBe('');
  expect(await page.locator('input:focus').count()).toBe(0);
  expect(await page.getByRole('complementary').count()).toBe(1);
  await page.keyboard.press('Escape');
  await page.getByRole('complementary').waitFor({ state: 'detached' });
});

test.each(windows.slice(1, 3))('creates and resets an account at $width px', async (window) => {
  const page = await dashboard.open('cards', window, 'other');
  const press = async (name: string) => {
    if (window.width === 390) await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name }).click();
  };
  await press('New account');
  await page.getByRole('status').getByText('was created').waitFor();
  const { id, apiKey } = dashboard.mock.accounts.at(-1) ?? {};
  expect(page.url()).toContain(`#/${id}/cards`);
  await fetch(`${dashboard.mock.url}/api/GiftCard/Create`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey ?? '' },
    body: JSON.stringify({ balance: 5, code: 'GONE-1' }),
  });
  const created = page.getByRole('link', { name: 'GONE-1' });
  await created.waitFor();
  await press('Reset');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('status').getByText('was reset').waitFor();
  await created.waitFor({ state: 'detached' });
  await expectAccessible(page);
});

test('the key of the account is copied; an account without API access has a reason in place of the key', async () => {
  const page = await dashboard.open('cards');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy key' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(dashboard.mock.apiKey);
  await page.getByLabel('Account').selectOption('basic');
  await page.getByText('has no API access: its plan is Basic').waitFor();
  expect(await page.getByRole('button', { name: /Copy key|Copied/ }).count()).toBe(0);
});

test('the account switch shows the cards of another account, in its format', async () => {
  const page = await dashboard.open('cards');
  await page.getByLabel('Account').selectOption('other');
  await page.getByText('5,00 €').waitFor();
  expect(page.url()).toMatch(/#\/other\/cards$/);
});

test('an account without cards shows how to create one', async () => {
  const page = await dashboard.open('cards');
  await page.getByLabel('Account').selectOption('empty');
  await page.getByText('curl').waitFor();
  await expectAccessible(page);
});

test('an unknown account is named', async () => {
  const page = await dashboard.open('cards');
  await page.goto(page.url().replace('/main/', '/none/'));
  await page.getByText('no account none').waitFor();
  await page.getByRole('link', { name: 'main' }).click();
  await page.getByRole('link', { name: 'CARD-0', exact: true }).waitFor();
});

test.each(windows.slice(1, 3))('freezes and advances the clock at $width px, and says what that caused', async (window) => {
  const page = await dashboard.open('cards', window);
  await page.getByRole('button', { name: 'Freeze' }).click();
  await page.getByText('frozen', { exact: true }).waitFor();
  await page.getByRole('button', { name: '+1 day' }).click();
  await page.getByText('nothing fell due').waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByText('running', { exact: true }).waitFor();
});

test('the theme is kept', async () => {
  const page = await dashboard.open('cards');
  await page.getByLabel('Theme').selectOption('dark');
  await page.reload();
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
  expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(20, 20, 23)');
});

test('at 390 px, the views are a bar at the bottom that scrolls', async () => {
  const page = await dashboard.open('cards', { width: 390 });
  await page.getByRole('link', { name: 'Faults' }).click();
  await expect.poll(() => page.title()).toContain('Faults');
  expect((await page.getByRole('link', { name: 'Faults' }).boundingBox())?.y).toBeGreaterThan(600);
  await expectAccessible(page);
});
