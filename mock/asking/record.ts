import { byCode, byShownId, type Where } from '../domain/finding.ts';
import type { Asked } from '../order.ts';
import { type Refusal, refused } from '../refusal.ts';

/** http.order.request-or-record: under the reading "record", that the card is missing is said ahead of everything that is wrong with the request. */
export function missingRecord({ code }: Refusal, asked: Asked): Refusal | undefined {
  if (!code.startsWith('request.') || asked.readings['http.order.request-or-record'] === 'request') return undefined;
  const { holder, found, request, contract } = asked;
  if (!holder || refused(found) || !(request.body instanceof Uint8Array)) return undefined;
  const { giftCardCode, giftCardId } = contract.named(found.operation, object(request.body)) as Fields;
  const card =
    typeof giftCardCode === 'string' ? byCode(holder.account.state, giftCardCode) : shownAs(giftCardId, holder.account);
  return card && refused(card) ? card : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Undefined where it is no ID at all, whatever its form here (gift-card.response.id-form). */
function shownAs(id: unknown, where: Where) {
  const isId = typeof id === (where.readings['gift-card.response.id-form'] === 'number' ? 'number' : 'string');
  return isId ? byShownId(id as string | number, where) : undefined;
}

function object(body: Buffer): object {
  try {
    return Object(JSON.parse(body.toString('utf8')));
  } catch {
    return {};
  }
}
