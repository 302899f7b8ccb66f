import { probe, type Unlisted, unlisted } from '../core/clause.ts';
import { mustSucceed } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { leaves, mentions, stepsTo } from '../http/json-search.ts';
import { ownRecords } from '../safety/record-cleanup.ts';
import { deliveryScenario } from '../scenarios/delivery-scenario.ts';
import { deletions, registrations } from '../scenarios/webhooks.ts';
import { otherBody } from './responses.ts';

const trueOrEmpty = ({ json, body }: Answer): 'true' | 'empty' | Unlisted => {
  if (json === true) return 'true';
  return body.trim() === '' ? 'empty' : otherBody(json);
};

probe('webhook.create.body', {}, async (t) => {
  const { plain, lists } = await registrations(t);
  const { json } = mustSucceed(plain.answer, 'registering a webhook');
  if (!mentions(json, plain.url)) return trueOrEmpty(plain.answer);
  const [record] = ownRecords(lists.all, plain.entry);
  const urlPath = (value: unknown) => leaves(value).find((leaf) => leaf.value === plain.url)?.path ?? '';
  const [inResponse, inRecord] = [urlPath(json), urlPath(record)];
  const wrapper = inResponse.endsWith(inRecord) ? stepsTo(inResponse.slice(0, inResponse.length - inRecord.length)) : '';
  return wrapper ? { option: 'the-record', overrides: [{ wrap: 'createWebhook', in: wrapper }] } : 'the-record';
});

probe('webhook.delete.body', {}, async (t) =>
  trueOrEmpty(mustSucceed((await deletions(t)).deletions.first, 'deleting a webhook')),
);

const needs = ['receiver'] as const;

probe('webhook.delete.disabled', { needs }, async (t) => {
  const { deletionOfDisabled } = await deliveryScenario(t);
  if (!deletionOfDisabled) throw new Untested('control-failed', 'no webhook was disabled');
  const { status } = deletionOfDisabled;
  if (status === 200) return 'deleted';
  return status === 404 ? '404' : unlisted(`answers ${status}`);
});

probe('webhook.create.again-while-disabled', { needs }, async (t) => {
  const { revivedIds, wasRevived } = await deliveryScenario(t);
  if (!wasRevived) throw new Untested('control-failed', 'no webhook was disabled before the last void');
  return revivedIds.after.some((id) => revivedIds.before.includes(id)) ? 'same-record' : 'new-record';
});
