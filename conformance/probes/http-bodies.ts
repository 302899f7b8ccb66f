import { probe, somethingElse } from '../core/clause.ts';
import { told } from '../core/expect.ts';
import { formOf, taken } from '../core/form.ts';
import { Violation } from '../core/verdict.ts';
import { byCode } from '../scenarios/adjustments.ts';
import { adjustable, topUp, written } from '../scenarios/bodies.ts';
import { create } from '../scenarios/cards.ts';

probe('http.unreadable-body-answer', {}, async (t) => {
  await adjustable(t);
  const answer = await written(t, 'a body that is not JSON', { text: '{' });
  if (answer.status === 200) throw new Violation('a body that is not JSON refused', told(answer));
  return formOf(answer);
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
