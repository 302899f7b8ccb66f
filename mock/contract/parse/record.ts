import { usedCard } from '../../operations/used-card.ts';
import type { Asked } from '../../pipeline/context.ts';
import { type Refusal, refused } from '../../pipeline/refusal.ts';

/** http.order.request-or-record: under the reading "record", that the card is missing is said ahead of everything that is wrong with the request. */
export function missingRecord({ code }: Refusal, asked: Asked): Refusal | undefined {
  if (!code.startsWith('request.') || asked.behaviors['http.order.request-or-record'] === 'request') return undefined;
  const { holder, found, request, contract, asking } = asked;
  // Of what is too large, nobody looked at more than its size.
  if (!holder || refused(found) || code === 'request.too-large' || request.body === 'too large') return undefined;
  const card = usedCard(found.operation.id, contract.glance(found, request, asking), holder.account);
  return card && refused(card) && card.code === 'gift-card.not-found' ? card : undefined;
}
