import { listPath } from '../core/card-list.ts';
import { probe, somethingElse } from '../core/clause.ts';
import { accepted, hasStatus, told } from '../core/expect.ts';
import { bodyShown, formOf } from '../core/form.ts';
import type { Trial } from '../core/trial.ts';
import { Violation } from '../core/verdict.ts';
import { byCode } from '../scenarios/adjustments.ts';
import { adjustable, topUp, written } from '../scenarios/bodies.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { list } from '../scenarios/lists.ts';

probe('errors.body-of-401', {}, async (t) => {
  await t.control('the list with a key', async () => accepted(await list(t, { pageSize: 1 }), 'it'));
  const answer = await t.send('list without a key', { method: 'GET', path: listPath, key: null });
  return answer.status === 401 ? formOf(answer) : somethingElse(`answers ${answer.status}`);
});

probe('errors.body-of-404', {}, async (t) => {
  await t.control('the list', async () => accepted(await list(t, { pageSize: 1 }), 'it'));
  const answer = await getByCode(t, t.run.ledger.fresh('GCSNONE'));
  return answer.status === 404 ? formOf(answer) : somethingElse(`answers ${answer.status}`);
});

/** An adjustment without the moment that it needs, which is one of the reasons that the specification lists. */
async function incomplete(t: Trial) {
  const on = await adjustable(t);
  const answer = await byCode(t, on, 0.25, { actionedAtUtc: undefined });
  await t.control('an adjustment without actionedAtUtc is refused', async () => hasStatus(answer, 400, 'it'));
  return answer;
}

probe('errors.rejection-charset', {}, async (t) => {
  const { contentType } = await incomplete(t);
  const [, charset] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  if (charset === undefined) return 'none';
  return charset.toLowerCase() === 'utf-8' ? 'utf-8' : somethingElse(`names ${charset}`);
});

probe('errors.every-rejection-plain-text', {}, async (t) => {
  const on = await adjustable(t);
  const answer = await written(t, 'an amount that is no number', { body: { ...topUp(t, on), adjustmentAmount: 'many' } });
  if (answer.status !== 400) return somethingElse(`answers ${answer.status}`);
  const form = formOf(answer);
  if (form === 'empty') throw new Violation('a 400 with a message', told(answer));
  if (form === 'plain-text') return 'plain-text';
  const { message, errors } = (answer.json ?? {}) as { message?: unknown; errors?: unknown };
  if (typeof message === 'string' && typeof errors === 'object' && errors !== null) return 'json';
  return typeof form === 'string' ? somethingElse(form, bodyShown(answer)) : form;
});

probe('errors.several-reasons', {}, async (t) => {
  const on = await adjustable(t);
  const faults = { adjustmentAmount: 'many', actionedAtUtc: 'soon', notes: [] };
  const answer = await written(t, 'three values of no use', { body: { ...topUp(t, on), ...faults } });
  const { status, body } = answer;
  if (status !== 400) return somethingElse(`answers ${status}`);
  const named = Object.keys(faults).filter((name) => body.toLowerCase().includes(name.toLowerCase()));
  if (named.length === 1) return 'first';
  // One of the three values may be taken.
  return named.length > 1 ? 'all' : somethingElse(`names ${named.length} of three`);
});
