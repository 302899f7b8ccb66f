import { JsonView } from '../../../components/json-view.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Amount, Facts, TimeText } from '../../../components/values.tsx';
import { control, dataOf, here } from '../../client.ts';
import { Detail } from '../../list-and-detail.tsx';
import { useResource } from '../../resource.ts';
import { route } from '../../router.ts';
import { Tabs } from '../../tabs.tsx';
import { CardActions } from './actions.tsx';
import { Adjustments, Channels, DeliveriesTab, Emails, HistoryTab } from './tabs.tsx';

const TABS = [
  { id: 'history', title: 'History', show: HistoryTab },
  { id: 'adjustments', title: 'Adjustments', show: Adjustments },
  { id: 'emails', title: 'Emails', show: Emails },
  { id: 'deliveries', title: 'Deliveries', show: DeliveriesTab },
  { id: 'channels', title: 'Channels', show: Channels },
] as const;

/** A card with everything about it. `id` is the card's ID. */
export function CardDetail({ id }: { readonly id: string }) {
  const params = { path: { ...here(), card: id } };
  const load = () => dataOf(control.GET('/accounts/{account}/cards/{card}', { params }));
  const { data, error } = useResource(load, ['cards', 'channels']);
  if (!data || error) return <Detail title="Card">{error && <Notice tone="bad">{error}</Notice>}</Detail>;
  const { card: listed, giftCard, ...facts } = data;
  const tab = TABS.find((each) => each.id === route.value.query.get('tab')) ?? TABS[0];
  // A variant of the contract may rename properties, or leave them out.
  const properties: Readonly<Record<string, unknown>> = { ...giftCard };
  const text = (name: string) => (typeof properties[name] === 'string' ? properties[name] : null);
  const timeOf = (at: string | null) => at && <TimeText at={at} />;
  return (
    <Detail title={<span class="mono">{listed.code}</span>} status={facts.deletedAtUtc ? 'Deleted' : listed.status}>
      <p class="balance">
        <Amount value={listed.balance} currency={listed.currency} />{' '}
        <span class="quiet">
          of <Amount value={facts.totalIssued} currency={listed.currency} /> issued
        </span>
      </p>
      <CardActions card={listed} areEmailsDisabled={giftCard.disableEmails === true} />
      <Facts
        of={{
          Deleted: timeOf(facts.deletedAtUtc),
          Kind: listed.kind === 'gift-card' ? null : listed.kind.replace('-', ' '),
          Recipient: [listed.recipientName, listed.recipientEmailAddress].filter(Boolean).join(' · '),
          Buyer: [text('buyerName'), text('buyerEmailAddress')].filter(Boolean).join(' · '),
          Message: text('giftMessage'),
          'Gift is sent': timeOf(text('giftScheduledForUtc')),
          Expires: timeOf(text('expiresAtUtc')),
          Notes: text('notes'),
          Created: <TimeText at={listed.createdAtUtc} />,
          'Issued through': facts.issuedThrough,
          'Unique ID': text('uniqueId'),
          ID: <span class="mono">{listed.id}</span>,
        }}
      />
      {text('viewBalanceUrl') && (
        <p>
          <a href={text('viewBalanceUrl') ?? ''} target="_blank" rel="noreferrer">
            Open the page that the recipient sees
          </a>
        </p>
      )}
      <details>
        <summary>As the API returns it</summary>
        <JsonView value={giftCard} />
      </details>
      <Tabs name="Card" tabs={TABS} selected={tab.id} />
      <tab.show id={id} inChannels={facts.inChannels} />
    </Detail>
  );
}
