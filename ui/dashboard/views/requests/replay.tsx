import type { JournalEntry } from '../../../../mock/control/generated/types.ts';
import { confirmed } from '../../../components/dialogs.tsx';
import { ActionResult, useAction } from '../../actions.tsx';
import { answered, control, here } from '../../client.ts';
import { go } from '../../router.ts';
import { selectedAccount } from '../../session.ts';

type JournalRequest = NonNullable<JournalEntry['request']>;

interface ReplayButtonProps {
  readonly of: JournalEntry;
  readonly request: JournalRequest;
}

/** Sends the request again, with the account's key, and selects its entry. If the request may change something, says first what it did the first time. */
export function ReplayButton({ of: entry, request }: ReplayButtonProps) {
  const action = useAction();
  const account = selectedAccount();
  const { method, target } = request;
  const replay = async () => {
    if (!['GET', 'HEAD'].includes(method)) {
      const question = { title: `Send ${method} ${target} again?`, causes: causesOf(entry, request), action: 'Replay' };
      if (!(await confirmed(question))) return;
    }
    await action.run(async () => {
      const number = await sendAgain(request, account?.apiKey ?? '');
      go({ query: { selected: String(number), replayed: String(entry.number), only: null } });
      return null;
    });
  };
  const obstacle = request.cut
    ? 'The journal has only the beginning of the body.'
    : !account?.apiKey && 'The account has no usable key.';
  return (
    <>
      <button type="button" disabled={action.isRunning || obstacle !== false} title={obstacle || undefined} onClick={replay}>
        Replay
      </button>
      <ActionResult of={action} />
    </>
  );
}

function causesOf({ answer, changes, effects }: JournalEntry, { target, body }: JournalRequest): string[] {
  const happened = [
    ...changes.map(({ table, what }) => `${table}: ${what}`),
    ...effects.map(({ what, outcome }) => `${what}, ${outcome}`),
  ];
  return [
    `The request changes the account ${here().account}, as a request of your client would.`,
    ...happened.map((sentence) => `The first time: ${sentence}.`),
    ...(happened.length === 0 ? [`The first time, it changed nothing, and was answered with ${answer?.status}.`] : []),
    ...(`${target}${body}`.includes('***') ? ['*** is sent in place of each secret, because the journal keeps no secrets.'] : []),
  ];
}

/** Returns the number of the new entry. */
async function sendAgain({ method, target, headers, body }: JournalRequest, apiKey: string): Promise<number> {
  const journal = async (query: { readonly after?: number; readonly limit: number }) =>
    (await answered(control.GET('/accounts/{account}/journal', { params: { path: here(), query } }))).entries;
  const after = (await journal({ limit: 1 }))[0]?.number ?? 0;
  const type = headers['content-type'];
  const init = { method, headers: { 'x-api-key': apiKey, ...(type !== undefined && { 'content-type': type }) } };
  // A fault may end the request without an answer. The journal has the request in that case, too.
  const problem = await fetch(location.origin + target, body === null ? init : { ...init, body }).catch(
    (error: Error) => error.message,
  );
  const entries = await journal({ after, limit: 1000 });
  const entry = entries.find(({ request }) => request?.method === method && request.target === target);
  if (entry) return entry.number;
  throw new Error(typeof problem === 'string' ? problem : `The journal of ${here().account} has no such request.`);
}
