import type { Fixture } from '../testing/fixture.ts';
import { Receiver } from '../testing/receiver-fixture.ts';

/** A receiver that is registered with the probe's account. */
export async function receiving({ ask }: Fixture, fields: Readonly<Record<string, unknown>> = {}): Promise<Receiver> {
  const receiver = await Receiver.start();
  const { status, body } = ask('POST', '/api/Webhook/Create', { url: receiver.url, description: 'A probe', ...fields });
  if (status !== 200) throw new Error(`The probe's webhook was refused with ${status}: ${body}`);
  return receiver;
}
