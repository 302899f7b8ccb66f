import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { command } from '../testing/command-fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'proxy-facts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const otherNames = file(
  'names.yaml',
  `facts: { gift-card.get-by-email.shape: giftCards }
wire:
  - { rename: GiftCard.initialValue, to: openingValue }
  - { move: GiftCard.recipientName, to: recipient.name }
  - { rename: GiftCard.expiresAtUtc, to: validUntil }
  - { rename: listGiftCards.pageSize, to: size }
  - { rename: getGiftCardByCode.code, to: which }
`,
);

/** What a proxy says of a deployment that speaks by `spoken` when it reads it by `read`. */
async function watched(read: string, spoken: string | undefined, ...flags: string[]) {
  const mock = await startMock({ port: 0, facts: spoken });
  const { out } = await command(['--target', mock.url, '--facts', read, '--quiet', ...flags], async (url) => {
    const ask = (path: string, body?: unknown) =>
      fetch(`${url}/api/${path}`, {
        headers: { 'x-api-key': mock.apiKey },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      });
    await ask('GiftCard/Create', { balance: 5, code: 'FACT-1', recipientName: 'A Name' });
    await ask('GiftCard/GetByCode/FACT-1');
    await ask(`GiftCard/List?${spoken === undefined ? 'pageSize' : 'size'}=2`);
    await ask('GiftCard/GetByEmail?emailAddress=a%40example.com');
  });
  await mock.close();
  return out;
}

test('names that a deployment does not have are told, with the exchange that has them otherwise', async () => {
  const out = await watched(otherNames, undefined);
  expect(out).toContain(
    'FACTS  Of 5 names, places and wrappers in the facts file, 5 were met by no exchange, so that the file may not fit this deployment or its client.',
  );
  for (const row of [
    'getGiftCardsByEmail in giftCards (gift-card.get-by-email.shape: giftCards): #4 is not wrapped so',
    'GiftCard.initialValue under openingValue (wire): #1 has it under the name of the contract',
    'GiftCard.recipientName under recipient.name (wire): #1 has it under the name of the contract',
    'listGiftCards.pageSize under size (wire): #3 has it under the name of the contract',
  ])
    expect(out).toContain(`    ${row}\n`);
  expect(out).toMatch(/ · 5 of 5 rows of the facts not met · 4 exchanges$/m);
});

test('of a deployment that has them, nothing is said', async () => {
  const out = await watched(otherNames, otherNames);
  expect(out).not.toMatch(/FACTS|not met/);
  expect(JSON.parse(await watched(otherNames, otherNames, '--reporter', 'json')).watched.facts).toHaveLength(5);
});

test('what no exchange could show is told apart, in every report', async () => {
  const read = file(
    'some.yaml',
    'wire: [{ rename: GiftCard.initialValue, to: openingValue }, { wrap: listWebhooks, in: webhooks }]',
  );
  const spoken = file('one.yaml', 'wire: [{ rename: GiftCard.initialValue, to: openingValue }]');
  const sentence = 'Of 2 names, places and wrappers in the facts file, 1 was met by no exchange, so that nothing was read by it.';
  for (const reporter of ['text', 'markdown', 'junit', 'html']) {
    const out = await watched(read, spoken, '--reporter', reporter);
    expect(out).toContain(sentence);
    expect(out).toContain('listWebhooks in webhooks (wire): nothing passed that would show it');
    expect(out).not.toContain('openingValue (wire)');
  }
});

test('a file without any such row is said to change nothing', async () => {
  const read = file('none.yaml', 'facts: { gift-card.void.body: empty }');
  expect(await watched(read, undefined)).toContain('FACTS  The facts file has no name, place or wrapper');
});
