import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

test('a small world gives what it has and nothing else', async () => {
  await using mock = await startMock({
    listen: false,
    world: {
      accounts: [
        {
          id: 'one',
          plan: 'Plus',
          codeFormat: 'A.##',
          keys: [{ key: 'the-key' }],
          cards: [{ code: 'LUNCH', kind: 'voucher', initialValue: 5 }],
        },
      ],
    },
  });
  expect(mock.profile()).toEqual({
    plusKey: 'the-key',
    keyDescription: 'Sandbox key',
    voucherCode: 'LUNCH',
    generatedCodePattern: '^A\\.[0-9][0-9]$',
    defaultExpiryDays: 0,
    playMoney: true,
    timesShownExactly: true,
    receiver: {},
    clock: {
      advance: { method: 'POST', url: '/__mock/accounts/one/clock/advance', body: { by: '{duration}' } },
    },
  });
});

test('a closed door moves no clock, and behaviors are told as they are', async () => {
  const facts = {
    facts: { 'http.date-form': 'seconds-and-z', 'gift-card.get-by-source.source-parameter': 'giftCardSourceId' },
  } as const;
  await using mock = await startMock({ listen: false, control: false, rateLimit: 'off', facts });
  const { clock, timesShownExactly, noRateLimit, channelCard } = mock.profile();
  expect([clock, timesShownExactly, noRateLimit]).toEqual([undefined, undefined, true]);
  expect(channelCard?.parameters).toEqual({ platform: 'accountPlatformId', source: 'giftCardSourceId' });
});

test('a door of its own is named with its address', async () => {
  await using mock = await startMock({ controlPort: 0 });
  expect(mock.profile().clock?.advance.url).toBe(`${mock.controlUrl}/__mock/accounts/main/clock/advance`);
});
