import { ruleValues } from '../../openapi/generated/rules.ts';
import type { TargetRequest } from '../http/exchange.ts';

export const listPath = '/api/GiftCard/List';

/** A harmless request to which a service returns 200. */
export const shortList = { method: 'GET', path: listPath, query: { pageSize: 1 } } as const satisfies TargetRequest;

export const fullPage = ruleValues['list.page-size-maximum'];

export const mostPages = 20;
