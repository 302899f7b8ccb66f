import { describe, expect, test } from 'vitest';
import type { Account } from '../account/account.ts';
import { deliveriesOf } from '../control/effects.ts';
import { adviceOf, cardChain, listJournal, listStrangers } from '../control/journal.ts';
import type { CardRecord } from '../state/records.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { journalled } from '../testing/journalled-fixture.ts';
import type { AccountFile } from '../world/description.ts';
import { heldBy } from './redaction/held.ts';

describe('nothing secret is shown', () => {
  const key = 'sandbox-key-that-nobody-may-see';
  const account: AccountFile = { keys: [{ key, description: 'Key' }] };

  test('in headers, addresses and bodies', () => {
    const { sandbox, account: holder, entries } = journalled(account);
    const body = (text: string) => Buffer.from(text);
    const url = 'https://hook.example/x';
    for (const text of [
      `{"url":"${url}","requestHeaderVerificationToken":"s3cret"}`,
      `{"url":"${url}","requestHeaderVerificationToken" : "s3cret \\" more s3cret"}`,
      `{"url":"${url}","requestHeaderVerificationTok\\u0065n":"s3cret"}`,
      `{"requestHeaderVerificationToken":"s3cret`,
      `{'requestHeaderVerificationToken':'s3cret'}`,
      'requestHeaderVerificationToken=s3cret&url=x',
      `{"requestHeaderVerificationToken":"s3cret${'x'.repeat(20_000)}"}`,
      `{"url":"${url}","description":"my key is ${key}"}`,
      `{"url":"https://shop:s3cret@hook.example/x?token=s3cret"}`,
      `{"url":"http://shop:s3cret@hook.example/refused"}`,
    ]) {
      const headers = { 'x-api-key': key, authorization: 'Bearer s3cret', cookie: 'a=s3cret', 'x-auth-token': 's3cret' };
      sandbox.handle({ method: 'POST', target: `/api/Webhook/Create?api_key=${key}&token=s3cret`, headers, body: body(text) });
    }
    for (const shown of [JSON.stringify(entries()), JSON.stringify(holder.journal.state())])
      expect(shown).not.toContain('s3cret');
    expect(JSON.stringify(entries())).not.toContain(key);
    expect(entries()).toHaveLength(10);
    expect(entries()[8]?.answer?.body).toContain('"https://shop:***@hook.example/x?token=***"');
    expect(entries()[0]?.request).toMatchObject({
      target: '/api/Webhook/Create?api_key=***&token=***',
      headers: { 'x-api-key': '***', authorization: 'Bearer ***', cookie: '***', 'x-auth-token': '***' },
      body: `{"url":"${url}","requestHeaderVerificationToken":"***"}`,
    });
  });

  test('in what an adviser has seen', () => {
    const { ask, account: holder, entries } = journalled(account);
    ask('POST', '/api/GiftCard/Create', { balance: 5, uniqueId: 'a', [key]: 1, 'https://u:s3cret@h.example': 2 });
    for (const shown of [entries(), adviceOf(holder)]) {
      expect(JSON.stringify(shown)).toContain('which the service does not know');
      expect(JSON.stringify(shown)).not.toMatch(`${key}|s3cret`);
    }
  });

  test('in what was caused', async () => {
    const {
      create,
      ask,
      entries,
      sandbox,
      account: holder,
    } = journalled({ webhooks: [{ url: 'http://shop:s3cret@127.0.0.1:1/hook?key=s3cret&a=1' }] });
    const card = create({ shouldSendNotification: true, recipientEmailAddress: 'ada@example.com' });
    await sandbox.settled();
    const told = [entries(), cardChain(holder, holder.state.card(card.id) as CardRecord), await deliveriesOf(holder)];
    for (const shown of told) {
      expect(JSON.stringify(shown)).toContain('http://shop:***@127.0.0.1:1/hook?key=***&a=1');
      expect(JSON.stringify(shown)).not.toContain('s3cret');
    }
    expect(ask('GET', '/api/Webhook/List').body).toMatchObject([{ url: 'http://shop:s3cret@127.0.0.1:1/hook?key=s3cret&a=1' }]);
  });

  test('under the name that a row of the wire gives it, also of a webhook that was refused or is gone', () => {
    const rows = [{ rename: 'CreateWebhookRequest.requestHeaderVerificationToken', to: 'verification' }];
    const { ask, account: holder } = sandboxOf([account], { rows });
    const made = ask('POST', '/api/Webhook/Create', { url: 'https://hook.example/', verification: 'a-token-of-ours' });
    ask('POST', '/api/Webhook/Create', { url: 5, verification: 'a-token-of-ours' });
    ask('GET', '/api/GiftCard/GetByCode/a-token-of-ours');
    expect(JSON.stringify(listJournal(holder, undefined, {}))).not.toContain('a-token-of-ours');
    ask('DELETE', `/api/Webhook/Delete/${made.body.id}`);
    const [created, refused] = listJournal(holder, undefined, {}).entries;
    expect([created?.answer?.status, refused?.answer?.status]).toEqual([200, 400]);
    for (const entry of [created, refused]) {
      expect(entry?.request?.body).toContain('"verification":"***"');
      expect(entry?.curl).toContain('GIFTCARD_SECRET');
      expect(JSON.stringify(entry)).not.toContain('a-token-of-ours');
    }
  });

  test('a key of one account is shown neither to another nor among the requests of nobody', () => {
    const other = '"key"/of<an>account';
    const { ask, sandbox } = sandboxOf([account, { id: 'other', keys: [{ key: other, description: 'Key' }] }]);
    const wanted = [`/api/GiftCard/GetByCode/${encodeURIComponent(other)}`, { note: other }] as const;
    ask('POST', ...wanted);
    ask('POST', ...wanted, null);
    const [holder] = sandbox.accounts.values();
    const held = heldBy(sandbox.accounts.values());
    const told = JSON.stringify([listJournal(holder as Account, undefined, {}, held), listStrangers(sandbox, {})]);
    expect(told).not.toContain('of<an>account');
    expect(told).not.toContain('of%3Can%3Eaccount');
    expect(told.match(/GetByCode\/\*\*\*/g)).toHaveLength(2);
  });

  test('a body that is no text makes no line where a secret is in it', () => {
    const { sandbox, last } = journalled(account);
    const send = (text: string) =>
      sandbox.handle({
        method: 'POST',
        target: '/api/Webhook/Create',
        headers: { 'x-api-key': key },
        body: Buffer.concat([Buffer.from([255]), Buffer.from(text)]),
      });
    send(`"my key is ${key}"`);
    expect(last().curl).toBeNull();
    send('nothing');
    expect(last().curl).toContain('printf');
  });

  test('an idempotency_key is no secret', () => {
    const { ask, last } = journalled();
    ask('POST', '/api/AutomationTriggerEvents', {
      event_name: 'x',
      recipient_email: 'ada@example.com',
      idempotency_key: 'order-1',
    });
    expect(last().request?.body).toContain('"idempotency_key":"order-1"');
  });
});
