import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { FaultKind, NewFault } from '../../../../mock/control/generated/types.ts';
import { Field, Form, type FormValues } from '../../../components/form.tsx';
import { answered, control, here } from '../../client.ts';
import { closeDetail, Detail } from '../../list-and-detail.tsx';
import { useResource } from '../../resource.ts';
import { go } from '../../router.ts';
import { operationsOf } from '../reference/operations.ts';
import { TOPICS } from '../webhooks/forms.tsx';

interface Choice {
  readonly title: string;
  readonly fault: FaultKind;
  readonly on: 'request' | 'delivery';
  /** What it does, and what the client or receiver must do. */
  readonly effect: string;
  readonly fields?: ComponentChildren;
}

const status = (
  <Field label="Status">
    <input name="status" type="number" min="400" max="599" defaultValue="503" required />
  </Field>
);
const milliseconds = (
  <Field label="Delay in milliseconds">
    <input name="milliseconds" type="number" min="0" max="600000" defaultValue="3000" required />
  </Field>
);
const when = (
  <Field label="When">
    <select name="when">
      <option value="after">After the change: only the answer is lost</option>
      <option value="before">Before the change: the service does nothing</option>
    </select>
  </Field>
);

const onRequests: readonly Omit<Choice, 'on'>[] = [
  { title: 'Server error', fault: 'status', effect: 'The request is answered with this status.', fields: [status, when] },
  { title: 'Lost answer', fault: 'reset', effect: 'The connection closes without an answer.', fields: when },
  { title: 'Cut answer', fault: 'truncate', effect: 'The connection closes in the middle of the body.' },
  { title: 'Slow answer', fault: 'delay', effect: 'The answer is late.', fields: milliseconds },
  { title: 'Rate limit', fault: 'rate-limit', effect: "The request gets the service's own 429." },
];
const forged = 'comes first. The receiver must reject it.';
const sameBody = 'The same JSON with other white space and key order. Its signature is correct, so the receiver must accept it.';
const onDeliveries: readonly Omit<Choice, 'on'>[] = [
  { title: 'Duplicate delivery', fault: 'duplicate', effect: 'The same bytes are posted twice.' },
  { title: 'Slow delivery', fault: 'delay', effect: 'The delivery is late.', fields: milliseconds },
  { title: 'Wrong signature', fault: 'wrong-signature', effect: `A forged delivery ${forged}` },
  { title: 'No signature', fault: 'unsigned', effect: `A delivery without a signature ${forged}` },
  { title: 'Re-serialized body', fault: 're-serialized', effect: sameBody },
];
const choices: readonly Choice[] = [
  ...onRequests.map((each) => ({ ...each, on: 'request' as const })),
  ...onDeliveries.map((each) => ({ ...each, on: 'delivery' as const })),
];

/** An empty field is not sent. The control API refuses two of them. */
const extents = (
  <>
    <Field
      label="first: only the first matches"
      hint="The number of matches. At most one of these three fields; none for every match."
    >
      <input name="first" type="number" min="1" defaultValue="1" />
    </Field>
    <Field label="nth: only the match with this number">
      <input name="nth" type="number" min="1" />
    </Field>
    <Field label="probability: at random" hint="From 0 to 1">
      <input name="probability" type="number" min="0" max="1" step="any" />
    </Field>
  </>
);

export function NewFaultForm() {
  const chosen = useSignal(choices[0] as Choice);
  const { fault, on, effect, fields } = chosen.value;
  const load = async () => operationsOf(await answered(control.GET('/openapi.json', { params: { query: {} } })));
  const { data: operations = [] } = useResource(load, []);
  const set = async ({ choice: _, ...values }: FormValues) => {
    const body = { fault, ...(fault === 'delay' && { on }), ...values } as NewFault;
    const { id } = await answered(control.POST('/accounts/{account}/faults', { params: { path: here() }, body }));
    go({ query: { selected: id } }, true);
  };
  return (
    <Detail title="Set a fault">
      <Form submit="Set" onSubmit={set} onCancel={closeDetail}>
        <Field label="Fault" hint={effect}>
          <select name="choice" onChange={({ currentTarget }) => (chosen.value = choices[currentTarget.selectedIndex] as Choice)}>
            {choices.map(({ title }) => (
              <option key={title}>{title}</option>
            ))}
          </select>
        </Field>
        {fields}
        <Field label={on === 'request' ? 'Operation' : 'Topic'}>
          <select key={on} name={on === 'request' ? 'operation' : 'topic'}>
            <option value="">All</option>
            {(on === 'request' ? operations.map(({ id }) => id) : TOPICS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        {extents}
      </Form>
    </Detail>
  );
}
