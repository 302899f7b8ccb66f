import { describe, expect, test } from 'vitest';
import type { Account } from '../account/account.ts';
import { listDeliveries } from '../control/effects.ts';
import { getChain, listAdvice, listJournal, listSandboxJournal } from '../control/journal.ts';
import { serveNow } from '../pipeline/handle.ts';
import type { CardRecord } from '../state/records.ts';
import { journaledAccount } from '../testing/account-fixture.ts';
import { sandboxOf } from '../testing/fixture.ts';
import type { AccountDescription } from '../world/generated/described.ts';
import { isSecretName, JournalRedactor, redactHeaders, redactUrls } from './redaction.ts';

describe('secrets are masked', () => {
  const key = 'sandbox-key-that-must-be-masked';
  const account: AccountDescription = { keys: [{ key, description: 'Key' }] };

  test('in headers, addresses and bodies', () => {
    const { sandbox, entries } = journaledAccount(account);
    const body = (text: string) => Buffer.from(text);
    const url = 'https://hook.example/x';
    for (const text of [
      `{"url":"${url}","requestHeaderVerificationToken":"s3cret"}`,
      `{"url":"${url}","requestHeaderVerificationToken" : "s3cret \\" more s3cret"}`,
      `{"requestHeaderVerificationToken":"s3cret`,
      `{"requestHeaderVerificationToken":["s3cret"],"x":1}`,
      `{"requestHeaderVerificationToken" : {"a":"s3cret"}}`,
      `{"requestHeaderVerificationToken":["s3cret`,
      `{"requestHeaderVerificationToken":"s3cret${'x'.repeat(20_000)}"}`,
      `{"url":"${url}","description":"my key is ${key}"}`,
      `{"url":"https://shop:s3cret@hook.example/x?token=s3cret"}`,
      `{"url":"http://shop:s3cret@hook.example/refused"}`,
      String.raw`{"request\u0048eaderVerification\u0054oken":"s3cret","url":"https:\/\/shop:s3cret@h.example?a=1\u0026sig=s3cret"}`,
      `{"RequestHeaderVerificationToken":"s3cret", 'requestHeaderVerificationToken': 's3cret'}`,
      'requestHeaderVerificationToken=s3cret&url=https%3A%2F%2Fshop%3As3cret%40h.example%2Fx%3Fa%3D1%26sig%3Ds3cret',
      '<requestHeaderVerificationToken>s3cret</requestHeaderVerificationToken>',
      '{"requestHeaderVerificationToken":null,"x":"https://h.example/?%73ig=s3cret"}',
    ]) {
      const headers = { 'x-api-key': key, authorization: 'Bearer s3cret', cookie: 'a=s3cret', 'x-auth-token': 's3cret' };
      serveNow(sandbox, { method: 'POST', target: `/api/Webhook/Create?api_key=${key}&token=s3cret`, headers, body: body(text) });
    }
    expect(JSON.stringify(entries())).not.toContain('s3cret');
    expect(JSON.stringify(entries())).not.toContain(key);
    expect(entries()).toHaveLength(15);
    expect(entries()[8]?.response?.body).toContain('"https://shop:***@hook.example/x?token=***"');
    expect(entries()[14]?.request?.body).toContain('"requestHeaderVerificationToken":null');
    expect(entries()[0]?.request).toMatchObject({
      target: '/api/Webhook/Create?api_key=***&token=***',
      headers: { 'x-api-key': '***', authorization: '***', cookie: '***', 'x-auth-token': '***' },
      body: `{"url":"${url}","requestHeaderVerificationToken":"***"}`,
    });
  });

  test('in advice', () => {
    const { send, sandbox, account: holder, entries } = journaledAccount(account);
    send('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'a', [key]: 1, 'https://u:s3cret@h.example': 2 });
    for (const shown of [entries(), listAdvice({ sandbox, account: holder })]) {
      expect(JSON.stringify(shown)).toContain('which the service does not know');
      expect(JSON.stringify(shown)).not.toMatch(`${key}|s3cret`);
    }
  });

  test('in effects', async () => {
    const {
      create,
      send,
      entries,
      sandbox,
      account: holder,
    } = journaledAccount({ webhooks: [{ url: 'http://shop:s3cret@127.0.0.1:1/hook?key=s3cret&a=1' }] });
    const card = create({ shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
    await sandbox.settled();
    const views = [
      entries(),
      getChain({ sandbox, account: holder, card: holder.state.card(card.id) as CardRecord }),
      await listDeliveries({ account: holder }),
    ];
    for (const shown of views) {
      expect(JSON.stringify(shown)).toContain('http://shop:***@127.0.0.1:1/hook?key=***&a=1');
      expect(JSON.stringify(shown)).not.toContain('s3cret');
    }
    expect(send('GET', '/api/Webhook/List').body).toMatchObject([{ url: 'http://shop:s3cret@127.0.0.1:1/hook?key=s3cret&a=1' }]);
  });

  test('under the name that an override gives it, also for a webhook that was refused or deleted', () => {
    const rows = [{ rename: 'CreateWebhookRequest.requestHeaderVerificationToken', to: 'verification' }];
    const { send, sandbox, account: holder } = sandboxOf([account], { overrides: rows });
    const made = send('POST', '/api/Webhook/Create', { url: 'https://hook.example/', verification: 'a-token-of-ours' });
    send('POST', '/api/Webhook/Create', { url: 5, verification: 'a-token-of-ours' });
    send('GET', '/api/GiftCard/GetByCode/a-token-of-ours');
    expect(JSON.stringify(listJournal({ sandbox, account: holder, query: {} }))).not.toContain('a-token-of-ours');
    send('DELETE', `/api/Webhook/Delete/${made.body.id}`);
    const [created, refused] = listJournal({ sandbox, account: holder, query: {} }).entries;
    expect([created?.response?.status, refused?.response?.status]).toEqual([200, 400]);
    for (const entry of [created, refused]) {
      expect(entry?.request?.body).toContain('"verification":"***"');
      expect(entry?.curl).toContain('GIFTCARD_SECRET');
      expect(JSON.stringify(entry)).not.toContain('a-token-of-ours');
    }
  });

  test('the key of an account is masked in other journals, too', () => {
    const other = '"key"/of<an>account';
    const { send, sandbox } = sandboxOf([account, { id: 'other', keys: [{ key: other, description: 'Key' }] }]);
    const wanted = [`/api/GiftCard/GetByCode/${encodeURIComponent(other)}`, { note: other }] as const;
    send('POST', ...wanted);
    send('POST', ...wanted, null);
    const [holder] = sandbox.accounts.values();
    const views = JSON.stringify([
      listJournal({ sandbox, account: holder as Account, query: {} }),
      listSandboxJournal({ sandbox, query: {} }),
    ]);
    expect(views).not.toContain('of<an>account');
    expect(views).not.toContain('of%3Can%3Eaccount');
    expect(views.match(/GetByCode\/\*\*\*/g)).toHaveLength(2);
  });

  test('an idempotency_key is not a secret', () => {
    const { send, last } = journaledAccount();
    send('POST', '/api/AutomationTriggerEvents', {
      event_name: 'x',
      recipient_email: 'ada@example.com',
      idempotency_key: 'order-1',
    });
    expect(last().request?.body).toContain('"idempotency_key":"order-1"');
  });
});

describe('Redactor', () => {
  test('masks known values in every spelling, the longest first', () => {
    const redactor = new JournalRedactor(['sandbox-key', 'sandbox-key-2', 'a/b "c" d e']);
    expect(redactor.values('x sandbox-key-2sandbox-key, sandbox-keysandbox-ke')).toBe('x ******, ***sandbox-ke');
    expect(redactor.values('/a%2Fb%20%22c%22%20d%20e?')).toBe('/***?');
    expect(redactor.values('{"x":"a/b \\"c\\" d e"}')).toBe('{"x":"***"}');
    expect(redactor.values('a%2Fb+%22c%22+d+e, a%2fb+%22c%22+d+e, a/b &quot;c&quot; d e')).toBe('***, ***, ***');
  });

  test('masks a short value only as a whole word, and never an empty one', () => {
    expect(new JournalRedactor(['', 'abc']).values('abc abcd xabc "abc" abc')).toBe('*** abcd xabc "***" ***');
    expect(new JournalRedactor(['']).values('')).toBe('');
  });

  test('values can be added and removed', () => {
    const redactor = new JournalRedactor(['sandbox-key']);
    redactor.add('sandbox-key-2 & more');
    expect(redactor.values('sandbox-key-2%20%26%20more sandbox-key')).toBe('*** ***');
    redactor.remove('sandbox-key-2 & more');
    expect(redactor.values('sandbox-key-2 & more')).toBe('***-2 & more');
  });

  test.each([
    '"requestHeaderVerificationToken":"',
    '\\"',
    '//u:',
    '?key=',
    '@',
    '%2F%2Fu:',
    '%26',
    '%3Fsig',
    ';a',
    '\\u0041',
    "x'",
  ])('a long body is redacted in linear time: %s', (part) => {
    for (const text of [part.repeat(60_000), `{"x":"${part.repeat(60_000)}`])
      expect(typeof new JournalRedactor(['a']).body(text)).toBe('string');
  });
});

test.each([
  ['/a?x-api-key=k&page=1', '/a?x-api-key=***&page=1'],
  ['/a?page=1&Token=k', '/a?page=1&Token=***'],
  ['/a?client_secret=k#f', '/a?client_secret=***#f'],
  ['/a?token=&b=c', '/a?token=&b=c'],
  ['https://u:p@h.example:8443/a?b=c', 'https://u:***@h.example:8443/a?b=c'],
  ['https://u:p@a@h.example?token=k', 'https://u:***@h.example?token=***'],
  ['https://u@h.example/', 'https://***@h.example/'],
  ['see https://u:p@h.example/a and mail joe@h.example', 'see https://u:***@h.example/a and mail joe@h.example'],
  ['https://h.example/a@b', 'https://h.example/a@b'],
  ['/api/GiftCard/GetByEmail?emailAddress=ada@token.example', '/api/GiftCard/GetByEmail?emailAddress=ada@token.example'],
  ['/a?idempotency_key=order-1', '/a?idempotency_key=order-1'],
  ['/a?sv=2024&se=2030&sp=r&sig=k%2Bk%3D', '/a?sv=2024&se=2030&sp=r&sig=***'],
  ['/a?X-Amz-Credential=k&X-Amz-Date=d&X-Amz-Signature=k', '/a?X-Amz-Credential=***&X-Amz-Date=d&X-Amz-Signature=***'],
  ['/a?X-Goog-Signature=k&design=k&author=k&passes=k', '/a?X-Goog-Signature=***&design=k&author=k&passes=k'],
  ['/a?pwd=k&user_pass=k&auth=k&x.otp=k&%74oken=k', '/a?pwd=***&user_pass=***&auth=***&x.otp=***&%74oken=***'],
  ['/a?to=https%3A%2F%2Fh.example%2Fb%3Fa%3Db%26token%3Dk&c=d', '/a?to=https%3A%2F%2Fh.example%2Fb%3Fa%3Db%26token%3D***&c=d'],
  ['/a?to=https%3A%2F%2Fu%3Ap%40h.example%2Fb&mail=a%40b', '/a?to=https%3A%2F%2Fu%3A***%40h.example%2Fb&mail=a%40b'],
  ['/a?email=ada%40example.com&page=1', '/a?email=ada%40example.com&page=1'],
])('%s is shown as %s', (url, shown) => {
  expect(redactUrls(url)).toBe(shown);
});

test.each(['x-api-key', 'access_key', 'token', 'client_secret', 'password', 'signature', 'authorization', 'set-cookie'])(
  '%s is a secret',
  (name) => {
    expect(isSecretName(name)).toBe(true);
    expect(redactHeaders({ [name]: 'S3CRET' })).toEqual({ [name]: '***' });
  },
);
