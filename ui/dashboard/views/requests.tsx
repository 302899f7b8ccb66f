import { useSignal } from '@preact/signals';
import type { JournalEntry } from '../../../mock/control/generated/types.ts';
import { choicesOf, Filters } from '../../components/filters.tsx';
import { Label, StatusLabel } from '../../components/label.tsx';
import { type Column, ListAndDetail } from '../../components/list-and-detail.tsx';
import { Notice } from '../../components/notice.tsx';
import { Time } from '../../components/values.tsx';
import { answered, control, here } from '../client.ts';
import { CurlLine } from '../curl-line.tsx';
import { useResource } from '../resource.ts';
import { go, hrefOf, route } from '../router.ts';
import { EntryDetail, LoadedEntry } from './requests/entry-detail.tsx';

const PAGE = 200;
/** The most entries that the control API returns at once. */
const MOST = 1000;
/** The choice of requests without a valid key. They belong to no account, and have numbers of their own. */
const KEYLESS = 'no valid key';
const KINDS = { clock: 'clock', control: 'dashboard' };

const columns: readonly Column<JournalEntry>[] = [
  {
    title: 'Request',
    show: ({ request, what }) =>
      request ? (
        <>
          <span class="method">{request.method}</span> {request.target.replace('/api/', '')}
        </>
      ) : (
        what
      ),
  },
  {
    title: 'Status',
    show: ({ kind, answer }) =>
      kind === 'request' ? <StatusLabel status={answer?.status ?? '–'} /> : <Label tone="info">{KINDS[kind]}</Label>,
  },
  { title: 'Refused by', show: ({ refusal, fault }) => refusal?.code ?? fault, optional: true },
  { title: 'Time', show: ({ atUtc }) => <Time at={atUtc} />, end: true },
];

const choiceOf = ({ kind, answer }: JournalEntry) => (kind === 'request' ? String(answer?.status) : KINDS[kind]);

function textOf({ what, request, answer, refusal, fault }: JournalEntry): string {
  const { method, target, body } = request ?? {};
  return [what, method, target, body, answer?.body, refusal?.code, refusal?.clause, fault].join(' ').toLowerCase();
}

/** The journal: requests, due events and actions of the dashboard. */
export function RequestsView() {
  const { query } = route.value;
  const [search, only, selected] = [query.get('search') ?? '', query.get('only'), query.get('selected')];
  const limit = useSignal(PAGE);
  const load = async () => {
    const last = { limit: limit.value };
    const [own, keyless] = await Promise.all([
      answered(control.GET('/accounts/{account}/journal', { params: { path: here(), query: last } })),
      answered(control.GET('/journal', { params: { query: last } })),
    ]);
    return { own, keyless };
  };
  const { data, error } = useResource(load, ['journal'], [limit.value]);
  const journal = data?.[only === KEYLESS ? 'keyless' : 'own'];
  const matching = journal?.entries.filter(
    (entry) => [null, KEYLESS, choiceOf(entry)].includes(only) && textOf(entry).includes(search.toLowerCase()),
  );
  const idOf = ({ number }: JournalEntry) => (only === KEYLESS ? `${KEYLESS} ${number}` : String(number));
  const keyless = data?.keyless.entries.find(({ number }) => `${KEYLESS} ${number}` === selected);
  const hasMore = journal !== undefined && journal.entries.length < journal.matching && limit.value < MOST;
  const choices = [...choicesOf(data?.own.entries ?? [], choiceOf), { value: KEYLESS, count: data?.keyless.matching }];
  const linkTo = (id: string | null) => ({ query: { selected: id, replayed: null } });
  return (
    <ListAndDetail
      name="Requests"
      rows={matching?.toReversed()}
      idOf={idOf}
      columns={columns}
      hrefOf={(id) => hrefOf(linkTo(id))}
      selected={selected}
      onSelect={(id, isMove) => go(linkTo(id), isMove)}
      detail={
        keyless ? <EntryDetail of={keyless} /> : Number(selected) > 0 && <LoadedEntry key={selected} number={Number(selected)} />
      }
      empty={journal && journal.matching > 0 ? `None of the last ${journal.entries.length} entries matches.` : <NoRequests />}
      onMore={hasMore ? () => (limit.value = Math.min(limit.value * 2, MOST)) : undefined}
    >
      <Filters
        search={search}
        onSearch={(text) => go({ query: { search: text } }, true)}
        placeholder="Search operation, path, body, code"
        choices={choices}
        chosen={only}
        onChoose={(value) => go({ query: { only: value } }, true)}
      />
      {error && <Notice tone="bad">{error}</Notice>}
    </ListAndDetail>
  );
}

function NoRequests() {
  return (
    <>
      <p>No request with a key of this account has arrived. Send the first one:</p>
      <CurlLine path="GiftCard/List" />
      <p>Requests without a valid key are under “{KEYLESS}”.</p>
    </>
  );
}
