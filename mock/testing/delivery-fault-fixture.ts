import { listFaults, setFault } from '../control/faults.ts';
import type { NewFault } from '../control/generated/types.ts';
import { verifySignature } from '../outbound/signature.ts';
import { NOTIFIED, type Shop, shopOf } from './shop-fixture.ts';

export const TOKEN = 'the token';

/** A shop with a fault, whose receiver answers 200 to what it believes, and 401 to the rest. */
export async function shopWithFault(
  wanted: NewFault,
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
  setFault(shop.account, wanted);
  return { ...shop, answers };
}

export const careful = (bytes: Buffer, signature: string | undefined) => verifySignature(bytes, signature, TOKEN);
export const afterParsing = (bytes: Buffer, signature: string | undefined) =>
  verifySignature(JSON.stringify(JSON.parse(bytes.toString('utf8'))), signature, TOKEN);
export const trusting = () => true;
export const rejecting = () => false;

export async function deliver({ create, sandbox }: Pick<Shop, 'create' | 'sandbox'>, times = 1): Promise<void> {
  for (let i = 0; i < times; i++) create({ ...NOTIFIED, recipientName: 'Zoë 🎁' });
  await sandbox.settled();
}

/** The last delivery that the first fault struck. */
export const latestStrike = ({ account }: Pick<Shop, 'account'>) => listFaults(account)[0]?.strikes.at(-1);
