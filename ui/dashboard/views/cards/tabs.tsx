import type { Card } from '../../../../mock/control/generated/types.ts';
import { StatusLabel } from '../../../components/label.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Amount, CodeText, TimeText } from '../../../components/values.tsx';
import { Attempts } from '../../attempts.tsx';
import { CauseSequence, loadChain } from '../../cause-sequence.tsx';
import { control, dataOf, here } from '../../client.ts';
import { useResource } from '../../resource.ts';
import { hrefOf } from '../../router.ts';
import { selectedAccount } from '../../session.ts';

interface TabProps {
  /** The card's ID. */
  readonly id: string;
  readonly inChannels: Card['inChannels'];
}

/** Chain of causes and timeline, newest first. */
export function HistoryTab({ id }: TabProps) {
  const params = { path: { ...here(), card: id } };
  const load = () => loadChain(id);
  const { data: causes, error } = useResource(load, ['cards', 'journal', 'emails', 'deliveries', 'suppressed', 'channels']);
  const { data: timeline = [] } = useResource(
    () => dataOf(control.GET('/accounts/{account}/cards/{card}/timeline', { params })),
    ['cards'],
  );
  return (
    <>
      {error && <Notice tone="bad">{error}</Notice>}
      {causes?.toReversed().map((cause) => (
        <CauseSequence key={cause.number} cause={cause} />
      ))}
      {causes?.length === 0 && (
        <p class="quiet">
          No request, event or action has changed this card since the sandbox started. Each change is drawn here with its effects.
        </p>
      )}
      <h3>Timeline</h3>
      <ul class="timeline">
        {timeline.toReversed().map(({ atUtc, text }) => (
          <li key={atUtc + text}>
            <TimeText at={atUtc} /> <span>{text}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

export function Adjustments({ id }: TabProps) {
  const params = { path: { ...here(), card: id } };
  const load = () => dataOf(control.GET('/accounts/{account}/cards/{card}/adjustments', { params }));
  const { data, error } = useResource(load, ['cards']);
  if (error) return <Notice tone="bad">{error}</Notice>;
  if (data?.length === 0) return <p class="quiet">The card has no adjustments: its balance is its initial value.</p>;
  return (
    <table>
      <tbody>
        {data?.toReversed().map(({ amount, madeThrough, notes, uniqueAdjustmentId, actionedAtUtc, createdAtUtc }) => (
          <tr key={createdAtUtc + actionedAtUtc + amount}>
            <td>
              through the {madeThrough === 'api' ? 'API' : madeThrough} <span class="mono quiet">{uniqueAdjustmentId}</span>
              <div class="quiet">{notes}</div>
            </td>
            <td class="end">
              <TimeText at={actionedAtUtc} />
            </td>
            <td class="end">
              <Amount value={amount} signed />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Emails({ id }: TabProps) {
  const { data } = useResource(
    () => dataOf(control.GET('/accounts/{account}/outbox', { params: { path: here(), query: { card: id } } })),
    ['emails'],
  );
  if (data?.length === 0) return <p class="quiet">No email was sent for this card. History shows why.</p>;
  return data?.toReversed().map(({ to, subject, sentAtUtc, text }) => (
    <details key={sentAtUtc + subject} class="entry">
      <summary>
        {subject} <TimeText at={sentAtUtc} />
        <div class="quiet">to {to}</div>
      </summary>
      <CodeText text={text} />
    </details>
  ));
}

export function DeliveriesTab({ id }: TabProps) {
  const { data } = useResource(
    () => dataOf(control.GET('/accounts/{account}/deliveries', { params: { path: here(), query: { card: id } } })),
    ['deliveries'],
  );
  if (data?.length === 0) return <p class="quiet">No webhook got a delivery about this card. History shows why.</p>;
  return data?.toReversed().map((delivery) => (
    <details key={delivery.requestId} class="entry">
      <summary>
        {delivery.topic} <StatusLabel status={delivery.state} /> <TimeText at={delivery.queuedAtUtc} />
        <div class="quiet">to {delivery.url}</div>
      </summary>
      <a href={hrefOf({ view: 'webhooks', query: { selected: delivery.requestId } })}>Open in Webhooks</a>
      <Attempts of={delivery} />
    </details>
  ));
}

export function Channels({ inChannels }: TabProps) {
  const rows = Object.entries(inChannels);
  const nameOf = (id: string) => selectedAccount()?.channels.find((channel) => channel.id === id)?.name ?? id;
  if (rows.length === 0) return <p class="quiet">The card was not pushed to a channel.</p>;
  return (
    <table>
      <tbody>
        {rows.map(([id, { state, error, balance, drifted, sourceId }]) => (
          <tr key={id}>
            <td>
              {nameOf(id)} <div class="quiet mono">{sourceId}</div>
            </td>
            <td>
              <StatusLabel status={state} /> {drifted && <StatusLabel status="drifted" />}
              {error && <div class="bad-text">{error}</div>}
            </td>
            <td class="end">{balance !== null && <Amount value={balance} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
