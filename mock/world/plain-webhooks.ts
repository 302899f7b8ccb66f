import type { Behaviors } from '../../openapi/generated/clauses.ts';
import { mayBePlain } from '../server/loopback.ts';
import type { Account } from './description.ts';

/** The webhooks of a description that no request could register, for want of TLS (webhook.create.other-schemes). */
export function plainWebhooks(
  { webhooks }: Account,
  { plainHttpHosts, behaviors }: { readonly plainHttpHosts: readonly string[]; readonly behaviors: Behaviors },
): { readonly url: string; readonly sentence: string }[] {
  if (behaviors['webhook.create.other-schemes'] === 'accepted') return [];
  return webhooks.flatMap(({ url }) => {
    const { protocol = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
    if (protocol !== 'http:' || mayBePlain(hostname, plainHttpHosts)) return [];
    const sentence = `The webhook URL must be an https address: ${url}. Without TLS only this machine is reached, and what --allow-http-webhooks (allowHttpWebhooks) names, such as ${hostname}.`;
    return [{ url, sentence }];
  });
}
