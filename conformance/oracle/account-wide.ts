import { leaves } from '../http/json-search.ts';
import type { Account } from './account.ts';
import { type Call, textIn } from './call.ts';
import type { Findings } from './findings.ts';
import { hasRun } from './record.ts';
import { isBefore, isWithinDay } from './span.ts';

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** All cards of an account, and its profile, have one currency. */
export function checkCurrency({ span, operation, outcome, answer }: Call, account: Account, findings: Findings): void {
  const { currency } = account;
  if (outcome !== 'accepted' || !currency || !isBefore(currency.span, span) || !currencies.has(currency.code)) return;
  const isProfile = operation === 'getCompanyProfile';
  const named = leaves(answer).filter(
    ({ path, value }) => currencies.has(String(value)) && (isProfile || path.endsWith('/currency')),
  );
  const codes = [...new Set(named.map(({ value }) => value))];
  // Which currency of several in a profile is the account's is not known.
  if (codes.length === 0 || (isProfile && codes.length > 1)) return;
  const clause = isProfile
    ? 'company.profile-currency-is-of-cards'
    : operation === 'createGiftCard'
      ? 'gift-card.create.uses-account-currency'
      : 'gift-card.amounts-in-account-currency';
  const other = codes.find((code) => code !== currency.code);
  if (other === undefined) findings.holds(clause);
  else
    findings.possible(
      clause,
      `The answer has ${other}, and exchange ${currency.span.n} showed a card in ${currency.code}.`,
      ...[currency.span.n, span.n],
    );
}

/** Automations that already ran with the idempotency key are skipped. */
export function checkEvent({ span, outcome, request, answer }: Call, account: Account, findings: Findings): void {
  const before = account.events.get(textIn(request?.idempotency_key) ?? '');
  if (outcome !== 'accepted' || !before || !isBefore(before.span, span) || !isWithinDay(before.span, span)) return;
  if (before.request !== JSON.stringify(request)) return;
  // Another automation, activated meanwhile, may run and this one be skipped.
  if (leaves(answer).some(({ value }) => /^Skipped/.test(String(value)))) findings.holds('idempotency.automation.skips-repeat');
  else if (hasRun(answer))
    findings.possible(
      'idempotency.automation.skips-repeat',
      `The event of exchange ${before.span.n} was sent again with its idempotency_key and ran again.`,
      ...[before.span.n, span.n],
    );
}

/** The key of a call, whatever it requests. */
export function checkKey(
  { span, key, hasOtherKey, status, outcome, title }: Call,
  account: Account | undefined,
  findings: Findings,
): void {
  if (hasOtherKey) return;
  if (key === undefined) {
    if (status === 401) findings.holds('authentication.missing-key-is-401');
    else if (outcome === 'accepted')
      findings.violated('authentication.missing-key-is-401', `${title} without a key answers ${status}.`, span.n);
  } else if (outcome === 'accepted') findings.holds('authentication.key-is-in-header');
  else if (status === 401) {
    const worked = [...(account?.accepted.values() ?? [])].find((each) => isBefore(each, span));
    if (worked)
      findings.possible(
        'authentication.key-is-in-header',
        `The key of exchange ${worked.n} is refused with 401; it may have been deleted.`,
        ...[worked.n, span.n],
      );
    else findings.client('The key is refused with 401 and was never accepted.', span.n);
  }
}
