import { arranged, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Arrival } from '../http/receiver.ts';
import { voidByCode } from './card-requests.ts';
import { card } from './cards.ts';
import { receiverOf } from './receiver-of.ts';
import { Watch } from './watch.ts';
import { register, removeAll, type WebhookFields } from './webhooks.ts';

/** The giftcard/voided of a card that is made and voided for it, at a webhook of its own; undefined where the webhook is refused. */
export async function voidedDelivery(
  t: Trial,
  fields: object,
  webhook: WebhookFields = {},
  key?: string,
): Promise<Arrival | undefined> {
  const receiver = receiverOf(t);
  const { ledger } = t.run;
  const watch = new Watch(t, receiver);
  const box = await receiver.mailbox('one');
  const { answer } = await register(t, box.url, webhook, key);
  if (answer.status === 400) return undefined;
  arranged(answer, 'registering a webhook');
  const on = watch.created(await card(t, { ...fields, balance: 0.5, code: watch.expect(ledger.fresh()) }, key));
  arranged(await voidByCode(t, on.code, key), `voiding ${on.name}`);
  await watch.arrived(box, [], on, 'giftcard/voided');
  await removeAll(t, [box.url], key);
  const [arrival] = watch.of(box, on, 'giftcard/voided');
  if (!arrival) throw new Blocked(`no giftcard/voided of ${on.name} arrived`);
  return arrival;
}
