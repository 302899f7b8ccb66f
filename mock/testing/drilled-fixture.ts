import { listDrills, setDrill } from '../control/drills.ts';
import type { NewDrill } from '../control/generated/types.ts';
import { verifySignature } from '../outbound/signature.ts';
import { NOON } from './fixture.ts';
import { NOTIFIED, type Shop, shopOf } from './shop-fixture.ts';

export const TOKEN = 'the token';

/** A shop whose receiver answers 200 to what it believes, and 401 to the rest. */
export async function drilled(
  wanted: NewDrill,
  believes: (bytes: Buffer, signature: string | undefined) => boolean,
  token: string | null = TOKEN,
) {
  const shop = await shopOf({}, { requestHeaderVerificationToken: token });
  const answers: number[] = [];
  shop.receiver.answer = (response, position) => {
    const { bytes, headers } = shop.receiver.received[position] as (typeof shop.receiver.received)[number];
    const status = believes(bytes, headers['hmac-signature-sha256'] as string | undefined) ? 200 : 401;
    answers.push(status);
    response.writeHead(status).end();
  };
  setDrill(shop.account, wanted);
  return { ...shop, answers };
}

export const careful = (bytes: Buffer, signature: string | undefined) => verifySignature(bytes, signature, TOKEN);
export const afterParsing = (bytes: Buffer, signature: string | undefined) =>
  verifySignature(JSON.stringify(JSON.parse(bytes.toString('utf8'))), signature, TOKEN);
export const trusting = () => true;
export const sullen = () => false;

/** As the sixth failure does it. */
export function disable({ account, webhookId }: Shop): void {
  const webhook = account.state.webhook(webhookId);
  if (webhook)
    account.apply([{ table: 'webhooks', put: { ...webhook, enabled: false } }], account.cause('control', 'test', NOON));
}

export async function deliver({ create, sandbox }: Pick<Shop, 'create' | 'sandbox'>, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) create({ ...NOTIFIED, recipientName: 'Zoë 🎁' });
  await sandbox.settled();
}

export function told({ account }: Pick<Shop, 'account'>): [string, string | undefined] {
  const [view] = listDrills(account);
  return [view?.verdict ?? '', view?.deliveries.at(-1)?.sentence];
}
