import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountOf, parseWorld, readWorldFile, WorldFileError, worldOf } from './read.ts';

async function problemsOf(text: string): Promise<readonly string[]> {
  const error = await parseWorld(text, 'world.yaml').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WorldFileError);
  return (error as WorldFileError).problems;
}

describe('a tiny file', () => {
  it('is one account of defaults with a key', async () => {
    const { accounts } = await parseWorld('{}');
    expect(accounts).toMatchObject([
      {
        id: 'main',
        plan: 'Pro',
        currency: 'USD',
        keys: [{ key: 'sandbox-key-main-not-a-real-key', deleted: false }],
        channels: [{ id: 'online-store', acceptsCodes: '.+' }],
        cards: [],
      },
    ]);
  });

  it('names further accounts by their position', async () => {
    const { accounts } = await parseWorld('accounts: [{}, { currency: EUR }, { id: third, keys: [] }]');
    expect(accounts.map(({ id, keys }) => [id, keys.map(({ key }) => key)])).toEqual([
      ['main', ['sandbox-key-main-not-a-real-key']],
      ['account-2', ['sandbox-key-account-2-not-a-real-key']],
      ['third', []],
    ]);
  });

  it('reads the same from YAML and JSON, with or without comments', async () => {
    const yaml = await parseWorld('accounts:\n  - cards: [{ code: A-1, balance: 5 }]');
    expect(await parseWorld('{"accounts": [{"cards": [{"code": "A-1", "balance": 5}]}]}')).toEqual(yaml);
    expect(await parseWorld('{"accounts": [{"cards": [{"code": "A-1", "balance": 5}]}], # yes\n}')).toEqual(yaml);
  });

  it('leaves the value that it was given as it is', () => {
    const given = { accounts: [{}] };
    worldOf(given);
    expect(given).toEqual({ accounts: [{}] });
  });
});

describe('a file', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'world-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is read from disk', async () => {
    const path = join(folder, 'world.yaml');
    writeFileSync(path, 'accounts:\n  - id: from-disk\n');
    expect((await readWorldFile(path)).accounts[0]?.id).toBe('from-disk');
  });

  it('that is missing or a folder is told in one sentence', async () => {
    const path = join(folder, 'nowhere.yaml');
    await expect(readWorldFile(path)).rejects.toThrow(`The world file ${path} cannot be read: there is no such file.`);
    await expect(readWorldFile(folder)).rejects.toThrow(`The world file ${folder} cannot be read: it is a folder.`);
  });

  it('that is not UTF-8 is told in one sentence', async () => {
    const path = join(folder, 'latin.yaml');
    writeFileSync(path, Buffer.from('accounts:\n  - name: Caf\xe9\n', 'latin1'));
    await expect(readWorldFile(path)).rejects.toThrow(`The world file ${path} is no text in UTF-8; save it in that encoding.`);
  });
});

const account = (text: string) => `accounts:\n  - id: a\n${text.replaceAll(/^/gm, '    ')}`;

