import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Mock, startMock } from 'giftcard-sandbox';
import type { BrowserContext } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';

/** Writes pictures of every view to docs/public/: `npm run screenshots`, or `npm run screenshots -- cards emails` for some views. */

const out = join(import.meta.dirname, '../../docs/public');
const VIEWS = ['cards', 'requests', 'emails', 'webhooks', 'time', 'faults', 'behaviors', 'reference', 'advice'];
const WINDOWS = {
  light: { width: 1280, scheme: 'light' },
  dark: { width: 1280, scheme: 'dark' },
  narrow: { width: 390, scheme: 'light' },
} as const;

/** Lets the account main look as after some minutes of work: requests, refusals, emails, deliveries, a fault and an event of the clock. */
async function prepare(mock: Mock, receiver: string): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const init = { method, headers: { 'x-api-key': mock.apiKey, 'content-type': 'application/json' } };
    await mock.fetch(`${mock.url}/api/${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  };
  const create = (code: string, balance: number, more: object) => send('POST', 'GiftCard/Create', { code, balance, ...more });
  const adjust = (giftCardCode: string, adjustmentAmount: number, uniqueAdjustmentId: string, notes: string) => {
    const body = { giftCardCode, adjustmentAmount, uniqueAdjustmentId, notes, actionedAtUtc: new Date().toISOString() };
    return send('POST', 'GiftCardAdjustment/AddAdjustmentByGiftCardCode', body);
  };
  await send('GET', 'Company/Profile');
  await send('POST', 'Webhook/Create', {
    url: receiver,
    description: 'Shop',
    requestHeaderVerificationToken: 'not-a-real-token',
  });
  const ann = { recipientName: 'Ann Example', recipientEmailAddress: 'ann@example.com', shouldSendNotification: true };
  await create('SUMMER-2041', 40, { ...ann, uniqueId: 'order-1001' });
  await create('SUMMER-2041', 40, { ...ann, uniqueId: 'order-1001' });
  await create('THANKS-7', 15, { recipientEmailAddress: 'ben@example.com', isPromotional: true });
  await adjust('SUMMER-2041', -12.5, 'order-1002', 'Order 1002');
  await adjust('VOUCHER-0001', -5, 'order-1003', 'Order 1003');
  await adjust('ACTIVE-0001', -20, 'order-1004', 'Order 1004');
  await send('GET', 'GiftCard/GetByCode/NO-SUCH-CARD');
  await create('WEDDING-2026', 120, {
    ...{ recipientName: 'Cleo Example', recipientEmailAddress: 'cleo@example.com', buyerName: 'Ann Example' },
    ...{ giftMessage: 'All the best to both of you!', sendAsGift: true, shouldSendNotification: true },
  });
  await mock.faults.set({ fault: 'status', status: 503, operation: 'createGiftCard', nth: 3 });
  await send('DELETE', 'GiftCard/VoidByCode/THANKS-7');
  await mock.settled();
  await mock.clock.advance('P3D');
  await mock.merchant.pay('SUMMER-2041', { amount: 7.5, order: '1005' });
  await mock.settled();
}

/** Opens the view and, if it has a list, the first row, and writes a picture. WebP has a third of the size of PNG. */
async function picture(context: BrowserContext, url: string, view: string, file: string): Promise<number> {
  const page = await context.newPage();
  await page.goto(`${url}/__mock/#/main/${view}`);
  await page.getByRole('main').waitFor();
  const first = page.locator('.rows tbody a').first();
  await first.waitFor({ timeout: 3000 }).catch(() => undefined);
  if (view !== 'time' && (await first.count()) > 0 && !file.includes('narrow')) await first.click();
  await page.waitForTimeout(700); // until the detail is loaded and drawn
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 60 });
  const picture = Buffer.from(data, 'base64');
  writeFileSync(join(out, file), picture);
  await page.close();
  return picture.length;
}

const receiver = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1');
await using mock = await startMock({ seed: 1 });
const browser = await launchBrowser();
await prepare(mock, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`);
mkdirSync(out, { recursive: true });
const chosen = process.argv.slice(2);
for (const [name, window] of Object.entries(WINDOWS)) {
  const context = await openWindow(browser, window);
  for (const view of chosen.length > 0 ? chosen : VIEWS) {
    const file = `dashboard-${view}-${name}.webp`;
    const size = await picture(context, mock.url, view, file);
    process.stdout.write(`docs/public/${file} ${Math.round(size / 1024)} KB\n`);
  }
}
await browser.close();
receiver.close();
