import { expect, test } from 'vitest';
import { DAY } from '../domain/dates.ts';
import type { CardRecord } from '../state/records.ts';
import { NOON, sandboxOf } from '../testing/fixture.ts';
import { RECIPIENT } from '../testing/shop-fixture.ts';
import { withoutPause } from './clock.ts';
import { Scheduler } from './scheduler.ts';

const TEN_DAYS = 10 as const;

const used = (updatedAt: number): CardRecord => {
  const { account, create } = sandboxOf();
  return { ...(account.state.card(create().id) as CardRecord), id: 'card', updatedAt };
};

/** The events of a scheduler, in order. */
function taken(scheduler: Scheduler): (readonly [kind: string, day: number])[] {
  const all: (readonly [string, number])[] = [];
  for (let due = scheduler.takeNext(); due; due = scheduler.takeNext()) all.push([due.kind, (due.at - NOON) / DAY]);
  return all;
}

test('a card that is used often has one reminder, after the last use', () => {
  const scheduler = new Scheduler();
  let before: CardRecord | undefined;
  const card = used(NOON);
  // The scheduler skips superseded events only at the front of the queue. This earlier event keeps them inside the queue.
  scheduler.update({ ...card, id: 'other' }, undefined, TEN_DAYS);
  for (let day = 0; day < 1000; day++) {
    const now = { ...card, updatedAt: NOON + day * DAY };
    scheduler.update(now, before, TEN_DAYS);
    scheduler.next();
    before = now;
    expect(withoutPause(scheduler.capture()).planned).toHaveLength(2);
  }
  expect(taken(scheduler)).toEqual([
    ['reminder', 10],
    ['reminder', 1009],
  ]);
});

test('the next use after a reminder plans another one', () => {
  const scheduler = new Scheduler();
  const card = used(NOON);
  scheduler.update(card, undefined, TEN_DAYS);
  expect(scheduler.takeNext()).toMatchObject({ kind: 'reminder', at: NOON + 10 * DAY });
  scheduler.update({ ...card, updatedAt: NOON + 20 * DAY }, card, TEN_DAYS);
  expect(taken(scheduler)).toEqual([['reminder', 30]]);
});

test('a use after the clock was set back moves the reminder forward, and it is due once', () => {
  const scheduler = new Scheduler();
  const [late, early] = [used(NOON + 5 * DAY), used(NOON)];
  scheduler.update(late, undefined, TEN_DAYS);
  scheduler.update(early, late, TEN_DAYS);
  expect(scheduler.next()).toMatchObject({ at: NOON + 10 * DAY });
  scheduler.update(late, early, TEN_DAYS);
  expect(taken(scheduler)).toEqual([['reminder', 15]]);
});

test('skip removes earlier events and keeps later ones', () => {
  const scheduler = new Scheduler();
  const card = { ...used(NOON), expiresAt: NOON + DAY };
  scheduler.update(card, undefined, 2);
  scheduler.skip(NOON + DAY);
  expect(taken(scheduler)).toEqual([['reminder', 2]]);
});

test('many adjustments plan one reminder per card', async () => {
  const { account, adjust, at, create } = sandboxOf([{ reminderAfterDays: 10 }]);
  create(RECIPIENT);
  const { code } = create(RECIPIENT);
  for (let i = 1; i <= 500; i++) {
    at(NOON + i * 1000);
    adjust(code, 1);
  }
  expect(withoutPause(account.clock.scheduler.capture()).planned).toHaveLength(2);
  at(NOON + 20 * DAY);
  await account.effects.settled();
  expect(account.effects.outbox.all().map(({ sentAtUtc }) => sentAtUtc)).toEqual([
    new Date(NOON + 10 * DAY).toISOString(),
    new Date(NOON + 500_000 + 10 * DAY).toISOString(),
  ]);
  expect(withoutPause(account.clock.scheduler.capture()).planned).toEqual([]);
});

test('a restored scheduler has the same order and the same delayed reminders', () => {
  const scheduler = new Scheduler();
  const card = used(NOON);
  const first = { ...card, id: 'first', expiresAt: NOON + 3 * DAY };
  scheduler.update(first, undefined, TEN_DAYS);
  scheduler.update({ ...card, id: 'second', expiresAt: NOON + 3 * DAY, giftScheduledFor: NOON + DAY }, undefined, TEN_DAYS);
  scheduler.update({ ...first, updatedAt: NOON + DAY }, first, TEN_DAYS);
  const [one, other] = [new Scheduler(), new Scheduler()];
  one.restore(JSON.parse(JSON.stringify(withoutPause(scheduler.capture()))));
  other.restore(withoutPause(scheduler.capture()));
  const whole = (each: Scheduler) => {
    const met: unknown[] = [];
    for (let due = each.takeNext(); due; due = each.takeNext()) met.push([due.cardId, due.kind, (due.at - NOON) / DAY]);
    return met;
  };
  const met = whole(scheduler);
  expect(met).toEqual([
    ['second', 'gift', 1],
    ['first', 'expiry', 3],
    ['second', 'expiry', 3],
    ['second', 'reminder', 10],
    ['first', 'reminder', 11],
  ]);
  expect([whole(one), whole(other)]).toEqual([met, met]);
});
