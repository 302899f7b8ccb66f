import { describe, expect, onTestFinished, test } from 'vitest';
import { type Mock, type MockOptions, startMock } from '../index.ts';

async function started(options: MockOptions = {}): Promise<Mock> {
  const mock = await startMock({ seed: 1, ...options });
  onTestFinished(() => mock.close());
  return mock;
}

type Links = Readonly<Record<'id' | 'code' | 'viewBalanceUrl' | 'appleWalletUrl' | 'googleWalletUrl', string>>;

const add = async (mock: Mock, card: Parameters<Mock['merchant']['addCard']>[0]) =>
  (await mock.merchant.addCard(card)) as unknown as Links;

describe('the page of a card', () => {
  test('is at every link of the card, its emails and its deliveries', async () => {
    const mock = await started({ world: { accounts: [{ webhooks: [{ url: 'http://127.0.0.1:1/' }] }] } });
    await add(mock, { code: 'GIFT-1', recipientEmailAddress: 'ada@example.com', shouldSendNotification: true });
    await mock.settled();
    const api = await mock.fetch('/api/GiftCard/GetByCode/GIFT-1', { headers: { 'x-api-key': mock.apiKey } });
    const [delivery] = await mock.deliveries.list();
    const [email] = await mock.outbox.list();
    const text = [await api.text(), delivery?.body, email?.text].join('\n');
    const links = new Set(text.match(/http:\/\/127\.0\.0\.1:\d+\/[^"\s]*/g));
    expect(links.size).toBe(5);
    for (const link of links) {
      const page = await fetch(link);
      expect([link, page.status, await page.text()]).toEqual([link, 200, expect.stringContaining('GIFT-1')]);
    }
  });

  test('shows what a recipient sees, without the power to run a script', async () => {
    const mock = await started();
    const { viewBalanceUrl, appleWalletUrl } = await add(mock, {
      balance: 1234.5,
      recipientName: 'Ann <script>alert(1)</script>',
      buyerName: 'Ben "B" & Co',
      giftMessage: 'Happy\n<b>birthday</b>',
      notes: 'internal',
      expiresAtUtc: '2030-01-31T12:00:00Z',
    });
    const page = await fetch(viewBalanceUrl);
    const html = await page.text();
    expect(html).toContain('$1,234.50');
    expect(html).toContain('January 31, 2030');
    expect(html).toContain('Ann &lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('Ben &quot;B&quot; &amp; Co');
    expect(html).toContain('&lt;b&gt;birthday&lt;/b&gt;');
    expect(html).not.toMatch(/<script|<b>|internal|http/);
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']*';/);
    expect(html).not.toContain('Wallet');
    expect(await (await fetch(appleWalletUrl)).text()).toContain('Apple Wallet');
  });

  test.each<[string, Parameters<Mock['merchant']['addCard']>[0], RegExp]>([
    ['voided', { status: 'Voided' }, /was voided/],
    ['expired', { status: 'Expired' }, /expired on \w+ \d+, \d{4}\./],
    ['used up', { adjustments: [{ amount: -25 }] }, /used up/],
    ['waiting', { status: 'Scheduled' }, /from \w+ \d+, \d{4} on/],
    ['deleted', { deleted: true }, /no longer exists/],
  ])('says that the card is %s', async (_, description, sentence) => {
    const mock = await started();
    const { viewBalanceUrl } = await add(mock, description);
    expect(await (await fetch(viewBalanceUrl)).text()).toMatch(sentence);
  });

  test('does not exist for a code or an unknown ID, or for other methods', async () => {
    const mock = await started();
    const { code, viewBalanceUrl } = await add(mock, { code: 'SECRET-1' });
    for (const id of [code, 'unknown', '..%2f', '%', '']) {
      const response = await fetch(`${mock.url}/card/${id}`);
      expect([id, response.status]).toEqual([id, 404]);
      expect(await response.text()).not.toContain('SECRET-1');
    }
    expect((await fetch(viewBalanceUrl, { method: 'HEAD' })).status).toBe(200);
    expect((await fetch(viewBalanceUrl, { method: 'POST' })).status).toBe(401);
  });

  test('needs no token and no control API', async () => {
    const open = await started({ host: '0.0.0.0', control: false });
    const { viewBalanceUrl } = await add(open, {});
    expect((await fetch(viewBalanceUrl)).status).toBe(200);
    const apart = await started({ controlPort: 0 });
    expect((await fetch((await add(apart, {})).viewBalanceUrl)).status).toBe(200);
  });
});

describe('the origin of the links', () => {
  test('is publicUrl, whose host may then show cards, but may not use the control API', async () => {
    const mock = await started({ publicUrl: 'https://cards.shop.example/' });
    const { viewBalanceUrl, id } = await add(mock, {});
    expect(viewBalanceUrl).toBe(`https://cards.shop.example/card/${id}/balance`);
    const status = async (path: string, host: string) => (await mock.fetch(path, { headers: { host } })).status;
    expect(await status(`/card/${id}/balance`, 'cards.shop.example')).toBe(200);
    expect(await status(`/card/${id}/balance`, 'other.example')).toBe(403);
    expect(await status('/__mock/accounts', 'cards.shop.example')).toBe(403);
  });

  test('without a socket, is the same in every run, and reaches the page through fetch', async () => {
    const [one, other] = await Promise.all([started({ listen: false }), started({ listen: false })]);
    const { viewBalanceUrl } = await add(one, {});
    expect((await add(other, {})).viewBalanceUrl).toBe(viewBalanceUrl);
    expect((await one.fetch(viewBalanceUrl)).status).toBe(200);
  });

  test.each(['cards.example.com', 'ftp://cards.example.com', 'https://cards.example.com/shop', '', 5])(
    'is not %o',
    async (publicUrl) => {
      await expect(startMock({ publicUrl: publicUrl as string })).rejects.toThrow(/^publicUrl must be .*, got /);
    },
  );
});
