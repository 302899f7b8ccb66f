import { lists } from '../../../../mock/control/generated/lists.ts';
import type { Firing } from '../../../../mock/control/generated/types.ts';
import type { components } from '../../../../openapi/generated/types.ts';
import { Field, Form } from '../../../components/form.tsx';
import { control, dataOf, here, serviceClient } from '../../client.ts';
import { closeDetail, Detail } from '../../list-and-detail.tsx';
import { useResource } from '../../resource.ts';
import { go } from '../../router.ts';
import { selectedAccount } from '../../session.ts';

type NewWebhook = components['schemas']['CreateWebhookRequest'];

/** Registers a webhook with a request to the service, as a client does. */
export function RegisterForm() {
  const register = async (body: NewWebhook) => {
    await dataOf(serviceClient().POST('/api/Webhook/Create', { body }));
    closeDetail();
  };
  return (
    <Detail title="Register a webhook">
      <Form<NewWebhook> submit="Register" onSubmit={register} onCancel={closeDetail}>
        <Field
          label="URL"
          hint="https, or http on this machine, such as port 9000 of localhost"
          name="url"
          type="url"
          placeholder="https://…"
          required
        />
        <Field label="Description" name="description" />
        <Field
          label="Token"
          hint="If it is set, deliveries are signed: the receiver checks HMAC-Signature-SHA256 with this token."
          name="requestHeaderVerificationToken"
          autocomplete="off"
        />
        <p class="quiet">From now on, every topic of every card is posted to this URL.</p>
      </Form>
    </Detail>
  );
}

/** Delivers a topic for a card, as if the event had happened. */
export function FireForm() {
  const receivers = selectedAccount()?.webhooks.filter(({ enabled }) => enabled).length;
  const { data } = useResource(
    () => dataOf(control.GET('/accounts/{account}/cards', { params: { path: here(), query: {} } })),
    ['cards'],
  );
  const fire = async (body: Firing) => {
    const [first] = await dataOf(control.POST('/accounts/{account}/deliveries/fire', { params: { path: here() }, body }));
    go({ query: { selected: first?.requestId ?? null } }, true);
  };
  return (
    <Detail title="Fire a topic">
      <Form<Firing> submit="Fire" onSubmit={fire} onCancel={closeDetail}>
        <Field label="Topic">
          <select name="topic">
            {lists.Topic.map((topic) => (
              <option key={topic}>{topic}</option>
            ))}
          </select>
        </Field>
        <Field label="Card" hint="Code or ID" name="card" list="cards" required />
        <datalist id="cards">
          {data?.cards.map(({ id, code }) => (
            <option key={id} value={code} />
          ))}
        </datalist>
        <p class="quiet">
          {receivers === 1 ? 'One webhook gets' : `${receivers} webhooks get`} the topic. The card does not change.
        </p>
      </Form>
    </Detail>
  );
}
