import type { Fault } from '../../../mock/control/generated/types.ts';
import { confirmAction } from '../../components/dialogs.tsx';
import { StatusLabel } from '../../components/label.tsx';
import { Facts, TimeText } from '../../components/values.tsx';
import { ActionResult, useAction } from '../actions.tsx';
import { control, dataOf, here } from '../client.ts';
import { type Column, closeDetail, Detail, filterOf, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';
import { go, hrefOf } from '../router.ts';
import { NewFaultForm } from './faults/new-fault.tsx';

const columns: readonly Column<Fault>[] = [
  { title: 'Fault', show: ({ description }) => description },
  { title: 'Verdict', show: ({ verdict }) => <StatusLabel status={verdict} /> },
  { title: 'Hits', show: ({ hits, calls }) => `${hits} of ${calls}`, end: true },
];

/** Faults of requests and deliveries, each with a verdict on the client or receiver. */
export function FaultsView() {
  const load = () => dataOf(control.GET('/accounts/{account}/faults', { params: { path: here() } }));
  const { data, error } = useResource(load, ['faults']);
  const action = useAction();
  const { selected } = filterOf();
  const fault = data?.find(({ id }) => id === selected);
  const clear = async () => {
    const causes = ['Requests and deliveries work without faults again.', 'All verdicts are lost.'];
    if (!(await confirmAction({ title: 'Remove all faults?', causes, action: 'Remove all' }))) return;
    await action.run(async () => {
      await dataOf(control.DELETE('/accounts/{account}/faults', { params: { path: here() } }));
      return 'All faults are removed.';
    });
  };
  return (
    <ListAndDetail
      name="Faults"
      rows={data}
      idOf={({ id }) => id}
      columns={columns}
      error={error}
      detail={selected === 'new' ? <NewFaultForm /> : fault && <FaultDetail key={fault.id} of={fault} />}
      empty={
        <>
          <p>This account has no faults: every request gets a response, and every delivery is sent.</p>
          <p>Set a fault to see how your client or your receiver reacts, such as to a lost response or a wrong signature.</p>
        </>
      }
      buttons={
        <>
          {data && data.length > 0 && (
            <button type="button" onClick={clear}>
              Remove all
            </button>
          )}
          <button type="button" class="primary" onClick={() => go({ query: { selected: 'new' } })}>
            Set a fault
          </button>
        </>
      }
    >
      <ActionResult of={action} />
    </ListAndDetail>
  );
}

function FaultDetail({ of }: { readonly of: Fault }) {
  const action = useAction();
  const { id, description, verdict, operation, topic, milliseconds, status, calls, hits, matches } = of;
  const remove = () =>
    action.run(async () => {
      await dataOf(control.DELETE('/accounts/{account}/faults/{fault}', { params: { path: { ...here(), fault: id } } }));
      closeDetail();
      return null;
    });
  return (
    <Detail title={description} status={verdict}>
      <Facts
        of={{
          Hits: `${hits} of ${calls} matching ${of.on === 'request' ? 'requests' : 'deliveries'}`,
          Operation: operation,
          Topic: topic,
          Status: of.fault === 'status' ? status : null,
          Delay: milliseconds > 0 ? `${milliseconds} ms` : null,
          ID: <span class="mono">{id}</span>,
        }}
      />
      <button type="button" title="Its verdict is lost." onClick={remove}>
        Remove
      </button>
      <ActionResult of={action} />
      <h3>Matches</h3>
      {matches.length === 0 && <p class="quiet">The fault has matched nothing yet. Each match appears here with its verdict.</p>}
      <ul class="matches">
        {matches.toReversed().map((match, index) => (
          <li key={matches.length - index}>
            <StatusLabel status={match.verdict} /> {match.sentence}
            <div class="quiet">
              {match.operation ?? match.topic} {match.about} {match.matchedAtUtc && <TimeText at={match.matchedAtUtc} />}
              {match.requestId && (
                <a href={hrefOf({ view: 'webhooks', query: { selected: match.requestId } })}>Open the delivery</a>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Detail>
  );
}
