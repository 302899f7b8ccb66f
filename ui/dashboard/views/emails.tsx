import type { Email, SuppressedEffect } from '../../../mock/control/generated/types.ts';
import { Label } from '../../components/label.tsx';
import { CodeText, Facts, TimeText } from '../../components/values.tsx';
import { CauseOf } from '../cause-sequence.tsx';
import { control, dataOf, here } from '../client.ts';
import { CurlLine } from '../curl-line.tsx';
import { CardLink } from '../links.tsx';
import { type Column, Detail } from '../list-and-detail.tsx';
import { LiveList } from '../live-list.tsx';
import { NOT_SENT, NotSentDetail, notSent, notSentId } from '../not-sent.tsx';
import { route } from '../router.ts';
import { Tabs } from '../tabs.tsx';

type Row = Email | SuppressedEffect;

const choiceOf = (row: Row) => ('why' in row ? NOT_SENT : row.kind);

const columns: readonly Column<Row>[] = [
  { title: 'To', show: (row) => ('why' in row ? `card ${row.code}` : row.to) },
  { title: 'Subject', show: (row) => ('why' in row ? row.why : row.subject) },
  { title: 'Kind', show: (row) => <Label tone={'why' in row ? 'quiet' : 'info'}>{choiceOf(row)}</Label>, optional: true },
  { title: 'Time', show: (row) => <TimeText at={'why' in row ? row.atUtc : row.sentAtUtc} />, end: true },
];

/** A cause sends at most one email of a kind about a card. */
const idOf = (row: Row) => ('why' in row ? notSentId(row) : `${row.cause.number} ${row.giftCardId} ${row.kind}`);

async function load(limit: number): Promise<readonly Row[]> {
  const emails = dataOf(control.GET('/accounts/{account}/outbox', { params: { path: here(), query: { limit } } }));
  return [...(await emails), ...(await notSent('emails', limit))].toReversed();
}

/** The emails that the service would have sent, and those that a rule suppressed. */
export function EmailsView() {
  return (
    <LiveList
      name="Emails"
      load={load}
      kinds={['emails', 'suppressed']}
      columns={columns}
      idOf={idOf}
      choiceOf={choiceOf}
      aside={NOT_SENT}
      textOf={(row) => Object.values(row).join(' ')}
      placeholder="Search address, text, code"
      detailOf={(id, row) => row && ('why' in row ? <NotSentDetail key={id} of={row} /> : <EmailDetail key={id} of={row} />)}
      empty={
        <>
          <p>No email so far. The mock sends none, but lists those that the service sends. Create a card that causes one:</p>
          <CurlLine
            path="GiftCard/Create"
            body={{ balance: 25, recipientEmailAddress: 'ann@example.com', shouldSendNotification: true }}
          />
        </>
      }
    />
  );
}

const TABS = [
  { id: 'rendered', title: 'Rendered' },
  { id: 'text', title: 'Text' },
];

function EmailDetail({ of: email }: { readonly of: Email }) {
  const { to, kind, subject, text, html, sentAtUtc, cause } = email;
  const tab = route.value.query.get('tab') === 'text' ? 'text' : 'rendered';
  const [link] = /https?:\/\/[^\s<>"]+/.exec(text) ?? [];
  return (
    <Detail title={subject}>
      <Facts
        of={{
          To: to,
          Kind: kind,
          Card: <CardLink of={email} />,
          Sent: <TimeText at={sentAtUtc} exact />,
          // The frame is sandboxed, so its links open nothing.
          Link: link && (
            <a href={link} target="_blank" rel="noreferrer">
              {link}
            </a>
          ),
        }}
      />
      <Tabs name="Email" tabs={TABS} selected={tab} />
      {tab === 'text' ? <CodeText text={text} /> : <iframe class="email" title={subject} sandbox="" srcdoc={html} />}
      <CauseOf number={cause.number} />
    </Detail>
  );
}
