import { advance, nowThere } from '../core/clock.ts';
import { giftCard } from '../core/expect.ts';
import type { ClockControl } from '../core/target.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Arrival, Mailbox } from '../http/receiver.ts';
import { instantOf, issueTime } from '../http/structure.ts';
import { getByCode, voidByCode } from './card-requests.ts';
import { type Card, card } from './cards.ts';
import { receiverOf } from './receiver-of.ts';
import type { Topic } from './watch.ts';
import { register, removeAll } from './webhooks.ts';

const minute = 60;
/** Seconds that the card lives. */
const life = 120 * minute;
/** Milliseconds. */
const patience = { arrival: 10_000, silence: 400 };

/** What arrived at each of two webhooks, of which the one that was registered last has a token; undefined where nothing did. */
interface ExpiredDelivery {
  /** Its initial value and expiry, and its balance as looking it up shows it then. */
  readonly card: { readonly initial: number; readonly expiresAtUtc: string; readonly balance: unknown };
  /** Whether one had come half an hour before the expiry. */
  readonly isEarly: boolean;
  readonly plain: Arrival | undefined;
  readonly signed: Arrival | undefined;
}

export const token = 'a-token-of-the-expiry';

/**
 * The giftcard/expired of a card whose expiry has come, and which is Expired when it is looked up. Untested
 * `control-failed` where the card does not become Expired, neither at its moment nor a day later, or where no void is told in that time either.
 */
export function expiredDelivery(t: Trial, clock: ClockControl): Promise<ExpiredDelivery> {
  const receiver = receiverOf(t);
  return t.shared('the delivery of an expiry', async (shared) => {
    const [plain, signed] = [await receiver.mailbox('expiring'), await receiver.mailbox('expiring, signed')];
    arranged((await register(shared, plain.url)).answer, 'registering a webhook');
    const withToken = await register(shared, signed.url, { requestHeaderVerificationToken: token });
    arranged(withToken.answer, 'registering a webhook with a token');
    const first = await card(shared, { balance: 0.5 });
    const now = instantOf(issueTime(first.answer.json)) ?? nowThere(shared);
    // A whole second, because less may be cut off.
    const expiry = (Math.ceil(now / 1_000) + life) * 1_000;
    const given = { balance: 0.5, expiresAtUtc: new Date(expiry).toISOString() };
    const on = await card(shared, given);
    const shown = async () => giftCard(await getByCode(shared, on.code));
    const told = ({ arrivals }: Mailbox, { code }: Card, topic: Topic) =>
      arrivals.find(({ payload }) => payload?.Code === code && payload.WebhookTopic === topic);
    const at = (box: Mailbox) => told(box, on, 'giftcard/expired');
    await advance(shared, clock, life - 30 * minute);
    await receiver.until(() => at(plain) !== undefined, patience.silence);
    const isEarly = at(plain) !== undefined;
    await advance(shared, clock, 31 * minute);
    if ((await shown()).status !== 'Expired') await advance(shared, clock, 25 * 60 * minute);
    const { status: last, balance } = await shown();
    arranged(await voidByCode(shared, first.code), `voiding ${first.name}`);
    const both = () => at(plain) !== undefined && at(signed) !== undefined;
    const came = last === 'Expired' && (await shared.run.client.patiently(() => receiver.comes(both, patience.arrival)));
    await removeAll(shared, [plain.url, signed.url]);
    if (last !== 'Expired') throw new Untested('control-failed', `a card whose expiry has come is ${String(last)}`);
    // What happened later was to be told later.
    if (!came && ![plain, signed].every((box) => told(box, first, 'giftcard/voided')))
      throw new Untested('control-failed', `nothing of a void after the expiry has come within ${patience.arrival} ms either`);
    const { balance: initial, expiresAtUtc } = given;
    return { card: { initial, expiresAtUtc, balance }, isEarly, plain: at(plain), signed: at(signed) };
  });
}

/** giftcard/expired with its card, where one is to be had. */
export async function expiredPayload(t: Trial) {
  const { clock } = t.run.profile;
  const { card, plain, signed } = (clock && (await expiredDelivery(t, clock))) ?? {};
  const payload = signed?.payload ?? plain?.payload;
  if (card && payload) return { card, payload };
  t.doesNotCheck('giftcard/expired: none was delivered, or the profile gives no clock');
  return undefined;
}
