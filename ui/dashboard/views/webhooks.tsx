import type { Delivery, SuppressedEffect } from '../../../mock/control/generated/types.ts';
import { StatusLabel } from '../../components/label.tsx';
import { TimeText } from '../../components/values.tsx';
import { control, dataOf, here } from '../client.ts';
import type { Column } from '../list-and-detail.tsx';
import { LiveList } from '../live-list.tsx';
import { NOT_SENT, NotSentDetail, notSent, notSentId } from '../not-sent.tsx';
import { go } from '../router.ts';
import { DeliveryDetail, resultOf } from './webhooks/delivery-detail.tsx';
import { FireForm, RegisterForm } from './webhooks/forms.tsx';
import { Registrations } from './webhooks/registrations.tsx';

type Row = Delivery | SuppressedEffect;

const choiceOf = (row: Row) => ('why' in row ? NOT_SENT : row.state);

const columns: readonly Column<Row>[] = [
  { title: 'Topic', show: (row) => ('why' in row ? row.what : row.topic) },
  { title: 'State', show: (row) => <StatusLabel status={choiceOf(row)} /> },
  { title: 'Card', show: ({ code }) => <span class="mono">{code}</span> },
  { title: 'Result', show: (row) => ('why' in row ? row.why : resultOf(row)), optional: true },
  { title: 'Posts', show: (row) => ('why' in row ? 0 : row.attempts.length), end: true, optional: true },
  { title: 'Time', show: (row) => <TimeText at={'why' in row ? row.atUtc : row.queuedAtUtc} />, end: true },
];

async function load(limit: number): Promise<readonly Row[]> {
  const deliveries = dataOf(control.GET('/accounts/{account}/deliveries', { params: { path: here(), query: { limit } } }));
  return [...(await deliveries), ...(await notSent('deliveries', limit))].toReversed();
}

function detailOf(id: string, row: Row | undefined) {
  if (id === 'new') return <RegisterForm />;
  if (id === 'fire') return <FireForm />;
  return row && ('why' in row ? <NotSentDetail key={id} of={row} /> : <DeliveryDetail key={id} of={row} />);
}

/** The account's webhooks, their deliveries, and those that a rule suppressed. */
export function WebhooksView() {
  const open = (form: string) => () => go({ query: { selected: form } });
  return (
    <LiveList
      name="Deliveries"
      load={load}
      kinds={['deliveries', 'suppressed']}
      columns={columns}
      idOf={(row) => ('why' in row ? notSentId(row) : row.requestId)}
      choiceOf={choiceOf}
      aside={NOT_SENT}
      textOf={(row) => Object.values(row).join(' ')}
      placeholder="Search topic, code, URL, body"
      detailOf={detailOf}
      empty="No delivery so far. With a registered webhook, fire a topic, or void a card."
      above={<Registrations />}
      buttons={
        <>
          <button type="button" onClick={open('fire')}>
            Fire a topic
          </button>
          <button type="button" class="primary" onClick={open('new')}>
            Register a webhook
          </button>
        </>
      }
    />
  );
}
