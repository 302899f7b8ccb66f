import type { JournalEntry } from '../../../../mock/control/generated/types.ts';
import { Exchange } from '../../../components/exchange.tsx';
import { StatusLabel } from '../../../components/label.tsx';
import { Detail } from '../../../components/list-and-detail.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Facts, Time } from '../../../components/values.tsx';
import { CauseSequence, causeOf, useEntry } from '../../cause-sequence.tsx';
import { go, hrefOf, route } from '../../router.ts';
import { selectedAccount } from '../../session.ts';
import { ReplayButton } from './replay.tsx';

const close = () => go({ query: { selected: null, replayed: null } });

export function LoadedEntry({ number }: { readonly number: number }) {
  const { data, error } = useEntry(number);
  if (data) return <EntryDetail of={data} />;
  return (
    <Detail title={`No. ${number}`} onClose={close}>
      {error && <Notice tone="bad">{error}</Notice>}
    </Detail>
  );
}

/** An exchange, a due event or an action of the dashboard, with what it caused. */
export function EntryDetail({ of: entry }: { readonly of: JournalEntry }) {
  const { number, what, atUtc, milliseconds, request, answer, refusal, fault, changes, effects, curl, advice } = entry;
  const replayed = route.value.query.get('replayed');
  const cards = new Set([...changes, ...effects].flatMap(({ giftCardId }) => giftCardId ?? []));
  const link = (view: string, name: string, value: string, text = value) => (
    <a key={value} href={hrefOf({ view, query: { [name]: value } })}>
      {text}
    </a>
  );
  return (
    <Detail
      title={
        <>
          {what ?? request?.method} {answer && <StatusLabel status={answer.status} />}
        </>
      }
      onClose={close}
    >
      <Facts
        of={[
          ['Replay of', replayed && link('requests', 'selected', replayed, `no. ${replayed}`)],
          ['Refused', refusal?.code],
          ['Rule', refusal && link('reference', 'search', refusal.clause)],
          ['Fault', fault && link('faults', 'selected', '', fault)],
          ['Time', <Time key="time" at={atUtc} exact />],
          ['Cards', cards.size > 0 && [...cards].map((id) => <div key={id}>{link('cards', 'selected', id)}</div>)],
        ]}
      />
      {request && <ReplayButton of={entry} request={request} />}
      {advice.map(({ name, seen }) => (
        <Notice key={name} tone="info">
          {seen} {link('advice', 'selected', name, 'Why this hurts')}
        </Notice>
      ))}
      {(!request || changes.length + effects.length > 0) && <CauseSequence cause={causeOf(entry)} />}
      {request && (
        <Exchange
          key={number}
          request={request}
          answer={answer && { ...answer, headers: answer.mediaType === '' ? {} : { 'content-type': answer.mediaType } }}
          milliseconds={milliseconds}
          curl={curl && runnable(curl)}
          cut={(request.cut || answer?.cut === true) && 'The journal keeps only the beginning of a long body.'}
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
