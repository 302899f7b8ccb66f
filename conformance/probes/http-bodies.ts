import { probe, somethingElse } from '../core/clause.ts';
import { told } from '../core/expect.ts';
import { formOf, statusOf, taken } from '../core/form.ts';
import type { Trial } from '../core/trial.ts';
import { TransportError, Violation } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { byCode } from '../scenarios/adjustments.ts';
import { adjustable, moved, topUp, written } from '../scenarios/bodies.ts';
import { create } from '../scenarios/cards.ts';

const words = (answers: readonly Answer[]) => somethingElse(`answers ${answers.map(({ status }) => status).join(', ')}`);

probe('http.content-type', {}, async (t) => {
  const on = await adjustable(t);
  const tries = [];
  for (const contentType of ['text/plain', null])
    tries.push(await moved(t, on, `the content type ${contentType ?? 'left out'}`, { body: topUp(t, on), contentType }));
  const seen = tries.map(({ answer, by }) => (by === 0.25 ? taken(answer, 'refused', 'read') : taken(answer, 'refused', 'lost')));
  if (seen.every((each) => each === 'read')) return 'read';
  return seen.every((each) => each === 'refused') ? 'refused' : words(tries.map(({ answer }) => answer));
});

probe('http.unreadable-body-status', {}, async (t) => {
  await adjustable(t);
  const answers = [
    await written(t, 'a body that is not JSON', { text: '{' }),
    await written(t, 'an array', { text: '[]' }),
    await written(t, 'no body', {}),
  ];
  const [first] = answers as [Answer];
  return answers.every(({ status }) => status === first.status) ? statusOf(first, '400', '415', '422') : words(answers);
});

probe('http.unreadable-body-answer', {}, async (t) => {
  await adjustable(t);
  const answer = await written(t, 'a body that is not JSON', { text: '{' });
  if (answer.status === 200) throw new Violation('a body that is not JSON refused', told(answer));
  return formOf(answer);
});

probe('http.wrong-json-type', {}, async (t) => {
  const on = await adjustable(t);
  const { answer, by } = await moved(t, on, 'its amount as a text', { body: { ...topUp(t, on), adjustmentAmount: '0.25' } });
  return by === 0.25 || answer.status !== 200
    ? taken(answer, 'refused', 'converted')
    : somethingElse(`moves the balance by ${by}`);
});

probe('http.unknown-properties', {}, async (t) => {
  const on = await adjustable(t);
  return taken(
    await written(t, 'a property of no meaning', { body: { ...topUp(t, on), gcsColour: 'red' } }),
    'refused',
    'ignored',
  );
});

probe('http.null-property', {}, async (t) => {
  const on = await adjustable(t);
  return taken(await written(t, 'notes that are null', { body: { ...topUp(t, on), notes: null } }), 'refused', 'as-omitted');
});

probe('http.blank-string', {}, async (t) => {
  const on = await adjustable(t);
  // Of a length that no earlier run has used, for where blanks are a value like any other.
  const blanks = ' '.repeat(2 + Math.floor(Math.random() * 200));
  const { answer } = await create(t, { uniqueId: blanks });
  if (answer.status === 400) return 'refused';
  if (answer.status !== 200) return somethingElse(`answers ${answer.status}`);
  // Where it is required, a blank that counts as none is missing.
  return taken(await byCode(t, on, 0.25, { uniqueAdjustmentId: blanks }), 'as-omitted', 'kept');
});

probe('http.property-letter-case', {}, async (t) => {
  const on = await adjustable(t);
  const { adjustmentAmount, ...others } = topUp(t, on);
  const { answer, by } = await moved(t, on, 'AdjustmentAmount', { body: { ...others, AdjustmentAmount: adjustmentAmount } });
  return by === 0.25 || answer.status !== 200
    ? taken(answer, 'counts', 'ignored')
    : somethingElse('takes it and moves no balance');
});

probe('http.repeated-property', {}, async (t) => {
  const on = await adjustable(t);
  const text = JSON.stringify(topUp(t, on)).replace(/\}$/, ',"adjustmentAmount":0.5}');
  const { answer, by } = await moved(t, on, 'its amount twice, first 0.25 and then 0.50', { text });
  if (answer.status !== 200) return taken(answer, 'refused', 'refused');
  if (by === 0.25) return 'first';
  return by === 0.5 ? 'last' : somethingElse(`moves the balance by ${by}`);
});

const MEBIBYTE = 1_048_576;

/** A top-up that blanks in front, which mean nothing in JSON, make as large as that, in bytes; undefined where the connection is closed over it. */
async function ofSize(t: Trial, bytes: number, key?: string): Promise<Answer | undefined> {
  return (await ofSizeOnce(t, bytes, key)) ?? ofSizeOnce(t, bytes, key);
}

async function ofSizeOnce(t: Trial, bytes: number, key?: string): Promise<Answer | undefined> {
  const text = JSON.stringify(topUp(t, await adjustable(t)));
  const writing = { text: text.padStart(bytes), ...(key === undefined ? {} : { key }) };
  return written(t, `a body of ${bytes} bytes`, writing).catch((error: unknown) => {
    if (error instanceof TransportError && error.cut) return undefined;
    throw error;
  });
}

const closes = somethingElse('closes the connection, twice');

probe('http.body-size-limit', {}, async (t) => {
  const [within, beyond] = [await ofSize(t, MEBIBYTE), await ofSize(t, MEBIBYTE + 1)];
  if (beyond?.status === 200) return 'unlimited';
  if (within?.status === 200) return '1-mebibyte';
  return within && beyond ? words([within, beyond]) : closes;
});

const tooLarge = (t: Trial, key?: string) => ofSize(t, MEBIBYTE + 1, key);

probe('http.body-too-large-status', {}, async (t) => {
  const answer = await tooLarge(t);
  if (answer === undefined) return closes;
  return answer.status === 200 ? somethingElse(`takes ${MEBIBYTE + 1} bytes`) : statusOf(answer, '413', '400');
});

probe('http.order.size-or-key', {}, async (t) => {
  const refusal = await tooLarge(t);
  if (refusal === undefined) return closes;
  if (refusal.status === 200) return somethingElse(`takes ${MEBIBYTE + 1} bytes`);
  const both = await tooLarge(t, `wrong-${t.run.ledger.fresh()}`);
  if (both === undefined) return closes;
  if (both.status === 401) return 'key';
  return both.status === refusal.status ? 'size' : somethingElse(`answers ${both.status}`);
});

probe('http.order.request-or-record', {}, async (t) => {
  const on = await adjustable(t);
  const unknown = { code: t.run.ledger.fresh('GCSNONE'), id: 'none' };
  const odd = { adjustmentAmount: 'many' };
  const [malformed, missing] = [
    await written(t, 'an amount that is no number', { body: { ...topUp(t, on), ...odd } }),
    await byCode(t, unknown, 0.25),
  ];
  if (malformed.status === missing.status) return somethingElse(`answers either with ${missing.status}`);
  const { status } = await written(t, 'both an unknown code and such an amount', { body: { ...topUp(t, unknown), ...odd } });
  if (status === malformed.status) return 'request';
  return status === missing.status ? 'record' : somethingElse(`answers ${status}`);
});
