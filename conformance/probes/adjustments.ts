import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted, giftCard } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { type Adjust, brink, byCode, byId } from '../scenarios/adjustments.ts';
import { balanceOf } from '../scenarios/card-requests.ts';
import { type Fixture, fixture } from '../scenarios/fixtures.ts';
import { oneDecimalTooMany } from '../scenarios/money.ts';
import { purse } from '../scenarios/shared-cards.ts';
import { voidedThenTried } from '../scenarios/voided.ts';
import { answered } from './names.ts';

probe('adjustment.by-id.overdraw-status', {}, async (t) => {
  const { status } = await byId(t, await brink(t, 1), -1.5);
  // That is no refusal, and stated to be one.
  if (status === 200) throw new Blocked('an overdraw by ID was taken with 200, so that no refusal has a status');
  return answered(status, ['400', '409', '422']);
});

/** The same adjustment with nothing doubtful about it; one for all that try the purse. */
const soundOne = (t: Trial) =>
  t.control('an adjustment by 0.25', () =>
    t.shared('sound adjustment', async (shared) => accepted(await byCode(shared, await purse(shared), 0.25), 'it')),
  );

/** What an adjustment of the purse got, and by how much it moved the balance. */
async function tried(t: Trial, amount: number, fields: Parameters<Adjust>[3] = {}): Promise<{ status: number; moved: number }> {
  const on = await purse(t);
  await soundOne(t);
  const before = await balanceOf(t, on.code);
  const { status } = await byCode(t, on, amount, fields);
  const moved = (await balanceOf(t, on.code)) - before;
  return { status, moved: Math.round(moved * 1e6) / 1e6 };
}

const otherwise = ({ status, moved }: { status: number; moved: number }): SomethingElse =>
  somethingElse(`answers ${status} and moves the balance by ${moved}`);

const isRefused = ({ status, moved }: { status: number; moved: number }) => status === 400 && moved === 0;

probe('adjustment.zero-amount', {}, async (t) => {
  const seen = await tried(t, 0);
  if (isRefused(seen)) return 'refused';
  return seen.status === 200 && seen.moved === 0 ? 'accepted' : otherwise(seen);
});

probe('adjustment.excess-decimals', {}, async (t) => {
  const { amount, rounded } = oneDecimalTooMany(t, giftCard((await purse(t)).answer).currency);
  const seen = await tried(t, amount);
  if (isRefused(seen)) return 'refused';
  return seen.status === 200 && Math.abs(seen.moved - rounded) < 1e-6 ? 'rounded' : otherwise(seen);
});

const years = (ahead: number) => new Date(Date.now() + ahead * 365 * 86_400_000).toISOString();

probe('adjustment.future-actioned-at', {}, async (t) => {
  const seen = await tried(t, 0.25, { actionedAtUtc: years(3) });
  if (isRefused(seen)) return 'refused';
  return seen.status === 200 && seen.moved === 0.25 ? 'accepted' : otherwise(seen);
});

probe('adjustment.voided-card', {}, async (t) => {
  const { adjusted, balanceAfter } = await voidedThenTried(t);
  if (adjusted.status === 200 && balanceAfter === 0.25) return 'accepted';
  return answered(adjusted.status, ['400', '409', '422']);
});

/** What a small top-up of a card of the profile gets. One that is accepted is taken back at once, since the card is not the run's own. */
async function toppedUp(t: Trial, on: Fixture, adjust: Adjust = byCode): Promise<Answer> {
  await soundOne(t);
  const answer = await adjust(t, on, 0.11);
  if (answer.status === 200) arranged(await adjust(t, on, -0.11), 'taking it back');
  return answer;
}

probe('adjustment.expired-card', { needs: ['expiredCode'] }, async (t, { expiredCode }) => {
  const { status } = await toppedUp(t, await fixture(t, expiredCode, 'Expired'));
  return status === 200 ? 'accepted' : answered(status, ['400', '409', '422']);
});

probe('adjustment.scheduled-card', { needs: ['scheduledCode'] }, async (t, { scheduledCode }) =>
  takenOrNot((await toppedUp(t, await fixture(t, scheduledCode, 'Scheduled'))).status),
);

probe('adjustment.store-credit', { needs: ['storeCreditCode'] }, async (t, { storeCreditCode }) =>
  takenOrNot((await toppedUp(t, await fixture(t, storeCreditCode))).status),
);

function takenOrNot(status: number): 'accepted' | 'refused' | SomethingElse {
  if (status === 200) return 'accepted';
  return status === 400 ? 'refused' : somethingElse(`answers ${status}`);
}
