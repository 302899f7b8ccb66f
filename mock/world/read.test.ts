import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorldFileError } from './description.ts';
import { parseWorld, readDescription, readWorldFile, worldOf } from './read.ts';

async function problemsOf(text: string): Promise<readonly string[]> {
  const error = await parseWorld(text, 'world.yaml').then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WorldFileError);
  return (error as WorldFileError).problems;
}

describe('a short file', () => {
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

  it('does not change the given value', () => {
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

  it('that is missing or a folder is refused in one sentence', async () => {
    const path = join(folder, 'nowhere.yaml');
    await expect(readWorldFile(path)).rejects.toThrow(`The world file ${path} cannot be read: there is no such file.`);
    await expect(readWorldFile(folder)).rejects.toThrow(`The world file ${folder} cannot be read: it is a folder.`);
  });

  it('that is not UTF-8 is refused in one sentence', async () => {
    const path = join(folder, 'latin.yaml');
    writeFileSync(path, Buffer.from('accounts:\n  - name: Caf\xe9\n', 'latin1'));
    await expect(readWorldFile(path)).rejects.toThrow(/UTF-8/);
  });
});

const account = (text: string) => `accounts:\n  - id: a\n${text.replaceAll(/^/gm, '    ')}`;

describe('every error is reported with file, line, place and value', () => {
  it.each([
    ['', /^world\.yaml.*must be an object/],
    ['hello', /the content must be an object, got "hello"/],
    ['accounts: []', /line 1: accounts must not be empty/],
    ['behaviors: {}', /line 1: "behaviors" belongs to a variant file .*--variant FILE/],
    ['accounts: [', /^world\.yaml, line 1: /],
    ['{\n "accounts": [{ "id": "a" }\n}', /^world\.yaml, line 3: /],
    ['accounts:\n  - id: a\n    id: b', /^world\.yaml, line 3: /],
    ['accounts: [{}]\n---\naccounts: [{}]', /^world\.yaml, line 2: /],
    ['accounts: [{ id: Main }]', /line 1: account Main: id must match .*, got "Main"/],
    [account('plam: Pro'), /line 3: account a: "plam" .*Did you mean "plan"\?/],
    [account('behaviors: {}'), /line 3: account a: "behaviors" .*behaviors:/],
    [account('overrides: []'), /line 3: account a: "overrides" .*overrides:/],
    [account('cards: [{ recipientEmail: x }]'), /line 3: account a, card #1: "recipientEmail" .*Did you mean/],
    [account('plan: Por'), /line 3: account a: plan .*Basic, Pro, Plus, Enterprise, got "Por"\. Did you mean "Pro"\?/],
    [account('cards: [{ code: 1234 }]'), /line 3: account a, card #1: code .* string, got 1234; put it in quotes\./],
    [account('cards:\n  - { code: A, expiresAtUtc: tomorrow }'), /line 4: account a, card A: expiresAtUtc .*got "tomorrow"/],
    [account('keys: [{ description: x }]'), /line 3: account a, key #1: "key" is missing/],
    [
      account('channels: [{ id: c, acceptsCodes: "[" }]'),
      /account a, channel c: acceptsCodes .* regular expression .*, got "\["/,
    ],
    [account('currency: USX'), /line 3: account a: currency .*"USX"/],
    [account('timeZone: Europe/Lisbn'), /account a: timeZone .*IANA.*"Europe\/Lisbn"/],
    [account('locale: e'), /account a: locale .*"e"/],
    [account('cards: [{ code: A, balance: 1.005 }]'), /account a, card A: amount 1\.005 .* 2 decimals in USD/],
    [account('currency: JPY\nautomations: [{ name: N, amount: 1.5 }]'), /automation N: amount 1.5 .* 0 decimals in JPY/],
    [account('cards: [{ code: Aa }, { code: aA }]'), /account a, card aA: code "aA"/],
    [
      account('cards:\n      - { code: FIRST, uniqueId: u }\n      - { code: SECOND, uniqueId: u }'),
      /line 5: account a, card SECOND: uniqueId "u"/,
    ],
    [account('cards: [{ uniqueId: u }, { uniqueId: u }]'), /card #2: uniqueId "u"/],
    [
      account('cards: [{ code: A, adjustments: [{ amount: 1, uniqueAdjustmentId: u }, { amount: 1, uniqueAdjustmentId: u }] }]'),
      /card A, adjustment #2: uniqueAdjustmentId "u"/,
    ],
    [
      account('cards: [{ inChannels: { online-store: { sourceId: s } } }, { inChannels: { online-store: { sourceId: s } } }]'),
      /card #2, channel online-store: sourceId "s"/,
    ],
    ['accounts: [{ id: a }, { id: a, keys: [] }]', /account a: id "a"/],
    ['accounts: [{}, { id: main, keys: [] }]', /account main: id "main"/],
    ['accounts: [{ id: a, keys: [{ key: k }] }, { id: b, keys: [{ key: k }] }]', /account b, key #1: key is used twice/],
    [account('coupons: [{ code: C }, { code: c }]'), /account a, coupon c: code "c"/],
    [account('cards: [{ code: A, sendAsGift: true, buyerName: B }]'), /card A: sendAsGift .*recipientName and buyerName/],
    [account('cards: [{ code: A, automation: Nothing }]'), /card A: automation .*"Nothing"/],
    [account('cards: [{ code: A, inChannels: { online-stor: {} } }]'), /card A: channel "online-stor" .*online-store/],
    [account('webhooks: [{ url: "ftp://x.example" }]'), /account a, webhook ftp:\/\/x\.example: url .*https\?/],
  ])('%j', async (text, message) => {
    expect((await problemsOf(text)).join('\n')).toMatch(message);
  });

  it('JSON has lines, too', async () => {
    expect((await problemsOf('{"accounts": [\n{"id": "a",\n"plan": "Por"}]}')).join()).toMatch(/^world\.yaml, line 3: account a/);
  });

  it.each([
    ['expiresAtUtc: 2030-01-01T00:00:00Z, expiresInDays: 1', /expiresAtUtc and expiresInDays/],
    ['giftScheduledForUtc: null, giftScheduledInDays: 1', /giftScheduledForUtc and giftScheduledInDays/],
    ['createdAtUtc: 2030-01-01T00:00:00Z, createdDaysAgo: 1', /createdAtUtc and createdDaysAgo/],
    ['updatedAtUtc: 2030-01-01T00:00:00Z, updatedDaysAgo: 1', /updatedAtUtc and updatedDaysAgo/],
    [
      'adjustments: [{ amount: 1, actionedAtUtc: 2030-01-01T00:00:00Z, actionedDaysAgo: 1 }]',
      /actionedAtUtc and actionedDaysAgo/,
    ],
    ['status: Expired, expiresInDays: 1', /status Expired/],
    ['status: Active, expiresInDays: -1', /status Active .*expiresInDays -1/],
    ['status: Scheduled, giftScheduledInDays: -1', /status Scheduled/],
    ['balance: 5, initialValue: 10, adjustments: [{ amount: -4 }]', /balance .*5.*10.*6/],
    ['balance: 5, adjustments: [{ amount: 6 }]', /balance 5 .*-1/],
    ['status: Redeemed, balance: 3', /status .*Redeemed.* 3/],
    ['status: Voided, balance: 3', /balance .*void.*3/],
    ['kind: voucher, initialValue: 5, balance: 3', /voucher/],
  ])('a card with %s', async (card, message) => {
    const problems = (await problemsOf(account(`cards:\n  - { code: A, ${card} }`))).join('\n');
    expect(problems).toContain('account a, card A');
    expect(problems).toMatch(message);
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

it('reads one account with the given ID', () => {
  expect(readDescription({ plan: 'Plus' }, 'fresh')).toMatchObject({
    id: 'fresh',
    plan: 'Plus',
    keys: [{ key: 'sandbox-key-fresh-not-a-real-key' }],
  });
  expect(readDescription({ id: 'own' }, 'fresh').id).toBe('own');
  expect(() => readDescription({ plna: 'Plus' }, 'fresh')).toThrow(/^The account: .*"plna".*"plan"/);
});
