import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { accepted, giftCard } from '../core/expect.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { Blocked, Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { arraysIn, at, instantOf, leaves, mentions } from '../http/structure.ts';
import { type Adjust, brink, byCode, byId, cardIdField, history } from '../scenarios/adjustments.ts';
import { balanceOf } from '../scenarios/card-requests.ts';
import { card } from '../scenarios/cards.ts';
import { deletedCard, type Fixture, fixture } from '../scenarios/fixtures.ts';
import { oneDecimalTooMany } from '../scenarios/money.ts';
import { purse } from '../scenarios/shared-cards.ts';
import { voidedThenTried } from '../scenarios/voided.ts';
import { answered, called } from './names.ts';

probe('adjustment.by-id.field', {}, async (t) => called(await cardIdField(t), ['giftCardId', 'id', 'giftCardID']));

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

probe('adjustment.missing-amount', {}, async (t) => {
  const seen = await tried(t, 0, { adjustmentAmount: undefined });
  if (isRefused(seen)) return 'refused';
  return seen.status === 200 && seen.moved === 0 ? 'nothing-changes' : otherwise(seen);
});

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

const thousandMillion = 1_000_000_000;

probe('adjustment.largest-amount', { needs: ['playMoney'] }, async (t) => {
  const on = await card(t);
  await t.control('an adjustment by 0.25', async () => accepted(await byCode(t, on, 0.25), 'it'));
  const above = await byCode(t, on, thousandMillion + 0.01);
  if (above.status === 200) return 'unlimited';
  const limit = await byCode(t, on, thousandMillion);
  return above.status === 400 && limit.status === 200
    ? '1000000000'
    : somethingElse(`answers ${limit.status} to a thousand million and ${above.status} to more`);
});

const years = (ahead: number) => new Date(Date.now() + ahead * 365 * 86_400_000).toISOString();

probe('adjustment.future-actioned-at', {}, async (t) => {
  const seen = await tried(t, 0.25, { actionedAtUtc: years(3) });
  if (isRefused(seen)) return 'refused';
  return seen.status === 200 && seen.moved === 0.25 ? 'accepted' : otherwise(seen);
});

const yearsAgo = Date.UTC(2022, 4, 6, 7, 8, 9);

probe('adjustment.unreadable-actioned-at', {}, async (t) => {
  const given = { notes: 'sound', actionedAtUtc: new Date(yearsAgo).toISOString() };
  const on = await card(t, { balance: 0.5 });
  if ((await byCode(t, on, 0.13, given)).status !== 200)
    throw new Untested('needs-control', 'the target takes no adjustment that happened years ago');
  const { status } = await byCode(t, on, 0.29, { notes: 'doubtful', actionedAtUtc: 'this morning' });
  if (status !== 200) return status === 400 ? 'refused' : somethingElse(`answers ${status}`);
  const { json } = arranged(await history(t, on.code), 'the history');
  const entries = arraysIn(json).flatMap(({ items }) => items);
  const [sound, doubtful] = ['sound', 'doubtful'].map((notes) => entries.find((entry) => mentions(entry, notes)));
  const path = leaves(sound).find(({ value }) => instantOf(value) === yearsAgo)?.path ?? '';
  const shown = at(doubtful, path);
  // The entry of the first happened years ago, so that a recent time is not taken over from it.
  return (instantOf(shown) ?? 0) > yearsAgo + 86_400_000 ? 'accepted' : somethingElse(`accepted, and shown as ${String(shown)}`);
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

probe('adjustment.deleted-card', { needs: ['deletedCode'] }, async (t, { deletedCode }) => {
  const on = await deletedCard(t, deletedCode);
  const statuses = [(await toppedUp(t, on)).status, (await toppedUp(t, on, byId)).status].join(' and ');
  if (statuses === '404 and 404') return 'not-found';
  return statuses === '404 and 200' ? 'by-id-accepted' : somethingElse(`answers ${statuses}, by code and by ID`);
});
