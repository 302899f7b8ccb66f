import { signal } from '@preact/signals';
import type { JournalEntry } from '../../../../mock/control/generated/types.ts';
import { confirmed } from '../../../components/dialogs.tsx';
import { ActionResult, useAction } from '../../actions.tsx';
import { answered, control, here } from '../../client.ts';
import { go } from '../../router.ts';
import { selectedAccount } from '../../session.ts';

type JournalRequest = NonNullable<JournalEntry['request']>;

/** The entry of the last replay, and the number of the request that was sent again. */
export const lastReplay = signal<{ readonly number: number; readonly of: string }>();

/** A button that sends the request again with the account's key, and then selects the new entry. */
export function Replay({ of: entry, request }: { readonly of: JournalEntry; readonly request: JournalRequest }) {
  const action = useAction();
  const apiKey = selectedAccount()?.apiKey;
  const { method, target, cut } = request;
  const replay = async () => {
    const isRead = method === 'GET' || method === 'HEAD';
    const question = { title: `Send ${method} ${target} again?`, causes: causesOf(entry, request), action: 'Replay' };
    if (!isRead && !(await confirmed(question))) return;
    await action.run(async () => {
      const number = await sendAgain(request, apiKey ?? '');
      lastReplay.value = { number, of: `no. ${entry.number}` };
      go({ query: { selected: String(number), only: null } });
      return null;
    });
  };
  const obstacle = cut
    ? 'The journal has only the beginning of the body.'
    : apiKey
      ? undefined
      : 'The account has no usable key.';
  return (
    <>
      <button type="button" disabled={action.isRunning || obstacle !== undefined} title={obstacle} onClick={replay}>
        Replay
      </button>
      <ActionResult of={action} />
    </>
  );
}

function causesOf({ answer, changes, effects }: JournalEntry, { target, body }: JournalRequest): string[] {
  const happened = [
    ...changes.map(({ table, what }) => `${table}: ${what}`),
    ...effects.map(({ kind, what, outcome }) => `${kind} ${what}, ${outcome}`),
  ];
  return [
    `The request changes the account ${here().account}, as a request of your client does.`,
    `The first time, the answer was ${answer?.status}, and ${happened.length > 0 ? 'this happened:' : 'nothing changed.'}`,
    ...happened,
    ...(`${target}${body}`.includes('***') ? ['The journal keeps no secrets. In place of each, *** is sent.'] : []),
  ];
}

/** Returns the number of the new entry. */
async function sendAgain({ method, target, headers, body }: JournalRequest, apiKey: string): Promise<number> {
  const journal = async (query: { readonly after?: number; readonly limit: number }) =>
    (await answered(control.GET('/accounts/{account}/journal', { params: { path: here(), query } }))).entries;
  const after = (await journal({ limit: 1 }))[0]?.number ?? 0;
  const type = headers['content-type'];
  const init = { method, headers: { 'x-api-key': apiKey, ...(type !== undefined && { 'content-type': type }) } };
  // A fault may end the request without an answer; the journal has its entry nevertheless.
  const problem = await fetch(location.origin + target, body === null ? init : { ...init, body }).catch((error: Error) => error);
  const entries = await journal({ after, limit: 1000 });
  const entry = entries.find(({ request }) => request?.method === method && request.target === target);
  if (entry) return entry.number;
  // With --control-port, the service is at another port than the dashboard.
  throw problem instanceof Error ? problem : new Error('The request did not reach the service, which may be at another port.');
}
