import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { giftCard } from '../core/expect.ts';
import { taken } from '../core/form.ts';
import { arranged, type Trial } from '../core/trial.ts';
import { instantOf, leaves } from '../http/structure.ts';
import { byCode } from '../scenarios/adjustments.ts';
import { adjustable, historyOf, topUp, written } from '../scenarios/bodies.ts';
import { getByCode } from '../scenarios/card-requests.ts';

/** A moment that no other adjustment of the run has, on a whole second. */
function ownMoment(t: Trial): number {
  const serial = Number(/\d+$/.exec(t.run.ledger.fresh())?.[0]);
  return Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7_200_000 + serial * 1_000;
}

/** How the history writes the moment of an adjustment: found by the instant, whatever its name. */
async function instantsOf(t: Trial): Promise<Map<number, string>> {
  const found = leaves(await historyOf(t, await adjustable(t))).flatMap(({ value }): [number, string][] => {
    const instant = instantOf(value);
    return instant === undefined ? [] : [[instant, String(value)]];
  });
  return new Map(found);
}

/** Adjusts as of a moment that is written so, and says how it was read. */
async function readAs<R extends string>(
  t: Trial,
  text: string,
  meant: number,
  reading: R,
): Promise<R | 'refused' | SomethingElse> {
  const on = await adjustable(t);
  const before = await instantsOf(t);
  const answer = await written(t, `the moment ${text}`, { body: { ...topUp(t, on), actionedAtUtc: text } });
  if (answer.status !== 200) return taken(answer, 'refused', 'refused');
  const others = [...(await instantsOf(t)).keys()].filter((instant) => !before.has(instant));
  return others.includes(meant) || before.has(meant)
    ? reading
    : somethingElse(`takes it for another moment than ${new Date(meant).toISOString()}`);
}

probe('http.date-without-zone', {}, async (t) => {
  const moment = ownMoment(t);
  return readAs(t, new Date(moment).toISOString().slice(0, 19), moment, 'utc');
});

probe('http.date-form', {}, async (t) => {
  const moment = ownMoment(t);
  const on = await adjustable(t);
  arranged(await byCode(t, on, 0.25, { actionedAtUtc: new Date(moment).toISOString() }), 'adjusting as of a moment');
  const text = (await instantsOf(t)).get(moment);
  if (text === undefined) return somethingElse('the history does not tell it');
  if (/:\d\d\.\d{3}Z$/.test(text)) return 'milliseconds-and-z';
  if (/:\d\dZ$/.test(text)) return 'seconds-and-z';
  return /Z$|[+-]\d\d:?\d\d$/i.test(text) ? somethingElse(`written as ${text.replace(/\d/g, '0')}`) : 'without-zone';
});

probe('http.valueless-properties', {}, async (t) => {
  const on = await adjustable(t);
  const shown = giftCard(await getByCode(t, on.code));
  if (!('customField1' in shown)) return 'left-out';
  return shown.customField1 === null ? 'null' : somethingElse(`shows ${JSON.stringify(shown.customField1)}`);
});
