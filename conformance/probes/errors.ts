import { listPath } from '../core/card-list.ts';
import { probe, somethingElse } from '../core/clause.ts';
import { accepted, told } from '../core/expect.ts';
import { bodyShown, formOf } from '../core/form.ts';
import { Violation } from '../core/verdict.ts';
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
