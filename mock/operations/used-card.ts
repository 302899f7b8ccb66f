import type { components } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import type { Input } from '../contract.ts';
import { byCode, byId, bySource } from '../domain/finding.ts';
import type { CardRecord } from '../records.ts';
import type { Refusal } from '../refusal.ts';
import type { View } from '../state.ts';

type ByCode = components['schemas']['AddAdjustmentByGiftCardCodeRequest'];
type ById = components['schemas']['AddAdjustmentByGiftCardIdRequest'];

/** The one card that a request is about, found as the operation finds it; undefined for operations on none or on many. */
export function usedCard(id: OperationId, { parameters, body }: Input, state: View): CardRecord | Refusal | undefined {
  switch (id) {
    case 'getGiftCardByCode':
    case 'voidGiftCardByCode':
    case 'listAdjustmentsByGiftCardCode':
      return byCode(state, parameters.code as string);
    case 'getGiftCardById':
    case 'voidGiftCardById':
      return byId(state, parameters.id as string);
    case 'listAdjustmentsByGiftCardId':
      return byId(state, parameters.giftCardId as string);
    case 'addAdjustmentByGiftCardCode':
      return byCode(state, (body as ByCode).giftCardCode);
    case 'addAdjustmentByGiftCardId':
      return byId(state, (body as ById).giftCardId);
    case 'getGiftCardByAccountPlatformIdAndSourceId':
      return bySource(state, parameters.accountPlatformId as string, parameters.sourceId as string);
    default:
      return undefined;
  }
}
