import { confirmAction } from '../../../components/dialogs.tsx';
import { StatusLabel } from '../../../components/label.tsx';
import { ActionResult, useAction } from '../../actions.tsx';
import { dataOf, serviceClient } from '../../client.ts';
import { selectedAccount } from '../../session.ts';

/** The webhooks of the account, also those that the service has disabled and no longer lists. */
export function Registrations() {
  const action = useAction();
  const { webhooks = [] } = selectedAccount() ?? {};
  const remove = async (id: string, url: string | null) => {
    const causes = [`${url} gets no more deliveries.`, 'Its failures are forgotten: a new registration starts at 0.'];
    if (!(await confirmAction({ title: 'Delete the webhook?', causes, action: 'Delete' }))) return;
    await action.run(async () => {
      await dataOf(serviceClient().DELETE('/api/Webhook/Delete/{id}', { params: { path: { id } } }));
      return `The webhook of ${url} is deleted.`;
    });
  };
  return (
    <section class="webhooks" aria-label="Registrations">
      {webhooks.length === 0 && <p class="quiet">The account has no webhook, so nothing is delivered.</p>}
      <ul>
        {webhooks.map(({ id, url, signed, enabled, lifetimeFailures: { count, of } }) => (
          <li key={id}>
            <span class="mono">{url}</span>
            <StatusLabel status={enabled ? 'enabled' : 'disabled'} />
            <span class="quiet">
              {signed ? 'signed' : 'unsigned'},{' '}
              {enabled
                ? `${of - count} of ${of} failures left`
                : 'disabled after its failures; register it again for more deliveries'}
              , ID {id}
            </span>
            {enabled && (
              <button type="button" class="small" disabled={action.isRunning} onClick={() => remove(id, url)}>
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
      <ActionResult of={action} />
    </section>
  );
}
