import { expect, it } from 'vitest';
import { RandomSource } from '../account/clock.ts';
import { CardRenderer } from '../contract/render/card.ts';
import { State } from '../state/state.ts';
import { sandboxOf } from '../testing/fixture.ts';
import { buildAccount } from './build.ts';
import { accountProblems } from './check.ts';
import { readDescription } from './read.ts';
import { withSampleCards } from './samples.ts';

const now = Date.UTC(2030, 0, 31);

it.each(['USD', 'JPY', 'KWD'])('creates valid cards in %s', async (currency) => {
  const account = await withSampleCards(readDescription({ currency, sampleCards: 200, cards: [{ code: 'OWN' }] }, 'sample'), 7);
  expect(accountProblems(account)).toEqual([]);
  const { changes } = buildAccount(account, { now, random: RandomSource.seeded(7, 'sample') });
  new CardRenderer(sandboxOf().sandbox.variant).renderChanged(changes);
  const state = new State();
  for (const change of changes) state.apply(change);
  expect(state.count(false)).toBe(201);
  const statuses = new Set(Array.from({ length: 201 }, (_, position) => state.newest(position, 1, false).cards[0]?.status));
  expect(statuses).toEqual(new Set(['Active', 'Redeemed']));
});

it('creates the same cards for the same seed only', async () => {
  const account = readDescription({ sampleCards: 20 }, 'sample');
  const first = await withSampleCards(account, 7);
  expect(await withSampleCards(account, 7)).toEqual(first);
  expect(await withSampleCards(account, 8)).not.toEqual(first);
  expect(await withSampleCards({ ...account, id: 'another' }, 7)).not.toMatchObject({ cards: first.cards });
});

it('uses addresses at example.com, with letters only', async () => {
  const { cards } = await withSampleCards(readDescription({ sampleCards: 300 }, 'sample'), 1);
  for (const card of cards) expect(card.recipientEmailAddress).toMatch(/^[a-z]+\.[a-z]+\.\d+@example\.com$/);
});

it('leaves an account without sampleCards unchanged', async () => {
  const account = readDescription({}, 'sample');
  expect(await withSampleCards(account, 1)).toBe(account);
});
