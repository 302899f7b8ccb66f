import { probe, somethingElse } from '../core/clause.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { happyArrivals } from '../scenarios/arrivals.ts';
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
  return next.besides > 0 ? 'any' : 'as-they-happened';
});

const nothingWaits = somethingElse('not to be seen: deliveries do not wait for one another');

probe('delivery.waiting-when-webhook-goes', { needs }, async (t) => {
  const { of, boxes, hadWaiting } = await season(t);
  if (!hadWaiting) return nothingWaits;
  return of(boxes.leaving).length > 1 ? 'sent' : 'dropped';
});

probe('delivery.values-as-of', { needs }, async (t) => {
  const { of, boxes, cards } = await season(t);
  const waited = of(boxes.slow, cards.notified, 'giftcard/updated').find(({ besides }) => besides === 0);
  if (!waited?.payload) return nothingWaits;
  // The card was topped up while its delivery waited.
  return waited.payload.TotalIssuedAmount === waited.payload.InitialValue ? 'event' : 'sending';
});

probe('delivery.content-type', { needs }, async (t) => {
  const [first] = happyArrivals(await season(t));
  const type = String(first?.headers['content-type']).toLowerCase();
  if (type === 'application/json') return 'application-json';
  return /^application\/json; ?charset=utf-8$/.test(type) ? 'with-charset' : somethingElse(`sent as ${type}`);
});

probe('delivery.json-text', { needs }, async (t) => {
  const [first] = happyArrivals(await season(t));
  const text = first?.bytes.toString('utf8') ?? '';
  if (text.includes('\n')) return 'indented';
  return /^\{"\w+":/.test(text) ? 'compact' : somethingElse('in one line, with blanks');
});

probe('delivery.signature-header-case', { needs }, async (t) => {
  const { of, boxes } = await season(t);
  const names = of(boxes.signed).flatMap(({ rawHeaders }) => rawHeaders.filter((_, place) => place % 2 === 0));
  const found = names.find((name) => name.toLowerCase() === 'hmac-signature-sha256');
  if (found === 'HMAC-Signature-SHA256') return 'as-written';
  if (found === 'hmac-signature-sha256') return 'lower-case';
  return somethingElse(found ? `as ${found}` : 'there is none');
});
