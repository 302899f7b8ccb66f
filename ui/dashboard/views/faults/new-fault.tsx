import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { lists } from '../../../../mock/control/generated/lists.ts';
import type { FaultKind, NewFault } from '../../../../mock/control/generated/types.ts';
import { Field, Form, type FormValues } from '../../../components/form.tsx';
import { control, dataOf, here } from '../../client.ts';
import { closeDetail, Detail } from '../../list-and-detail.tsx';
import { go } from '../../router.ts';

interface Choice {
  readonly title: string;
  readonly fault: FaultKind;
  readonly on: 'request' | 'delivery';
  /** What it does, and what the client or receiver must do. */
  readonly effect: string;
  readonly fields?: ComponentChildren;
}

const status = <Field label="Status" name="status" type="number" min="400" max="599" defaultValue="503" required />;
const milliseconds = (
  <Field label="Delay in milliseconds" name="milliseconds" type="number" min="0" max="600000" defaultValue="3000" required />
);
const when = (
  <Field label="When">
    <select name="when">
      <option value="after">After the change: only the response is lost</option>
      <option value="before">Before the change: the service does nothing</option>
    </select>
  </Field>
);

type Texts = Omit<Choice, 'on' | 'fault'>;

const onRequests = {
  status: { title: 'Server error', effect: 'The request gets a response with this status.', fields: [status, when] },
  reset: { title: 'Lost response', effect: 'The connection closes without a response.', fields: when },
  truncate: { title: 'Cut response', effect: 'The connection closes in the middle of the body.' },
  delay: { title: 'Slow response', effect: 'The response is late.', fields: milliseconds },
  'rate-limit': { title: 'Rate limit', effect: "The request gets the service's own 429." },
} satisfies Partial<Record<FaultKind, Texts>>;
const forged = 'comes first. The receiver must reject it.';
const sameBody = 'The same JSON with other white space and key order. Its signature is correct, so the receiver must accept it.';
const onDeliveries = {
  duplicate: { title: 'Duplicate delivery', effect: 'The same bytes are posted twice.' },
  delay: { title: 'Slow delivery', effect: 'The delivery is late.', fields: milliseconds },
  'wrong-signature': { title: 'Wrong signature', effect: `A forged delivery ${forged}` },
  unsigned: { title: 'No signature', effect: `A delivery without a signature ${forged}` },
  're-serialized': { title: 'Re-serialized body', effect: sameBody },
} satisfies Record<Exclude<FaultKind, Exclude<keyof typeof onRequests, 'delay'>>, Texts>;
const choicesOf = (texts: Readonly<Record<string, Texts>>, on: Choice['on']) =>
  Object.entries(texts).map(([fault, each]): Choice => ({ ...each, fault: fault as FaultKind, on }));
const choices = [...choicesOf(onRequests, 'request'), ...choicesOf(onDeliveries, 'delivery')];

/** An empty field is not sent. The control API refuses two of them. */
const extents = (
  <>
    <Field
      label="first: only the first matches"
      hint="The number of matches. At most one of these three fields; none for every match."
      name="first"
      type="number"
      min="1"
      defaultValue="1"
    />
    <Field label="nth: only the match with this number" name="nth" type="number" min="1" />
    <Field label="probability: at random" hint="From 0 to 1" name="probability" type="number" min="0" max="1" step="any" />
  </>
);

export function NewFaultForm() {
  const chosen = useSignal(choices[0] as Choice);
  const { fault, on, effect, fields } = chosen.value;
  const set = async ({ choice: _, ...values }: FormValues) => {
    const body = { fault, ...(fault === 'delay' && { on }), ...values } as NewFault;
    const { id } = await dataOf(control.POST('/accounts/{account}/faults', { params: { path: here() }, body }));
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
            {(on === 'request' ? lists.Operation : lists.Topic).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        {extents}
      </Form>
    </Detail>
  );
}
