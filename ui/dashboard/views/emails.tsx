import { useSignal } from '@preact/signals';
import type { Email } from '../../../mock/control/generated/types.ts';
import { choicesOf, Filters } from '../../components/filters.tsx';
import { Label } from '../../components/label.tsx';
import { type Column, Detail, ListAndDetail } from '../../components/list-and-detail.tsx';
import { Notice } from '../../components/notice.tsx';
import { Tabs } from '../../components/tabs.tsx';
import { CodeText, Facts, Time } from '../../components/values.tsx';
import { CauseOf } from '../cause-sequence.tsx';
import { answered, control, here } from '../client.ts';
import { CurlLine } from '../curl-line.tsx';
import { CardLink, NOT_SENT, NotSentList, useNotSent } from '../not-sent.tsx';
import { useResource } from '../resource.ts';
import { go, hrefOf, route } from '../router.ts';

const PAGE = 200;

const columns: readonly Column<Email>[] = [
  { title: 'To', show: ({ to }) => to },
  { title: 'Subject', show: ({ subject }) => subject },
  { title: 'Kind', show: ({ kind }) => <Label tone="info">{kind}</Label>, optional: true },
  { title: 'Sent', show: ({ sentAtUtc }) => <Time at={sentAtUtc} />, end: true },
];

const TABS = [
  { id: 'rendered', title: 'Rendered' },
  { id: 'text', title: 'Text' },
  { id: 'html', title: 'HTML' },
];

/** A cause sends a card at most one email of a kind. */
const idOf = ({ cause, giftCardId, kind }: Email) => `${cause.number} ${giftCardId} ${kind}`;
const select = (id: string | null, isMove = false) => go({ query: { selected: id } }, isMove);

/** The emails that the service would have sent, and what it did not send. */
export function EmailsView() {
  const { query } = route.value;
  const [search, only, selected] = [query.get('search') ?? '', query.get('only'), query.get('selected')];
  const limit = useSignal(PAGE);
  const load = () =>
    answered(control.GET('/accounts/{account}/outbox', { params: { path: here(), query: { limit: limit.value } } }));
  const { data, error } = useResource(load, ['emails'], [limit.value]);
  const { data: notSent } = useNotSent('emails', limit.value);
  const isMatch = (...texts: unknown[]) => texts.join(' ').toLowerCase().includes(search.toLowerCase());
  const rows = data
    ?.filter(({ to, subject, text, code, kind }) => (only === null || kind === only) && isMatch(to, subject, text, code))
    .toReversed();
  const email = data?.find((each) => idOf(each) === selected);
  const filters = (
    <>
      <Filters
        search={search}
        onSearch={(text) => go({ query: { search: text } }, true)}
        placeholder="Search address, text, code"
        choices={[...choicesOf(data ?? [], ({ kind }) => kind), { value: NOT_SENT, count: notSent?.length }]}
        chosen={only}
        onChoose={(value) => go({ query: { only: value, selected: null } }, true)}
      />
      {error && <Notice tone="bad">{error}</Notice>}
    </>
  );
  const onMore = data?.length === limit.value ? () => (limit.value += PAGE) : undefined;
  if (only === NOT_SENT)
    return (
      <NotSentList rows={notSent?.filter(({ code, why, clause }) => isMatch(code, why, clause))} onMore={onMore}>
        {filters}
      </NotSentList>
    );
  return (
    <ListAndDetail
      name="Emails"
      rows={rows}
      idOf={idOf}
      columns={columns}
      hrefOf={(id) => hrefOf({ query: { selected: id } })}
      selected={selected}
      onSelect={select}
      detail={email && <EmailDetail key={selected} of={email} />}
      empty={data && data.length > 0 ? 'No email matches.' : <NoEmails />}
      onMore={onMore}
    >
      {filters}
    </ListAndDetail>
  );
}

function EmailDetail({ of: email }: { readonly of: Email }) {
  const { to, kind, subject, text, html, sentAtUtc, cause } = email;
  const tab = TABS.find(({ id }) => id === route.value.query.get('tab'))?.id ?? 'rendered';
  const links = text.match(/https?:\/\/[^\s<>"]+/g) ?? [];
  return (
    <Detail title={subject} onClose={() => select(null)}>
      <Facts
        of={[
          ['To', to],
          ['Kind', kind],
          ['Card', <CardLink key="card" of={email} />],
          ['Sent', <Time key="time" at={sentAtUtc} exact />],
          // A link in the frame cannot open a page, because the frame is sandboxed.
          [
            'Links',
            links.map((url) => (
              <div key={url}>
                <a href={url} target="_blank" rel="noreferrer">
                  {url}
                </a>
              </div>
            )),
          ],
        ]}
      />
      <Tabs name="Email" tabs={TABS} selected={tab} hrefOf={(id) => hrefOf({ query: { tab: id } })}>
        {tab === 'rendered' ? (
          <iframe class="email" title={subject} sandbox="" srcdoc={html} />
        ) : (
          <CodeText text={tab === 'text' ? text : html} />
        )}
      </Tabs>
      <CauseOf number={cause.number} />
    </Detail>
  );
}

function NoEmails() {
  return (
    <>
      <p>No email so far. The mock sends none; those that the service would have sent are here. Create a card that sends one:</p>
      <CurlLine
        path="GiftCard/Create"
        body={{ balance: 25, recipientEmailAddress: 'ann@example.com', shouldSendNotification: true }}
      />
    </>
  );
}
