import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { advance } from '../core/clock.ts';
import { accepted, giftCard } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { instantOf, issueTime } from '../http/structure.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { type CreateFields, card, create } from '../scenarios/cards.ts';
import { expiryOf, withDefaultExpiry } from '../scenarios/expiry.ts';
import { oneDecimalTooMany } from '../scenarios/money.ts';
import { pastCard, plainCard, plainFields, zeroCard } from '../scenarios/shared-cards.ts';
import { voidedThenTried } from '../scenarios/voided.ts';

/** The same create with nothing doubtful about it; one for all. */
const soundOne = (t: Trial) => t.control('a plain create', async () => accepted((await plainCard(t)).answer, 'it'));

/** What a create with something doubtful in it answered. */
async function tried(t: Trial, fields: CreateFields): Promise<{ status: number; code: string; card: Record<string, unknown> }> {
  await soundOne(t);
  const { code, answer } = await create(t, fields);
  return { status: answer.status, code, card: answer.status === 200 ? giftCard(answer) : {} };
}

const answers = (status: number, more = ''): SomethingElse => somethingElse(`answers ${status}${more}`);

/** Refused as rejections are, or whichever reading stands for the opposite. */
function either<Taken extends string, Refused extends string>(
  { status }: { status: number },
  taken: Taken,
  refused: Refused,
): Taken | Refused | SomethingElse {
  if (status === 200) return taken;
  return status === 400 ? refused : answers(status);
}

probe('gift-card.create.gifted-names-without-notification', {}, async (t) => {
  const nameless = { ...plainFields, sendAsGift: true, buyerName: undefined };
  return either(await tried(t, nameless), 'not-needed', 'needed');
});

probe('gift-card.create.notification-without-address', {}, async (t) =>
  either(await tried(t, { shouldSendNotification: true, disableEmails: false }), 'nothing-is-sent', 'refused'),
);

probe('gift-card.create.zero-balance', {}, async (t) => {
  await soundOne(t);
  return either((await zeroCard(t)).answer, 'accepted', 'refused');
});

probe('gift-card.create.excess-decimals', {}, async (t) => {
  const { amount, rounded } = oneDecimalTooMany(t, giftCard((await plainCard(t)).answer).currency);
  const seen = await tried(t, { balance: amount });
  if (seen.status === 200 && seen.card.balance !== rounded) return somethingElse(`${amount} became ${seen.card.balance}`);
  return either(seen, 'rounded', 'refused');
});

probe('gift-card.create.malformed-address', {}, async (t) => {
  const seen = [
    either(await tried(t, { recipientEmailAddress: 'nobody' }), 'accepted', 'refused'),
    either(await tried(t, { buyerEmailAddress: 'nobody' }), 'accepted', 'refused'),
  ] as const;
  return seen[0] === seen[1] ? seen[0] : somethingElse(`recipient’s ${told(seen[0])}, buyer’s ${told(seen[1])}`);
});

const told = (seen: string | SomethingElse) => (typeof seen === 'string' ? seen : seen.told);

probe('gift-card.create.past-expiry', {}, async (t) => {
  await soundOne(t);
  const { code, answer } = await pastCard(t);
  if (answer.status !== 200) return either(answer, 'expires-after-answer', 'refused');
  const created = giftCard(answer).status;
  const later = async () => String(giftCard(await getByCode(t, code)).status);
  const { clock } = t.run.profile;
  const first = await later();
  // Some look for expired cards once a day.
  if (first === 'Active' && clock) await advance(t, clock, 90_000);
  const last = first === 'Active' && clock ? await later() : first;
  return created === 'Active' && last === 'Expired' ? 'expires-after-answer' : somethingElse(`created ${created}, then ${last}`);
});

probe('gift-card.create.code-of-voided-card', {}, async (t) => {
  const { on } = await voidedThenTried(t);
  return either(await tried(t, { code: on.code }), 'free', 'taken');
});

const day = 86_400_000;

probe('gift-card.create.default-expiry-counting', {}, async (t) => {
  const { days, on } = await withDefaultExpiry(t);
  const shown = await expiryOf(t, on);
  const issued = instantOf(issueTime(on.answer.json));
  if (shown === undefined || issued === undefined)
    throw new Untested('fact-missing', 'the card does not show both when it was issued and when it expires');
  if (Math.abs(shown - issued - days * day) < 2_000) return '24-hours-each';
  // Midnights are at a quarter of an hour in every time zone.
  const isDaysEnd = (shown + 1_000) % 900_000 <= 1_000 && Math.abs(shown - issued - days * day) <= 1.05 * day;
  return isDaysEnd ? 'end-of-day' : somethingElse(`${((shown - issued) / day).toFixed(3)} days, where ${days} are set`);
});

probe('gift-card.create.null-expiry', {}, async (t) => {
  const { key } = await withDefaultExpiry(t);
  const on = await card(t, { balance: 0.5, expiresAtUtc: null }, key);
  return (await expiryOf(t, on)) === undefined ? 'never-expires' : 'default-applies';
});
