import type { Behaviors } from '../../openapi/generated/rules.ts';
import type { AccountDescription } from '../world/generated/described.ts';
import { type SandboxFixture, sandboxOf } from './fixture.ts';
import { TestReceiver } from './receiver-fixture.ts';

export const RECIPIENT = { recipientName: 'Rita Recipient', recipientEmailAddress: 'rita@example.com' };
export const BUYER = { buyerName: 'Ben Buyer', buyerEmailAddress: 'ben@example.com' };
export const NOTIFIED = { ...RECIPIENT, shouldSendNotification: true };
export const GIFTED = { ...NOTIFIED, ...BUYER, sendAsGift: true, giftMessage: 'Many happy returns' };

export interface Shop extends SandboxFixture {
  readonly receiver: TestReceiver;
  readonly webhookId: string;
  register(url: string, fields?: Readonly<Record<string, unknown>>): string;
  void(code: string): void;
}

/** Returns a sandbox with one account and a webhook for a receiver. */
export async function shopOf(
  account: AccountDescription = {},
  webhook: Readonly<Record<string, unknown>> = {},
  behaviors: Partial<Behaviors> = {},
): Promise<Shop> {
  const fixture = sandboxOf([account], { behaviors });
  const receiver = await TestReceiver.start();
  const register: Shop['register'] = (url, fields = {}) => {
    const { status, body } = fixture.send('POST', '/api/Webhook/Create', { url, ...fields });
    if (status !== 200) throw new Error(`The fixture's webhook was refused with ${status}: ${body}`);
    return body.id;
  };
  return {
    ...fixture,
    receiver,
    register,
    webhookId: register(receiver.url, webhook),
    void: (code) => {
      const { status, body } = fixture.send('DELETE', `/api/GiftCard/VoidByCode/${code}`);
      if (status !== 200) throw new Error(`The fixture's void was refused with ${status}: ${body}`);
    },
  };
}
