import { probe, somethingElse } from '../core/clause.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { mostFailures } from '../scenarios/boxes.ts';
import type { Card } from '../scenarios/cards.ts';
import { type Season, season } from '../scenarios/delivery-scenario.ts';

const needs = ['receiver'] as const;

/** Whether giftcard/updated came for a card's issue: a void may send it as well, and then shows a voided card. */
async function updatedOnIssue(t: Trial, which: (cards: Season['cards']) => Card): Promise<boolean> {
  const { of, boxes, cards } = await voided(t, which);
  return of(boxes.signed, which(cards), 'giftcard/updated').some(({ payload }) => payload?.Status !== 'Voided');
}

/** The season, in which the void of the card has arrived, so that what was sent of it before would have, too. */
async function voided(t: Trial, which: (cards: Season['cards']) => Card): Promise<Season> {
  const made = await season(t);
  if (made.of(made.boxes.signed, which(made.cards), 'giftcard/voided').length === 0)
    throw new Untested('control-failed', `the void of ${which(made.cards).name} did not arrive`);
  return made;
}

probe('delivery.updated.without-notification', { needs }, async (t) =>
  (await updatedOnIssue(t, ({ bare }) => bare)) ? 'sent' : 'not-sent',
);

probe('delivery.updated.beside-gifted', { needs }, async (t) =>
  (await updatedOnIssue(t, ({ gifted }) => gifted)) ? 'yes' : 'no',
);

probe('delivery.gifted.with-emails-disabled', { needs }, async (t) => {
  const { of, boxes, cards } = await voided(t, ({ quiet }) => quiet);
  return of(boxes.signed, cards.quiet, 'giftcard/gifted').length > 0 ? 'yes' : 'no';
});

probe('delivery.failure', { needs }, async (t) => {
  const { of, boxes, looks } = await season(t);
  if (of(boxes.missing).length < mostFailures && looks.at(-1)?.listed.has(boxes.missing))
    throw new Untested('control-failed', 'too few deliveries came for a webhook to be disabled');
  if (looks.at(-1)?.listed.has(boxes.failing)) return somethingElse('500 does not count either');
  return looks.at(-1)?.listed.has(boxes.missing) ? 'no-answer-or-5xx' : 'anything-but-2xx';
});

probe('delivery.redirects', { needs }, async (t) => {
  const { of, boxes, looks } = await season(t);
  if (of(boxes.moved).length === 0) throw new Untested('control-failed', 'nothing came to be redirected');
  if (of(boxes.elsewhere).length > 0) return 'followed';
  return looks.at(-1)?.listed.has(boxes.moved) ? somethingElse('not followed, and no failure') : 'failed';
});

probe('delivery.order', { needs }, async (t) => {
  const { of, boxes } = await season(t);
  const [, next] = of(boxes.slow);
  if (!next) throw new Untested('control-failed', 'no second delivery came to a webhook that takes its time');
  return next.unanswered > 0 ? 'any' : 'as-they-happened';
});
