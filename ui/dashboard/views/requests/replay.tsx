import type { JournalEntry, JournalRequest } from '../../../../mock/control/generated/types.ts';
import { confirmAction } from '../../../components/dialogs.tsx';
import { ActionResult, useAction } from '../../actions.tsx';
import { here, serviceHeaders } from '../../client.ts';
import { selectedAccount } from '../../session.ts';

/** A button that sends the request again with the account's key, and then shows the status of its response. */
export function Replay({ of: entry, request }: { readonly of: JournalEntry; readonly request: JournalRequest }) {
  const action = useAction();
  const apiKey = selectedAccount()?.apiKey;
  const { method, target, headers, body, cut } = request;
  const replay = async () => {
    const isRead = method === 'GET' || method === 'HEAD';
    const question = { title: `Send ${method} ${target} again?`, causes: causesOf(entry, request), action: 'Replay' };
    if (!isRead && !(await confirmAction(question))) return;
    await action.run(async () => {
      const type = headers['content-type'];
      const sent = { ...serviceHeaders(apiKey ?? ''), ...(type !== undefined && { 'content-type': type }) };
      // A fault may end the request without a response.
      const response = await fetch(location.origin + target, { method, headers: sent, body }).catch(() => undefined);
      return response ? `The service returned ${response.status}; see the newest entry.` : 'No response; see the newest entry.';
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

function causesOf({ response, changes, effects }: JournalEntry, { target, body }: JournalRequest): string[] {
  const happened = [
    ...changes.map(({ table, what }) => `${table}: ${what}`),
    ...effects.map(({ kind, what, outcome }) => `${kind} ${what}, ${outcome}`),
  ];
  return [
    `The request changes the account ${here().account}, as a request of your client does.`,
    `The first time, the response was ${response?.status}, and ${happened.length > 0 ? 'this happened:' : 'nothing changed.'}`,
    ...happened,
    ...(`${target}${body}`.includes('***') ? ['The journal keeps no secrets. In place of each, *** is sent.'] : []),
  ];
}
