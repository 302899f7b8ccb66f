import { expect, test } from 'vitest';
import { startMock } from '../index.ts';

test('the profile of a small world has only what the world has', async () => {
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

test('without control API the profile has no clock; behaviors appear', async () => {
  const variant = { behaviors: { 'http.date-form': 'seconds-and-z' } } as const;
  await using mock = await startMock({ listen: false, control: false, rateLimit: 'off', variant });
  expect(mock.profile()).toMatchObject({ noRateLimit: true });
  for (const entry of ['clock', 'timesShownExactly']) expect(mock.profile()).not.toHaveProperty(entry);
});

test('the profile names the address of a control API with its own port', async () => {
  await using mock = await startMock({ controlPort: 0 });
  expect(mock.profile()).toHaveProperty('clock.advance.url', `${mock.controlUrl}/__mock/accounts/main/clock/advance`);
});
