import { useSignal } from '@preact/signals';
import type { ListedCard } from '../../../mock/control/generated/types.ts';
import { Filters } from '../../components/filters.tsx';
import { StatusLabel } from '../../components/label.tsx';
import { type Column, ListAndDetail } from '../../components/list-and-detail.tsx';
import { Notice } from '../../components/notice.tsx';
import { Amount, Time } from '../../components/values.tsx';
import { answered, control, here } from '../client.ts';
import { CurlLine } from '../curl-line.tsx';
import { useResource } from '../resource.ts';
import { go, hrefOf, route } from '../router.ts';
import { CreateCard } from './cards/create-card.tsx';
import { CardDetail } from './cards/detail.tsx';

const PAGE = 50;
const STATUSES = ['Active', 'Scheduled', 'Redeemed', 'Expired', 'Voided', 'Deleted'] as const;

const columns: readonly Column<ListedCard>[] = [
  { title: 'Code', show: ({ code }) => code },
  { title: 'Status', show: ({ status, deletedAtUtc }) => <StatusLabel status={deletedAtUtc ? 'Deleted' : status} /> },
  { title: 'Balance', show: ({ balance, currency }) => <Amount value={balance} currency={currency} />, end: true },
  { title: 'Recipient', show: whoOf, optional: true },
  { title: 'Updated', show: ({ updatedAtUtc }) => <Time at={updatedAtUtc} />, end: true },
];

function whoOf({ kind, recipientName, recipientEmailAddress }: ListedCard) {
  const who = recipientEmailAddress ?? recipientName;
  return <span class="quiet">{who ?? (kind === 'gift-card' ? '–' : kind.replace('-', ' '))}</span>;
}

export function CardsView() {
  const { query } = route.value;
  const [search, selected] = [query.get('search') ?? '', query.get('selected')];
  const status = STATUSES.find((each) => each === query.get('status'));
  const limit = useSignal(PAGE);
  const load = () => {
    const filter = { search, limit: limit.value, ...(status && { status }) };
    return answered(control.GET('/accounts/{account}/cards', { params: { path: here(), query: filter } }));
  };
  const { data, error } = useResource(load, ['cards'], [search, status, limit.value]);
  const hasMore = data !== undefined && data.cards.length < data.total;
  const select = (id: string | null, isMove = false) => go({ query: { selected: id } }, isMove);
  return (
    <ListAndDetail
      name="Cards"
      rows={data?.cards}
      idOf={({ id }) => id}
      columns={columns}
      hrefOf={(id) => hrefOf({ query: { selected: id } })}
      selected={selected}
      onSelect={select}
      detail={selected === 'new' ? <CreateCard /> : selected && <CardDetail key={selected} id={selected} />}
      empty={search || status ? 'No card matches.' : <NoCards />}
      onMore={hasMore ? () => (limit.value += PAGE) : undefined}
    >
      <Filters
        search={search}
        onSearch={(text) => go({ query: { search: text } }, true)}
        placeholder="Search code, email, name, id"
        choices={STATUSES.map((value) => ({ value, count: data?.counts[value] ?? 0 }))}
        chosen={status ?? null}
        onChoose={(value) => go({ query: { status: value } }, true)}
      >
        <button type="button" class="primary" onClick={() => select('new')}>
          Create card
        </button>
      </Filters>
      {error && <Notice tone="bad">{error}</Notice>}
    </ListAndDetail>
  );
}

function NoCards() {
  return (
    <>
      <p>This account has no cards. Create one here, or through the API:</p>
      <CurlLine path="GiftCard/Create" body={{ balance: 25 }} />
    </>
  );
}
