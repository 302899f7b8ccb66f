import { useSignal } from '@preact/signals';
import { lists } from '../../../mock/control/generated/lists.ts';
import type { ListedCard } from '../../../mock/control/generated/types.ts';
import { StatusLabel } from '../../components/label.tsx';
import { Amount, TimeText } from '../../components/values.tsx';
import { control, dataOf, here } from '../client.ts';
import { CurlLine } from '../curl-line.tsx';
import { type Column, filterOf, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';
import { go } from '../router.ts';
import { CreateCard } from './cards/create-card.tsx';
import { CardDetail } from './cards/detail.tsx';

const PAGE = 50;

const columns: readonly Column<ListedCard>[] = [
  { title: 'Code', show: ({ code }) => code },
  { title: 'Status', show: ({ status, deletedAtUtc }) => <StatusLabel status={deletedAtUtc ? 'Deleted' : status} /> },
  { title: 'Balance', show: ({ balance, currency }) => <Amount value={balance} currency={currency} />, end: true },
  { title: 'Recipient', show: whoOf, optional: true },
  { title: 'Updated', show: ({ updatedAtUtc }) => <TimeText at={updatedAtUtc} />, end: true },
];

function whoOf({ kind, recipientName, recipientEmailAddress }: ListedCard) {
  const who = recipientEmailAddress ?? recipientName;
  return <span class="quiet">{who ?? (kind === 'gift-card' ? '–' : kind.replace('-', ' '))}</span>;
}

export function CardsView() {
  const { search, only, selected } = filterOf();
  const status = lists.ListedStatus.find((each) => each === only);
  const limit = useSignal(PAGE);
  const load = () => {
    const filter = { search, limit: limit.value, ...(status && { status }) };
    return dataOf(control.GET('/accounts/{account}/cards', { params: { path: here(), query: filter } }));
  };
  const { data, error } = useResource(load, ['cards'], [search, status, limit.value]);
  const hasMore = data !== undefined && data.cards.length < data.total;
  return (
    <ListAndDetail
      name="Cards"
      rows={data?.cards}
      idOf={({ id }) => id}
      columns={columns}
      error={error}
      detail={selected === 'new' ? <CreateCard /> : selected && <CardDetail key={selected} id={selected} />}
      empty={search || status ? 'No card matches.' : <NoCards />}
      onMore={hasMore ? () => (limit.value += PAGE) : undefined}
      placeholder="Search code, email, name, id"
      choices={lists.ListedStatus.map((value) => ({ value, count: data?.counts[value] ?? 0 }))}
      buttons={
        <button type="button" class="primary" onClick={() => go({ query: { selected: 'new' } })}>
          Create card
        </button>
      }
    />
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
