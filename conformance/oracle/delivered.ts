import type { KnownAccount, KnownCard } from './account.ts';
import type { Fields, ObservedCall } from './call.ts';
import type { Findings } from './findings.ts';

/** Checks a delivery about a card that the client created. */
export function checkDelivery(
  payload: Fields,
  card: KnownCard,
  { span }: ObservedCall,
  account: KnownAccount,
  findings: Findings,
): void {
  const { Code, Currency, WebhookTopic, Status, Balance, IsStoreCredit } = payload;
  const what = `${String(WebhookTopic)} of ${card.name} has`;
  findings.check(Code === card.code, 'delivery.payload.code', `${what} another code.`, span);
  if (account.currency !== undefined) {
    const isRight = Currency === account.currency;
    findings.check(isRight, 'delivery.payload.currency', `${what} the currency ${String(Currency)}.`, span);
  }
  const storeCredit = `${what} IsStoreCredit ${String(IsStoreCredit)}.`;
  findings.check(IsStoreCredit === false, 'delivery.payload.store-credit', storeCredit, span);
  if (WebhookTopic !== 'giftcard/voided') return;
  const [status, balance] = [`${what} the status ${String(Status)}.`, `${what} the balance ${String(Balance)}.`];
  findings.check(Status === 'Voided', 'delivery.payload.status-after-event', status, span);
  findings.check(Balance === 0, 'delivery.payload.balance-after-event', balance, span);
}
