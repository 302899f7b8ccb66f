import { probe, type SomethingElse, somethingElse } from '../core/clause.ts';
import { otherBody } from '../core/form.ts';
import { arranged } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves, mentions, stepsTo } from '../http/structure.ts';
import { ownRecords } from '../safety/own-records.ts';
import { season } from '../scenarios/delivery-scenario.ts';
import { deletions, registrations } from '../scenarios/registrations.ts';

const needs = ['receiver'] as const;

/** Where the record holds the value. */
const placeIn = (record: unknown, value: string) => leaves(record).find((leaf) => leaf.value === value)?.path;

function bodyOf<R extends string>(
  { json, body }: Answer,
  record: R | undefined,
  url?: string,
): R | 'true' | 'empty' | SomethingElse {
  if (record !== undefined && mentions(json, url)) return record;
  if (json === true) return 'true';
  return body.trim() === '' ? 'empty' : otherBody(json);
}

probe('webhook.create.body', {}, async (t) => {
  const { plain, lists } = await registrations(t);
  const { answer, url } = plain;
  const [record] = ownRecords(lists.all, plain.entry);
  const seen = bodyOf(arranged(answer, 'registering a webhook'), 'the-record', url);
  const [there, within = ''] = [answer.json, record].map((json) => placeIn(json, url));
  const wrap = there?.endsWith(within) ? stepsTo(there.slice(0, there.length - within.length)) : undefined;
  return seen !== 'the-record' || !wrap ? seen : { reading: seen, shown: { rows: [{ wrap: 'createWebhook', in: wrap }] } };
});

probe('webhook.delete.body', {}, async (t) =>
  bodyOf<never>(arranged((await deletions(t)).deletions.first, 'deleting a webhook'), undefined),
);

probe('webhook.delete.disabled', { needs }, async (t) => {
  const { deletionOfDisabled } = await season(t);
  if (!deletionOfDisabled) throw new Untested('control-failed', 'no webhook was disabled');
  const { status } = deletionOfDisabled;
  return status === 200 ? 'deleted' : status === 404 ? '404' : somethingElse(`answers ${status}`);
});

probe('webhook.create.again-while-disabled', { needs }, async (t) => {
  const { revivedIds, wasRevived } = await season(t);
  if (!wasRevived) throw new Untested('control-failed', 'no webhook was disabled before the last void');
  return revivedIds.after.some((id) => revivedIds.before.includes(id)) ? 'same-record' : 'new-record';
});
