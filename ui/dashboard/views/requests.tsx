import type { JournalEntry } from '../../../mock/control/generated/types.ts';
import { Label, StatusLabel } from '../../components/label.tsx';
import { TimeText } from '../../components/values.tsx';
import { isLost } from '../cause-sequence.tsx';
import { control, dataOf, here } from '../client.ts';
import { CurlLine } from '../curl-line.tsx';
import type { Column } from '../list-and-detail.tsx';
import { LiveList } from '../live-list.tsx';
import { EntryDetail, LoadedEntry } from './requests/entry-detail.tsx';

/** A request without a valid key belongs to no account, and is numbered separately. */
type Row = JournalEntry & { readonly isKeyless?: boolean };

const KEYLESS = 'no valid key';
const KINDS = { clock: 'clock', control: 'merchant' };

const columns: readonly Column<Row>[] = [
  {
    title: 'Request',
    show: ({ request, what }) => (
      <>
        {request && <span class="method">{request.method}</span>} {request ? request.target.replace('/api/', '') : what}
      </>
    ),
  },
  {
    title: 'Status',
    show: ({ kind, response, fault }) => {
      if (kind !== 'request') return <Label tone="info">{KINDS[kind]}</Label>;
      return isLost(fault) ? <Label tone="bad">lost</Label> : <StatusLabel status={response?.status ?? 'none'} />;
    },
  },
  { title: 'Refused by', show: ({ refusal, fault }) => refusal?.code ?? fault, optional: true },
  { title: 'Time', show: ({ atUtc }) => <TimeText at={atUtc} />, end: true },
];

function choiceOf({ isKeyless, kind, response, fault }: Row): string {
  if (isKeyless) return KEYLESS;
  if (kind !== 'request') return KINDS[kind];
  return isLost(fault) ? 'lost' : String(response?.status);
}

async function load(limit: number): Promise<readonly Row[]> {
  const query = { limit };
  const own = dataOf(control.GET('/accounts/{account}/journal', { params: { path: here(), query } }));
  const keyless = dataOf(control.GET('/journal', { params: { query } }));
  const others = (await keyless).entries.map((entry): Row => ({ ...entry, isKeyless: true }));
  return [...(await own).entries, ...others].toReversed();
}

/** The journal: requests, due events and actions of the merchant. */
export function RequestsView() {
  return (
    <LiveList
      name="Requests"
      load={load}
      kinds={['journal']}
      columns={columns}
      idOf={({ number, isKeyless }) => (isKeyless ? `keyless-${number}` : String(number))}
      choiceOf={choiceOf}
      aside={KEYLESS}
      textOf={({ request, response, refusal, what, fault }) =>
        [request, response, refusal, { what, fault, outcome: isLost(fault) && 'lost' }]
          .flatMap((part) => Object.values(part ?? {}))
          .join(' ')
      }
      placeholder="Search operation, path, body, code"
      detailOf={(id, row) =>
        row?.isKeyless ? <EntryDetail key={id} of={row} /> : Number(id) > 0 && <LoadedEntry key={id} number={Number(id)} />
      }
      empty={
        <>
          <p>No request with this account's key so far. Send the first one:</p>
          <CurlLine path="GiftCard/List" />
        </>
      }
    />
  );
}
