import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { View } from '../state/view.ts';

/** Why what is delivered reaches nobody: the account has no webhook, or none that is enabled; undefined where it has one. */
export function whyUnheard(state: View): { readonly clause: ClauseName; readonly why: string } | undefined {
  let disabled = 0;
  for (const { enabled } of state.webhooks()) {
    if (enabled) return undefined;
    disabled++;
  }
  if (disabled === 0) return { clause: 'delivery.one-per-webhook', why: 'the account has no webhook' };
  const whose = disabled === 1 ? 'its only webhook' : `each of its ${disabled} webhooks`;
  return { clause: 'webhook.disabled-gets-no-deliveries', why: `${whose} was disabled after too many failed deliveries` };
}
