import { giftCard } from '../expect.ts';
import type { Arrival, Mailbox } from '../receiver.ts';
import { instantOf, issueTime } from '../structure.ts';
import type { ClockControl } from '../target.ts';
import { arranged, type Trial } from '../trial.ts';
import { Untested } from '../verdict.ts';
import { type Card, card, getByCode, voidByCode } from './cards.ts';
import { advance, nowThere } from './clock.ts';
import type { Topic } from './watch.ts';
import { register, removeAll } from './webhooks.ts';

const minute = 60;
/** Milliseconds. */
const patience = 10_000;

/** What arrived at each of two webhooks, of which the one that was registered last has a token; undefined where nothing did. */
export interface ExpiredDelivery {
  readonly plain: Arrival | undefined;
  readonly signed: Arrival | undefined;
}

export const token = 'a-token-of-the-expiry';

/**
 * The giftcard/expired of a card whose expiry has come, and which is Expired when it is looked up. Untested
 * `control-failed` where the card does not become Expired, neither at its moment nor a day later, or where no void is told in that time either.
 */
export function expiredDelivery(t: Trial, clock: ClockControl): Promise<ExpiredDelivery> {
  const { receiver } = t.run;
  if (!receiver) throw new Untested('no-receiver', 'the profile gives no receiver');
  return t.shared('the delivery of an expiry', async (shared) => {
    const [plain, signed] = [await receiver.mailbox('expiring'), await receiver.mailbox('expiring, signed')];
    arranged((await register(shared, plain.url)).answer, 'registering a webhook');
    const withToken = await register(shared, signed.url, { requestHeaderVerificationToken: token });
    arranged(withToken.answer, 'registering a webhook with a token');
    const first = await card(shared, { balance: 0.5 });
    const now = instantOf(issueTime(first.answer.json)) ?? nowThere(shared);
    const on = await card(shared, { balance: 0.5, expiresAtUtc: new Date(now + minute * 1_000).toISOString() });
    const status = async () => giftCard(await getByCode(shared, on.code)).status;
    await advance(shared, clock, 2 * minute);
    if ((await status()) !== 'Expired') await advance(shared, clock, 25 * 60 * minute);
    const last = await status();
    const told = ({ arrivals }: Mailbox, { code }: Card, topic: Topic) =>
      arrivals.find(({ payload }) => payload?.Code === code && payload.WebhookTopic === topic);
    const at = (box: Mailbox) => told(box, on, 'giftcard/expired');
    arranged(await voidByCode(shared, first.code), `voiding ${first.name}`);
    const both = () => at(plain) !== undefined && at(signed) !== undefined;
    const came = last === 'Expired' && (await shared.run.client.patiently(() => receiver.comes(both, patience)));
    await removeAll(shared, [plain.url, signed.url]);
    if (last !== 'Expired') throw new Untested('control-failed', `a card whose expiry has come is ${String(last)}`);
    // What happened later was to be told later.
    if (!came && ![plain, signed].every((box) => told(box, first, 'giftcard/voided')))
      throw new Untested('control-failed', `nothing of a void after the expiry has come within ${patience} ms either`);
    return { plain: at(plain), signed: at(signed) };
  });
}
