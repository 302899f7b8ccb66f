import type { Delivery } from '../../../../mock/control/generated/types.ts';
import { confirmAction } from '../../../components/dialogs.tsx';
import { Facts, TimeText } from '../../../components/values.tsx';
import { ActionResult, useAction } from '../../actions.tsx';
import { Attempts } from '../../attempts.tsx';
import { CauseOf } from '../../cause-sequence.tsx';
import { control, dataOf, here } from '../../client.ts';
import { CardLink } from '../../links.tsx';
import { Detail } from '../../list-and-detail.tsx';

/** Returns the receiver's status, or the reason why there is none. */
export const resultOf = ({ result = {} }: Delivery) => Object.values(result)[0];

/** A delivery with all its posts, and why it was sent. */
export function DeliveryDetail({ of: delivery }: { readonly of: Delivery }) {
  const { requestId, topic, state, url, signed, queuedAtUtc, failures, attempts, cause } = delivery;
  const action = useAction();
  const resend = async () => {
    const causes = [
      `The same headers and body are posted to ${url} again. A receiver should recognize the RequestId, and do nothing.`,
      'The real service never resends. A refusal does not count as a failure of the webhook.',
    ];
    if (!(await confirmAction({ title: `Resend ${topic}?`, causes, action: 'Resend' }))) return;
    await action.run(async () => {
      const params = { path: { ...here(), requestId } };
      const sent = await dataOf(control.POST('/accounts/{account}/deliveries/{requestId}/resend', { params }));
      const { response = null, error = null } = sent.attempts.at(-1) ?? {};
      const sentence = response ? `The receiver returned ${response.status}.` : `The receiver did not respond: ${error}`;
      if (response === null || response.status >= 300) throw new Error(sentence);
      return sentence;
    });
  };
  const [, signature] = Object.entries(attempts[0]?.headers ?? {}).find(([name]) => /signature/i.test(name)) ?? [];
  return (
    <Detail title={topic} status={state}>
      <Facts
        of={{
          Result: resultOf(delivery),
          Failures: failures,
          Webhook: url,
          Card: <CardLink of={delivery} />,
          Signature: <span class="mono">{signature ?? (signed ? '' : 'unsigned')}</span>,
          Queued: <TimeText at={queuedAtUtc} exact />,
          RequestId: <span class="mono">{requestId}</span>,
        }}
      />
      <button type="button" disabled={action.isRunning || state === 'queued'} onClick={resend}>
        Resend
      </button>
      <ActionResult of={action} />
      <Attempts of={delivery} />
      <CauseOf number={cause.number} />
    </Detail>
  );
}
