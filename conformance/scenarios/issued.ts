import { setTimeout as pause } from 'node:timers/promises';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { instantOf, issueTime } from '../http/structure.ts';
import { booked } from './adjustments.ts';
import { orNull, payloadOf } from './arrivals.ts';
import { type Card, card } from './cards.ts';
import { season } from './delivery-scenario.ts';
import { purse } from './shared-cards.ts';

/** A card, and when it was issued in the target's own words: with as many figures as it shows, and always with a zone. */
interface Issued {
  readonly on: Card;
  readonly time: string;
}

const unknown = () => new Untested('fact-missing', 'no property of the card tells when it was issued');

/** The moment at which a new card says that it was issued; how that property is called is open, so it may not be found. */
function shownIssue(on: Card): string | undefined {
  return zoned(issueTime(on.answer.json));
}

/** A time without a zone is UTC, but need not be taken where one is asked for. */
const zoned = (time: string | undefined) => (time === undefined || /(Z|[+-]\d{2}:?\d{2})$/i.test(time) ? time : `${time}Z`);

/** A card whose time of issue is known: as it shows it itself, or else as its deliveries do. */
export async function issued(t: Trial): Promise<Issued> {
  const on = await purse(t);
  const time = shownIssue(on);
  return time === undefined ? (await issuedInSeason(t)).young : { on, time };
}

/** Two cards, of which the older was updated after the younger had been issued. Untested where their times of issue are the same. */
export async function updatedAfterIssue(t: Trial): Promise<{ old: Issued; young: Issued }> {
  const first = await purse(t);
  const pair = shownIssue(first) === undefined ? await issuedInSeason(t) : await issuedInTurn(t, first);
  if (instantOf(pair.old.time) === instantOf(pair.young.time))
    throw new Untested('needs-control', 'the target’s clock stands still');
  return pair;
}

async function issuedInTurn(t: Trial, first: Card): Promise<{ old: Issued; young: Issued }> {
  const old = { on: first, time: shownIssue(first) ?? '' };
  let tick = 20;
  let young = await next(t);
  for (const ms of [20, 1_100]) {
    if (instantOf(young.time) !== instantOf(old.time)) break;
    await pause(ms);
    young = await next(t);
    tick = ms;
  }
  // So that the update is later than the younger card's issue by the target's clock, too.
  await pause(tick);
  await booked(t, old.on, 0.1);
  return { old, young };
}

async function next(t: Trial): Promise<Issued> {
  const on = await card(t);
  const time = shownIssue(on);
  if (time === undefined) throw unknown();
  return { on, time };
}

/** The first and the last card of the season, both of which were voided after the last had been created. */
async function issuedInSeason(t: Trial): Promise<{ old: Issued; young: Issued }> {
  if (!t.run.receiver) throw unknown();
  const made = await season(t);
  const of = (on: Card): Issued => {
    const time = orNull(payloadOf(made, on, 'giftcard/voided'), 'CreatedAt');
    if (typeof time !== 'string' || instantOf(time) === undefined) throw unknown();
    return { on, time: zoned(time) ?? time };
  };
  return { old: of(made.cards.gifted), young: of(made.cards.bare) };
}
