import { describeResponse, isRefusal, objectIn } from '../core/expect.ts';
import { probe, unlisted } from '../core/rule.ts';
import { mustSucceed, type Trial } from '../core/trial.ts';
import { Violation } from '../core/verdict.ts';
import type { TargetResponse } from '../http/exchange.ts';
import { instantOf, leaves } from '../http/json-search.ts';
import { listPath } from '../safety/card-search.ts';
import { Untested } from '../safety/policy.ts';
import { adjustableCard, adjustByCode, oddAdjustment, sendHistory, topUp } from '../scenarios/adjustments.ts';
import { getByCode, tryCreate } from '../scenarios/cards.ts';
import { controlAccepts } from '../scenarios/controls.ts';
import { sendList } from '../scenarios/lists.ts';
import { dateForm, messageForm, rejectedOr, rejectionLike } from './responses.ts';

const topUpWith = async (t: Trial, what: string, fields: object): Promise<TargetResponse> =>
  oddAdjustment(t, what, { body: { ...(await topUp(t, await adjustableCard(t))), ...fields } });

const ofStatus = (response: TargetResponse, status: number) =>
  response.status === status ? messageForm(response) : unlisted(`returns ${response.status}`);

const listResponses = (t: Trial) => controlAccepts(t, 'the list', sendList(t, { pageSize: 1 }));

probe('errors.body-of-401', {}, async (t) => {
  await listResponses(t);
  return ofStatus(await t.send('list without a key', { method: 'GET', path: listPath, key: null }), 401);
});

probe('errors.body-of-404', {}, async (t) => {
  await listResponses(t);
  return ofStatus(await getByCode(t, t.run.ledger.fresh('GCSNONE')), 404);
});

probe('errors.every-rejection-plain-text', {}, async (t) => {
  const response = await topUpWith(t, 'an amount that is not a number', { adjustmentAmount: 'many' });
  if (response.status !== 400) return unlisted(`returns ${response.status}`);
  const form = messageForm(response);
  if (form === 'empty') throw new Violation('a 400 with a message', describeResponse(response));
  if (form === 'plain-text') return 'plain-text';
  const { message, errors } = (response.json ?? {}) as { message?: unknown; errors?: unknown };
  if (typeof message === 'string' && typeof errors === 'object' && errors !== null) return 'json';
  return typeof form === 'string' ? unlisted(form, rejectionLike(response)) : form;
});

probe('http.unreadable-body-response', {}, async (t) => {
  await adjustableCard(t);
  const response = await oddAdjustment(t, 'a body that is not JSON', { text: '{' });
  if (response.status === 200) throw new Violation('a body that is not JSON rejected', describeResponse(response));
  return messageForm(response);
});

probe('http.unknown-properties', {}, async (t) =>
  rejectedOr(await topUpWith(t, 'an unknown property', { gcsColour: 'red' }), 'refused', 'ignored'),
);

probe('http.null-property', {}, async (t) =>
  rejectedOr(await topUpWith(t, 'notes that are null', { notes: null }), 'refused', 'as-omitted'),
);

probe('http.blank-string', {}, async (t) => {
  const on = await adjustableCard(t);
  // The length is random, because a target that keeps blanks may have stored the same ID in an earlier run.
  const blanks = ' '.repeat(2 + Math.floor(Math.random() * 200));
  const { response } = await tryCreate(t, { uniqueId: blanks });
  if (response.status !== 200) return rejectedOr(response, 'refused', 'kept');
  // The target accepts a blank uniqueId. A required field shows whether the target treats blanks as missing.
  return rejectedOr(await adjustByCode(t, on, 0.25, { uniqueAdjustmentId: blanks }), 'as-omitted', 'kept');
});

function uniqueTime(t: Trial): number {
  // The serial number has four digits. The run ID before the number may end in digits, too.
  const serial = Number(t.run.ledger.fresh().slice(-4));
  return Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7_200_000 + serial * 1_000;
}

async function textInHistory(t: Trial, time: number): Promise<string | undefined> {
  const { json } = mustSucceed(await sendHistory(t, (await adjustableCard(t)).code), 'reading the history');
  const found = leaves(json).find(({ value }) => instantOf(value) === time);
  return found && String(found.value);
}

probe('http.date-without-zone', {}, async (t) => {
  const time = uniqueTime(t);
  const actionedAtUtc = new Date(time).toISOString().slice(0, 19);
  const response = await topUpWith(t, `the time ${actionedAtUtc}`, { actionedAtUtc });
  if (response.status !== 200) return rejectedOr(response, 'refused', 'utc');
  return (await textInHistory(t, time)) === undefined ? unlisted('is read in another time zone than UTC') : 'utc';
});

probe('http.date-form', {}, async (t) => {
  const time = uniqueTime(t);
  const on = await adjustableCard(t);
  const response = await adjustByCode(t, on, 0.25, { actionedAtUtc: new Date(time).toISOString() });
  if (isRefusal(response.status))
    throw new Untested('fact-missing', `the target rejects the time ${new Date(time).toISOString()}`);
  mustSucceed(response, 'adjusting');
  const text = await textInHistory(t, time);
  return text === undefined ? unlisted('the history does not show actionedAtUtc') : dateForm(text);
});

probe('http.valueless-properties', {}, async (t) => {
  const shown = objectIn(await getByCode(t, (await adjustableCard(t)).code));
  if (!('customField1' in shown)) return 'left-out';
  return shown.customField1 === null ? 'null' : unlisted(`shows ${JSON.stringify(shown.customField1)}`);
});
