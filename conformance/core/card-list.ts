import { clauseValues } from '../../openapi/generated/clauses.ts';
import type { Ask } from '../http/exchange.ts';

export const listPath = '/api/GiftCard/List';

/** A harmless request that a service answers with 200. */
export const shortList = { method: 'GET', path: listPath, query: { pageSize: 1 } } as const satisfies Ask;

export const fullPage = clauseValues['list.page-size-maximum'];

export const mostPages = 20;
