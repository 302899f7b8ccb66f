import type { JournalEntry } from '../../../../mock/control/generated/types.ts';
import { ExchangeView } from '../../../components/exchange.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Facts, TimeText } from '../../../components/values.tsx';
import { CausePicture, chainCause, isLost, useEntry } from '../../cause-sequence.tsx';
import { CardLink, RuleLink } from '../../links.tsx';
import { Detail } from '../../list-and-detail.tsx';
import { hrefOf } from '../../router.ts';
import { selectedAccount } from '../../session.ts';
import { Replay } from './replay.tsx';

export function LoadedEntry({ number }: { readonly number: number }) {
  const { data, error } = useEntry(number);
  if (data) return <EntryDetail of={data} />;
  return <Detail title={`No. ${number}`}>{error && <Notice tone="bad">{error}</Notice>}</Detail>;
}

/** A request, a due event or an action of the merchant, with what it caused. */
export function EntryDetail({ of: entry }: { readonly of: JournalEntry }) {
  const { number, what, atUtc, milliseconds, request, response, refusal, fault, changes, effects, curl, advice } = entry;
  const received = isLost(fault) ? null : response;
  const cards = new Set([...changes, ...effects].flatMap(({ giftCardId }) => giftCardId ?? []));
  return (
    <Detail title={what ?? request?.method} status={response && (received?.status ?? 'no response')}>
      <Facts
        of={{
          'No.': number,
          Time: <TimeText at={atUtc} exact />,
          'Refused by': refusal?.code,
          Rule: refusal && <RuleLink rule={refusal.rule} />,
          Fault: fault && <a href={hrefOf({ view: 'faults' })}>{fault}</a>,
          Card: cards.size > 0 ? [...cards].map((giftCardId) => <CardLink key={giftCardId} of={{ giftCardId }} />) : null,
        }}
      />
      {request && <Replay of={entry} request={request} />}
      {advice.map(({ name, seen }) => (
        <Notice key={name} tone="info">
          {seen} <a href={hrefOf({ view: 'advice', query: { selected: name } })}>Why this matters</a>
        </Notice>
      ))}
      {(!request || changes.length + effects.length > 0) && (
        <>
          <h3>What it caused</h3>
          <CausePicture cause={chainCause(entry)} />
        </>
      )}
      {request && (
        <ExchangeView
          request={request}
          response={received && { ...received, headers: received.mediaType === '' ? {} : { 'content-type': received.mediaType } }}
          milliseconds={milliseconds}
          curl={curl && runnable(curl)}
          cut={(request.cut || response?.cut === true) && 'The journal keeps only the beginning of a long body.'}
        />
      )}
    </Detail>
  );
}

/** Replaces the two variables of a line by their values, so that the line works in every shell. */
function runnable(curl: string): string {
  const apiKey = selectedAccount()?.apiKey;
  const line = curl.replace('$GIFTCARD_BASE_URL', location.origin);
  return apiKey ? line.replace('$GIFTCARD_API_KEY', () => apiKey) : line;
}
