import { useSignal } from '@preact/signals';
import type { Delivery } from '../../../mock/control/generated/types.ts';
import { choicesOf, Filters } from '../../components/filters.tsx';
import { StatusLabel } from '../../components/label.tsx';
import { type Column, ListAndDetail } from '../../components/list-and-detail.tsx';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/values.tsx';
import { answered, control, here } from '../client.ts';
import { NOT_SENT, NotSentList, useNotSent } from '../not-sent.tsx';
import { useResource } from '../resource.ts';
import { go, hrefOf, route } from '../router.ts';
import { DeliveryDetail, resultOf } from './webhooks/delivery-detail.tsx';
import { FireForm, RegisterForm } from './webhooks/forms.tsx';
import { Registrations } from './webhooks/registrations.tsx';

const PAGE = 200;
/** A link may select any kept delivery. */
const ALL = 10_000;

const columns: readonly Column<Delivery>[] = [
  { title: 'Topic', show: ({ topic }) => topic },
  { title: 'State', show: ({ state }) => <StatusLabel status={state} /> },
  { title: 'Result', show: resultOf, optional: true },
  { title: 'Posts', show: ({ attempts }) => attempts.length, end: true, optional: true },
  { title: 'Card', show: ({ code }) => <span class="mono">{code}</span>, optional: true },
  { title: 'Time', show: ({ queuedAtUtc }) => <Time at={queuedAtUtc} />, end: true },
];

const select = (id: string | null, isMove = false) => go({ query: { selected: id } }, isMove);

/** The account's webhooks, their deliveries, and what was not delivered. */
export function WebhooksView() {
  const { query } = route.value;
  const [search, only, selected] = [query.get('search') ?? '', query.get('only'), query.get('selected')];
  const limit = useSignal(selected === null ? PAGE : ALL);
  const load = () =>
    answered(control.GET('/accounts/{account}/deliveries', { params: { path: here(), query: { limit: limit.value } } }));
  const { data, error } = useResource(load, ['deliveries'], [limit.value]);
  const { data: notSent } = useNotSent('deliveries', limit.value);
  const isMatch = (...texts: unknown[]) => texts.join(' ').toLowerCase().includes(search.toLowerCase());
  const rows = data
    ?.filter(
      ({ topic, url, body, requestId, state }) => (only === null || state === only) && isMatch(topic, url, body, requestId),
    )
    .toReversed();
  const delivery = data?.find(({ requestId }) => requestId === selected);
  const above = (
    <>
      <Registrations />
      <Filters
        search={search}
        onSearch={(text) => go({ query: { search: text } }, true)}
        placeholder="Search topic, code, URL, body"
        choices={[...choicesOf(data ?? [], ({ state }) => state), { value: NOT_SENT, count: notSent?.length }]}
        chosen={only}
        onChoose={(value) => go({ query: { only: value, selected: null } }, true)}
      >
        <button type="button" onClick={() => select('fire')}>
          Fire a topic
        </button>
        <button type="button" class="primary" onClick={() => select('new')}>
          Register
        </button>
      </Filters>
      {error && <Notice tone="bad">{error}</Notice>}
    </>
  );
  const onMore = data?.length === limit.value ? () => (limit.value += PAGE) : undefined;
  const form = selected === 'new' ? <RegisterForm /> : selected === 'fire' ? <FireForm /> : null;
  if (only === NOT_SENT && form === null)
    return (
      <NotSentList rows={notSent?.filter(({ what, code, why, clause }) => isMatch(what, code, why, clause))} onMore={onMore}>
        {above}
      </NotSentList>
    );
  return (
    <ListAndDetail
      name="Deliveries"
      rows={rows}
      idOf={({ requestId }) => requestId}
      columns={columns}
      hrefOf={(id) => hrefOf({ query: { selected: id } })}
      selected={selected}
      onSelect={select}
      detail={form ?? (delivery && <DeliveryDetail key={selected} of={delivery} />)}
      empty={
        data && data.length > 0
          ? 'No delivery matches.'
          : 'No delivery so far. Register a webhook, then fire a topic, or void a card.'
      }
      onMore={onMore}
    >
      {above}
    </ListAndDetail>
  );
}
