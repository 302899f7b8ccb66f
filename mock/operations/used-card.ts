import type { components } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract.ts';
import { byCode, byShownId, bySource, type Where } from '../domain/finding.ts';
import type { CardRecord } from '../records.ts';
import type { Refusal } from '../refusal.ts';

type ByCode = components['schemas']['AddAdjustmentByGiftCardCodeRequest'];
type ById = components['schemas']['AddAdjustmentByGiftCardIdRequest'];

/** The one card that a request is about, found as the operation finds it; undefined for operations on none or on many. */
export function usedCard(id: OperationId, { parameters, body }: Input, where: Where): CardRecord | Refusal | undefined {
  const { state } = where;
  switch (id) {
    case 'getGiftCardByCode':
    case 'voidGiftCardByCode':
    case 'listAdjustmentsByGiftCardCode':
      return byCode(state, parameters.code as string);
    case 'getGiftCardById':
    case 'voidGiftCardById':
      return byShownId(parameters.id as string, where);
    case 'listAdjustmentsByGiftCardId':
      return byShownId(parameters.giftCardId as string, where);
    case 'addAdjustmentByGiftCardCode':
      return byCode(state, (body as ByCode).giftCardCode);
    case 'addAdjustmentByGiftCardId':
      return byShownId((body as ById).giftCardId, where);
    case 'getGiftCardByAccountPlatformIdAndSourceId':
      return bySource(parameters.accountPlatformId as string, parameters.sourceId as string, where);
    default:
      return undefined;
  }
}
