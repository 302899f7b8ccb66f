import type { Account, KnownCard } from './account.ts';
import type { Fields } from './call.ts';
import type { Findings } from './findings.ts';

/** Checks a delivery about a card that the client created. */
export function checkDelivery(payload: Fields, card: KnownCard, account: Account, findings: Findings): void {
  const { Code, Currency, WebhookTopic, Status, Balance, IsStoreCredit } = payload;
  const what = `${String(WebhookTopic)} of ${card.name} has`;
  const creation = card.creation?.span;
  const earlier = creation ? [creation] : [];
  findings.check(Code === card.code, 'delivery.payload.code', `${what} another code.`, ...earlier);
  if (account.currency !== undefined) {
    const isRight = Currency === account.currency;
    findings.check(isRight, 'delivery.payload.currency', `${what} the currency ${String(Currency)}.`, ...earlier);
  }
  const storeCredit = `${what} IsStoreCredit ${String(IsStoreCredit)}.`;
  findings.check(IsStoreCredit === false, 'delivery.payload.store-credit', storeCredit, ...earlier);
  if (WebhookTopic !== 'giftcard/voided') return;
  const [status, balance] = [`${what} the status ${String(Status)}.`, `${what} the balance ${String(Balance)}.`];
  findings.check(Status === 'Voided', 'delivery.payload.status-after-event', status, ...earlier);
  findings.check(Balance === 0, 'delivery.payload.balance-after-event', balance, ...earlier);
}
