import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NOTIFIED, shopOf } from '../testing/shop-fixture.ts';
import { sign, verifySignature } from './signature.ts';

const TOKEN = 'a shop’s own secret';

/** Computes the signature from the description in the specification, without the mock's code. */
function expected(bytes: Buffer): string {
  return createHmac('sha256', TOKEN).update(bytes).digest('base64');
}

describe('signed deliveries', () => {
  test('delivery.signed-with-token, delivery.signature-covers-raw-bytes: over the received bytes', async () => {
    const { create, sandbox, receiver } = await shopOf({}, { requestHeaderVerificationToken: TOKEN });
    create({ ...NOTIFIED, recipientName: 'Zoë "Zed" 😀\u2028' });
    await sandbox.settled();
    const [{ bytes, headers }] = receiver.received as [(typeof receiver.received)[number]];
    expect(headers['hmac-signature-sha256']).toBe(expected(bytes));
    expect(verifySignature(bytes, headers['hmac-signature-sha256'] as string, TOKEN)).toBe(true);
    expect(JSON.parse(bytes.toString('utf8')).RecipientName).toBe('Zoë "Zed" 😀\u2028');
  });

  test('delivery.signature-header-case: as the specification writes it', async () => {
    const { create, sandbox, receiver } = await shopOf({}, { requestHeaderVerificationToken: TOKEN });
    create(NOTIFIED);
    await sandbox.settled();
    expect(receiver.received[0]?.rawHeaders).toContain('HMAC-Signature-SHA256');
  });

  test('delivery.token-never-sent: not in the body, not in a header', async () => {
    const { create, send, sandbox, receiver } = await shopOf({}, { requestHeaderVerificationToken: 'only-mine' });
    create(NOTIFIED);
    await sandbox.settled();
    const [{ bytes, rawHeaders }] = receiver.received as [(typeof receiver.received)[number]];
    expect(`${bytes} ${rawHeaders.join(' ')}`).not.toContain('only-mine');
    expect(JSON.stringify(send('GET', '/api/Webhook/List').body)).not.toContain('only-mine');
  });

  test('each webhook signs with its own token', async () => {
    const { create, sandbox, receiver, register } = await shopOf({}, { requestHeaderVerificationToken: 'one' });
    register(receiver.url, { requestHeaderVerificationToken: 'two' });
    create(NOTIFIED);
    await sandbox.settled();
    const right = receiver.received.map(({ bytes, headers }) =>
      ['one', 'two'].filter((token) => verifySignature(bytes, headers['hmac-signature-sha256'] as string, token)),
    );
    expect(right.sort()).toEqual([['one'], ['two']]);
  });

  test.each([
    ['delivery.unsigned-without-token: no signature', {}],
    ['webhook.create.blank-token: no signature', { requestHeaderVerificationToken: ' ' }],
  ])('%s', async (_, webhook) => {
    const { create, sandbox, receiver } = await shopOf({}, webhook);
    create(NOTIFIED);
    await sandbox.settled();
    expect(Object.keys(receiver.received[0]?.headers ?? {}).filter((name) => /signature/i.test(name))).toEqual([]);
  });
});

describe('verifySignature', () => {
  test('a parsed body or a missing token throws a TypeError', () => {
    const verify = verifySignature as (...given: unknown[]) => boolean;
    expect(() => verify({ parsed: true }, 'x', TOKEN)).toThrow(/^rawBody must be .*\.$/);
    expect(() => verify('{}', 'x', undefined)).toThrow(/^token must be .*\.$/);
    expect(() => verify(undefined, undefined, undefined)).toThrow(TypeError);
  });

  test('accepts a signed body, as bytes or as text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (body, token) => {
        const bytes = Buffer.from(body, 'utf8');
        expect(verifySignature(bytes, sign(bytes, token), token)).toBe(true);
        expect(verifySignature(body, sign(bytes, token), token)).toBe(true);
      }),
    );
  });

  test('rejects another body, another token, a missing header and any other header', () => {
    const body = Buffer.from('{"Balance":25}');
    const header = sign(body, TOKEN);
    expect(verifySignature(Buffer.from('{"Balance": 25}'), header, TOKEN)).toBe(false);
    expect(verifySignature(body, header, 'another')).toBe(false);
    expect(verifySignature(body, undefined, TOKEN)).toBe(false);
    expect(verifySignature(body, '', TOKEN)).toBe(false);
    expect(verifySignature(body, `${header} `, TOKEN)).toBe(false);
    expect(verifySignature(body, header.slice(0, -1), TOKEN)).toBe(false);
  });
});