describe('what is wrong is told with file, place, value and way out', () => {
  it.each([
    ['', 'world.yaml: it is empty; describe accounts, or leave the world file out for the default world.'],
    ['hello', 'world.yaml: the content "hello" must be a set of properties.'],
    ['accounts: []', 'world.yaml, line 1: accounts must not be empty; leave it out for its default.'],
    ['accounts: [', 'world.yaml, line 1: '],
    [
      '{\n "accounts": [{ "id": "a" }\n}',
      'world.yaml, line 3: it cannot be read on from here; look for a comma, a quote or a bracket that is missing or too many.',
    ],
    [
      '{"accounts": [{ "id": "a", "name": "n: {",\n "id": "b" }]}',
      'world.yaml, line 2: "id" stands there before; leave one of them out.',
    ],
    [
      'accounts:\n  - id: a\n    id: b',
      'world.yaml, line 3: a name stands here that stands there before; leave one of them out.',
    ],
    [
      'accounts: [{}]\n---\naccounts: [{}]',
      'world.yaml, line 2: a second document begins here; leave it out, with the line of hyphens before it.',
    ],
    ['accounts: [{ id: Main }]', 'world.yaml, line 1: account Main: id "Main" must fit ^[a-z0-9][a-z0-9-]{0,62}$.'],
    [account('plam: Pro'), 'world.yaml, line 2: account a: "plam" is no property of it. Did you mean "plan"?'],
    [
      account('cards: [{ recipientEmail: x }]'),
      'world.yaml, line 3: account a, card #1: "recipientEmail" is no property of it. Did you mean',
    ],
    [
      account('plan: Por'),
      'world.yaml, line 3: account a: plan "Por" must be one of Basic, Pro, Plus, Enterprise. Did you mean "Pro"?',
    ],
    [account('cards: [{ code: 1234 }]'), 'world.yaml, line 3: account a, card #1: code 1234 must be a text; put it in quotes.'],
    [
      account('cards:\n  - { code: A, expiresAtUtc: tomorrow }'),
      'world.yaml, line 4: account a, card A: expiresAtUtc "tomorrow" is no moment',
    ],
    [account('keys: [{ description: x }]'), 'world.yaml, line 3: account a, key #1: it lacks "key"; give it one.'],
    [
      account('channels: [{ id: c, acceptsCodes: "[" }]'),
      'account a, channel c: acceptsCodes "[" is no regular expression that can be read.',
    ],
    [
      account('currency: UDS'),
      'world.yaml, line 3: account a: currency "UDS" is no ISO 4217 code, such as USD or EUR. Did you mean "USD"?',
    ],
    [
      account('timeZone: Europe/Lisbn'),
      'account a: timeZone "Europe/Lisbn" is no IANA name, such as Europe/Lisbon. Did you mean "Europe/Lisbon"?',
    ],
    [account('locale: e'), 'account a: locale "e" is no BCP 47 tag'],
    [account('cards: [{ code: A, balance: 1.005 }]'), 'account a, card A: balance 1.005 has more decimals than USD has (2)'],
    [
      account('currency: JPY\nautomations: [{ name: N, amount: 1.5 }]'),
      'account a, automation N: amount 1.5 has more decimals than JPY has (0)',
    ],
    [
      account('cards: [{ code: Aa }, { code: aA }]'),
      'account a, card aA: its code, in any letter case, is already that of card #1 (Aa); give each its own.',
    ],
    [
      account('cards:\n      - { code: FIRST, uniqueId: u }\n      - { code: SECOND, uniqueId: u }'),
      'world.yaml, line 5: account a, card SECOND: its uniqueId is already that of card #1 (FIRST); give each its own. The other stands on line 4.',
    ],
    [
      account('cards: [{ uniqueId: u }, { uniqueId: u }]'),
      'account a, card #2: its uniqueId is already that of card #1; give each its own.',
    ],
    [
      account('cards: [{ code: A, adjustments: [{ amount: 1, uniqueAdjustmentId: u }, { amount: 1, uniqueAdjustmentId: u }] }]'),
      'account a, card A, adjustment #2: its uniqueAdjustmentId is already that of card A, adjustment #1; give each its own.',
    ],
    [
      account('cards: [{ inChannels: { online-store: { sourceId: s } } }, { inChannels: { online-store: { sourceId: s } } }]'),
      'account a, card #2, channel online-store: its sourceId is already that of card #1; give each its own.',
    ],
    ['accounts: [{ id: a }, { id: a, keys: [] }]', 'account a: its id is already that of account #1 (a); give each its own.'],
    ['accounts: [{}, { id: main, keys: [] }]', 'account main: its id is already that of account #1 (main); give each its own.'],
    [
      'accounts: [{ id: a, keys: [{ key: k }] }, { id: b, keys: [{ key: k }] }]',
      'account b, key #1: its key is already that of account a, key #1; give each its own.',
    ],
    [
      account('coupons: [{ code: C }, { code: c }]'),
      'account a, coupon c: its code, in any letter case, is already that of coupon #1 (C)',
    ],
    [
      account('cards: [{ code: A, sendAsGift: true, buyerName: B }]'),
      'card A: sendAsGift is true, which needs recipientName and buyerName.',
    ],
    [
      account('cards: [{ code: A, automation: Nothing }]'),
      'card A: automation "Nothing" is no automation of the account. It has none.',
    ],
    [
      account('cards: [{ code: A, inChannels: { online-stor: {} } }]'),
      'card A: inChannels names "online-stor", which is no channel of the account. It has: online-store. Did you mean "online-store"?',
    ],
    [
      account('webhooks: [{ url: "ftp://x.example" }]'),
      'account a, webhook ftp://x.example: url "ftp://x.example" must fit ^https?://.',
    ],
    [
      account('webhooks: [{ url: "https://x.example", failures: 6, enabled: true }]'),
      'enabled is true, but with 6 failures it is disabled for good',
    ],
    [
      account('codeFormat: "A#"\nsampleCards: 6'),
      'account a: codeFormat "A#" has too few codes for 6 cards without one; give it more X or #.',
    ],
  ])('%j', async (text, sentence) => {
    expect((await problemsOf(text)).join('\n')).toContain(sentence);
  });

  it.each([
    ['expiresAtUtc: 2030-01-01T00:00:00Z, expiresInDays: 1', 'expiresAtUtc and expiresInDays are both given; leave one out.'],
    ['giftScheduledForUtc: null, giftScheduledInDays: 1', 'giftScheduledForUtc and giftScheduledInDays are both given'],
    ['createdAtUtc: 2030-01-01T00:00:00Z, createdDaysAgo: 1', 'createdAtUtc and createdDaysAgo are both given'],
    ['updatedAtUtc: 2030-01-01T00:00:00Z, updatedDaysAgo: 1', 'updatedAtUtc and updatedDaysAgo are both given'],
    [
      'adjustments: [{ amount: 1, actionedAtUtc: 2030-01-01T00:00:00Z, actionedDaysAgo: 1 }]',
      'actionedAtUtc and actionedDaysAgo are both given',
    ],
    ['status: Expired, expiresInDays: 1', 'status is Expired, but its expiry has not come'],
    ['status: Active, expiresInDays: -1', 'status is Active, but expiresInDays -1 has passed'],
    ['status: Scheduled, giftScheduledInDays: -1', 'status is Scheduled, but nothing is ahead of it'],
    ['createdDaysAgo: 1, updatedDaysAgo: 2', 'updatedDaysAgo 2 is before createdDaysAgo 1'],
    [
      'balance: 5, initialValue: 10, adjustments: [{ amount: -4 }]',
      'balance is 5, but the initial value 10 and all adjustments make 6',
    ],
    ['balance: 5, adjustments: [{ amount: 6 }]', 'make an initial value of -1; it cannot be below zero'],
    ['status: Redeemed, balance: 3', 'status is Redeemed, but 3 is left'],
    ['status: Voided, balance: 3', 'balance is 3, but a voided card holds nothing'],
    ['kind: voucher, initialValue: 5, balance: 3', 'a voucher is redeemed in full or not at all'],
  ])('a card with %s', async (card, sentence) => {
    expect((await problemsOf(account(`cards:\n  - { code: A, ${card} }`))).join('\n')).toContain(`account a, card A`);
    expect((await problemsOf(account(`cards:\n  - { code: A, ${card} }`))).join('\n')).toContain(sentence);
  });

  it('says the first problem and counts the others', async () => {
    await expect(parseWorld(account('plan: Por\nlocale: 5\nname: 6'), 'w.yaml')).rejects.toThrow(
      /^w\.yaml, line 3: .*\(And 2 more problems\.\)$/,
    );
  });

  it('never shows a key or a token', async () => {
    const problems = await problemsOf(
      account('keys: [{ key: "se cret" }]\nwebhooks: [{ url: "https://x.example", requestHeaderVerificationToken: 77 }]'),
    );
    expect(problems).toHaveLength(2);
    expect(problems.join('\n')).not.toMatch(/se cret|77/);
  });
});

it('reads one account, under the id that it is given', () => {
  expect(accountOf({ plan: 'Plus' }, 'fresh')).toMatchObject({
    id: 'fresh',
    plan: 'Plus',
    keys: [{ key: 'sandbox-key-fresh-not-a-real-key' }],
  });
  expect(accountOf({ id: 'own' }, 'fresh').id).toBe('own');
  expect(() => accountOf({ plna: 'Plus' }, 'fresh')).toThrow('The account: "plna" is no property of it. Did you mean "plan"?');
});
