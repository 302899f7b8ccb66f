import type { CardDescription } from '../../../../mock/control/generated/types.ts';
import { Field, Form } from '../../../components/form.tsx';
import { control, dataOf, here } from '../../client.ts';
import { closeDetail, Detail } from '../../list-and-detail.tsx';
import { go, route } from '../../router.ts';
import { selectedAccount } from '../../session.ts';

/** Creates a card as the merchant does. */
export function CreateCard() {
  const create = async (body: CardDescription) => {
    const card = await dataOf(control.POST('/accounts/{account}/cards', { params: { path: here() }, body }));
    // A filter might hide the new card.
    if (route.value.query.get('selected') === 'new') go({ query: { selected: String(card.id), search: null, only: null } }, true);
  };
  return (
    <Detail title="Create a card">
      <Form<CardDescription> submit="Create" onSubmit={create} onCancel={closeDetail}>
        <Field
          label={`Initial value in ${selectedAccount()?.currency}`}
          name="initialValue"
          type="number"
          step="any"
          min="0"
          defaultValue="25"
          required
        />
        <Field label="Code" hint={`If empty, the service generates one: ${selectedAccount()?.codeFormat}`} name="code" />
        <Field label="Kind">
          <select name="kind">
            <option value="gift-card">Gift card</option>
            <option value="voucher">Voucher: redeemed in full</option>
            <option value="store-credit">Store credit</option>
          </select>
        </Field>
        <Field label="Recipient's name" name="recipientName" />
        <Field label="Recipient's email address" name="recipientEmailAddress" type="email" placeholder="ann@example.com" />
        <Field label="Expires (UTC)" name="expiresAtUtc" type="datetime-local" />
        <Field label="Notes" name="notes" />
        <Field
          label="Send the gift card email"
          hint="The address above gets the email, and each webhook gets giftcard/updated. Without an address, neither is sent."
          name="shouldSendNotification"
          type="checkbox"
        />
      </Form>
    </Detail>
  );
}
