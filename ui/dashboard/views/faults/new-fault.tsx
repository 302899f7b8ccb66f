import { useSignal } from '@preact/signals';
import type { FaultKind, NewFault } from '../../../../mock/control/generated/types.ts';
import { Field, Form, type FormValues } from '../../../components/form.tsx';
import { answered, control, here } from '../../client.ts';
import { closeDetail, Detail } from '../../list-and-detail.tsx';
import { useResource } from '../../resource.ts';
import { go } from '../../router.ts';
import { TOPICS } from '../webhooks/forms.tsx';

interface Choice {
  readonly title: string;
  readonly fault: FaultKind;
  readonly on: 'request' | 'delivery';
  /** What it does, and what the client or receiver must do. */
  readonly effect: string;
  readonly fields?: readonly ('status' | 'milliseconds' | 'when')[];
}

const choices: readonly Choice[] = [
  {
    title: 'Server error',
    fault: 'status',
    on: 'request',
    effect: 'The request is answered with this status.',
    fields: ['status', 'when'],
  },
  { title: 'Lost answer', fault: 'reset', on: 'request', effect: 'The connection closes without an answer.', fields: ['when'] },
  { title: 'Cut answer', fault: 'truncate', on: 'request', effect: 'The connection closes in the middle of the body.' },
  { title: 'Slow answer', fault: 'delay', on: 'request', effect: 'The answer is late.', fields: ['milliseconds'] },
  { title: 'Rate limit', fault: 'rate-limit', on: 'request', effect: "The request gets the service's own 429." },
  { title: 'Duplicate delivery', fault: 'duplicate', on: 'delivery', effect: 'The same bytes are posted twice.' },
  { title: 'Slow delivery', fault: 'delay', on: 'delivery', effect: 'The delivery is late.', fields: ['milliseconds'] },
  {
    title: 'Wrong signature',
    fault: 'wrong-signature',
    on: 'delivery',
    effect: 'A forged delivery comes first. The receiver must reject it.',
  },
  {
    title: 'No signature',
    fault: 'unsigned',
    on: 'delivery',
    effect: 'A delivery without a signature comes first. The receiver must reject it.',
  },
  {
    title: 'Re-serialized body',
    fault: 're-serialized',
    on: 'delivery',
    effect: 'The same JSON with other white space and key order. Its signature is correct, so the receiver must accept it.',
  },
];

export function NewFaultForm() {
  const chosen = useSignal(choices[0] as Choice);
  const extent = useSignal<'first' | 'nth' | 'probability' | ''>('first');
  const { fault, on, effect, fields = [] } = chosen.value;
  const { data: operations = [] } = useResource(operationIds, []);
  const set = async ({ choice: _, extent: __, ...values }: FormValues) => {
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
        {fields.includes('status') && (
          <Field label="Status">
            <input name="status" type="number" min="400" max="599" value="503" required />
          </Field>
        )}
        {fields.includes('milliseconds') && (
          <Field label="Delay in milliseconds">
            <input name="milliseconds" type="number" min="0" max="600000" value="3000" required />
          </Field>
        )}
        {fields.includes('when') && (
          <Field label="When">
            <select name="when">
              <option value="before">Before the change: the service does nothing</option>
              <option value="after">After the change: only the answer is lost</option>
            </select>
          </Field>
        )}
        <Field label={on === 'request' ? 'Operation' : 'Topic'}>
          <select key={on} name={on === 'request' ? 'operation' : 'topic'}>
            <option value="">All</option>
            {(on === 'request' ? operations : TOPICS).map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Field>
        <Field label="Strikes">
          <select name="extent" onChange={({ currentTarget }) => (extent.value = currentTarget.value as typeof extent.value)}>
            <option value="first">the first matches, this many</option>
            <option value="nth">only the match with this number</option>
            <option value="probability">with this probability, from 0 to 1</option>
            <option value="">every match</option>
          </select>
        </Field>
        {extent.value !== '' && (
          <Field key={extent.value} label="Number">
            {extent.value === 'probability' ? (
              <input name="probability" type="number" min="0" max="1" step="any" value="0.5" required />
            ) : (
              <input name={extent.value} type="number" min="1" value="1" required />
            )}
          </Field>
        )}
      </Form>
    </Detail>
  );
}

/** Returns the operations of the service, from its contract. */
async function operationIds(): Promise<readonly string[]> {
  const { paths } = (await answered(control.GET('/openapi.json', { params: { query: {} } }))) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>;
  };
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId }) => operationId ?? []);
}
