import { fullPage } from '../core/card-list.ts';
import { advance, nowThere } from '../core/clock.ts';
import { giftCard } from '../core/expect.ts';
import type { ClockControl } from '../core/target.ts';
import type { Trial } from '../core/trial.ts';
import { instantOf, issueTime } from '../http/structure.ts';
import { booked } from './adjustments.ts';
import { getByCode, voidByCode } from './card-requests.ts';
import { type Card, card } from './cards.ts';
import { findListed, page, place } from './lists.ts';

/** What was seen of cards whose expiry came, on a target whose clock can be advanced. */
interface Expired {
  /** A minute after the expiry, as the list shows the card that nobody has asked for; undefined where the list shows no status. */
  unasked: string | undefined;
  /** The same, looked up right after. */
  asked: string;
  /** More than a day later, so that no midnight is still to come. */
  settled: { status: string; balance: unknown };
  redeemed: { before: string; settled: string };
  voided: string;
  /** Whether the card then stands before one that was created after it, in a list of the last updated first. */
  isBeforeYounger: boolean;
}

const minute = 60;
const quarter = 900_000;

/** Lets the expiry of several cards come, once for all questions about it. */
export function expired(t: Trial, clock: ClockControl): Promise<Expired> {
  return t.shared('cards whose expiry comes', async (shared) => {
    // A midnight between the expiry and the look at it would hide what is done at midnight, and midnights are at a quarter of an hour everywhere.
    let now = await timeThere(shared);
    const leftOfQuarter = quarter - (now % quarter);
    if (leftOfQuarter < 5 * minute * 1_000) {
      await advance(shared, clock, Math.ceil(leftOfQuarter / 1_000));
      now += leftOfQuarter;
    }
    const expiresAtUtc = new Date(now + minute * 1_000).toISOString();

    const [plain, redeemed, voided] = [
      await card(shared, { balance: 0.5, expiresAtUtc }),
      await card(shared, { balance: 0.5, expiresAtUtc }),
      await card(shared, { balance: 0.5, expiresAtUtc }),
    ];
    await booked(shared, redeemed, -0.5);
    await voidByCode(shared, voided.code);
    const before = await statusOf(shared, redeemed);
    const younger = await card(shared, { balance: 0.5 });

    await advance(shared, clock, 2 * minute);
    const record = (await findListed(shared, plain)) as { status?: unknown } | undefined;
    const unasked = typeof record?.status === 'string' ? record.status : undefined;
    const asked = await statusOf(shared, plain);
    await advance(shared, clock, 25 * 60 * minute);
    const { status, balance } = giftCard(await getByCode(shared, plain.code));
    const { cards } = await page(shared, { pageSize: fullPage });
    return {
      unasked,
      asked,
      settled: { status: String(status), balance },
      redeemed: { before, settled: await statusOf(shared, redeemed) },
      voided: await statusOf(shared, voided),
      isBeforeYounger: place(cards, plain) >= 0 && place(cards, plain) < place(cards, younger),
    };
  });
}

const statusOf = async (t: Trial, { code }: Card) => String(giftCard(await getByCode(t, code)).status);

/** By a card that is created for it, whose time of issue is the target's own. */
async function timeThere(t: Trial): Promise<number> {
  return instantOf(issueTime((await card(t, { balance: 0.5 })).answer.json)) ?? nowThere(t);
}
