import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract/contract.ts';
import { byCode, byShownId, bySource, type Where } from '../domain/finding.ts';
import type { Refusal } from '../pipeline/refusal.ts';
import type { CardRecord } from '../state/records.ts';

type Found = CardRecord | Refusal | undefined;

/**
 * The one card that a request is about, found as the operation finds it; undefined for operations on none or on many, and where the request, which
 * need not have been checked, does not say which one.
 */
export function usedCard(id: OperationId, { parameters, body }: Input, where: Where): Found {
  switch (id) {
    case 'getGiftCardByCode':
    case 'voidGiftCardByCode':
    case 'listAdjustmentsByGiftCardCode':
      return withCode(parameters.code, where);
    case 'getGiftCardById':
    case 'voidGiftCardById':
      return byShownId(parameters.id as string, where);
    case 'listAdjustmentsByGiftCardId':
      return byShownId(parameters.giftCardId as string, where);
    case 'addAdjustmentByGiftCardCode':
      return withCode((body as Fields).giftCardCode, where);
    case 'addAdjustmentByGiftCardId':
      return withId((body as Fields).giftCardId, where);
    case 'getGiftCardByAccountPlatformIdAndSourceId': {
      const { accountPlatformId: channel, sourceId } = parameters;
      return typeof channel === 'string' && typeof sourceId === 'string' ? bySource(channel, sourceId, where) : undefined;
    }
    default:
      return undefined;
  }
}

type Fields = Readonly<Record<string, unknown>>;

function withCode(code: unknown, { state }: Where): Found {
  return typeof code === 'string' ? byCode(state, code) : undefined;
}

/** gift-card.response.id-form: what has not the form of an ID here names no card. */
function withId(id: unknown, where: Where): Found {
  const isId = typeof id === (where.behaviors['gift-card.response.id-form'] === 'number' ? 'number' : 'string');
  return isId ? byShownId(id as string | number, where) : undefined;
}
