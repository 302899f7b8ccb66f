import { api, type FaultTable, isOf, on, otherAccount, received, refusesIf, statusAs } from './fault.ts';
import type { RawRequest, ServerAccount, ServerCall } from './hooks.ts';

/** Reads another key in some requests. */
const reads = (key: (given: string | null, request: RawRequest) => string | null) =>
  received((request) => ({ ...request, key: key(request.key, request) }));

/** Needs no key for an operation. */
const open = (operation?: string) =>
  reads((key, request) => (operation === undefined || isOf(request, operation) ? (key ?? 'one') : key));

const hasCard = ({ cards }: ServerAccount, name: unknown) => cards.some(({ code, id }) => code === name || String(id) === name);

/** Reports whether only the other account has the card. */
const isForeign = ({ account, name }: ServerCall) => hasCard(otherAccount(account), name) && !hasCard(account, name);

/** Carries out an operation on the account that has the card. */
const crosses = (operation: string, field?: string) =>
  on(operation, (call, next) => {
    const name = field === undefined ? call.name : String(call.body[field]);
    const other = otherAccount(call.account);
    return next({ ...call, account: hasCard(other, name) ? other : call.account });
  });

/** Carries out an operation with some records of both accounts. */
const mixes = (operation: string, records: 'cards' | 'webhooks', when: (call: ServerCall) => boolean = () => true) =>
  on(operation, (call, next) => {
    if (!when(call)) return next(call);
    const account = { ...call.account, [records]: [...call.account[records], ...otherAccount(call.account)[records]] };
    return next({ ...call, account });
  });

export const accessFaults: FaultTable = {
  'authentication.missing-key-is-401': {
    'accepts requests without a key': open(),
    'registers webhooks without a key': open(api.createWebhook),
    'creates cards without a key': open(api.create),
    'runs automations without a key': open(api.event),
    'shows the business profile without a key': open(api.profile),
  },
  'authentication.wrong-key-is-401': {
    'returns 403 to a wrong key': statusAs(401, 403),
    'accepts a key with more letters': reads((key) => (key?.startsWith('one') ? 'one' : key)),
    'accepts the beginning of a key': reads((key) => (key && 'one'.startsWith(key) ? 'one' : key)),
    'accepts a key with one wrong letter': reads((key) => (key && /^(.ne|o.e|on.)$/.test(key) ? 'one' : key)),
    'accepts every key for changes': reads((key, { method }) => (key && key !== 'was-deleted' && method !== 'GET' ? 'one' : key)),
    'accepts every key for lists': reads((key, request) => (key !== null && isOf(request, api.list) ? 'one' : key)),
  },
  'authentication.deleted-key-is-401': {
    'accepts a deleted key': reads((key) => (key === 'was-deleted' ? 'one' : key)),
    'accepts a deleted key for changes': reads((key, { method }) => (key === 'was-deleted' && method !== 'GET' ? 'one' : key)),
  },
  'authentication.basic-plan-refused': {
    'accepts a key of the Basic plan': reads((key) => (key === 'cheap' ? 'two' : key)),
    'accepts a key of the Basic plan for webhooks': reads((key, { url }) =>
      key === 'cheap' && url.pathname.includes('Webhook') ? 'two' : key,
    ),
  },
  'authentication.paid-plans-admitted': { 'refuses the plan Enterprise': reads((key) => (key === 'large' ? 'cheap' : key)) },
  'authentication.key-is-in-header': {
    'reads the key in the query first': reads((key, { url }) => url.searchParams.get('x-api-key') ?? key),
  },
  'authentication.foreign-record-is-404': {
    'finds cards of other accounts by code': crosses(api.getByCode),
    'finds cards of other accounts by ID': crosses(api.getById),
    'returns 403 to lookups of other accounts': refusesIf(api.getByCode, isForeign, 403),
    'returns an empty card to lookups of other accounts': on(api.getByCode, (call, next) => (isForeign(call) ? {} : next(call))),
    'shows histories of other accounts by code': crosses(api.historyByCode),
    'shows histories of other accounts by ID': crosses(api.historyById),
    'adjusts cards of other accounts by code': crosses(api.adjustByCode, 'giftCardCode'),
    'adjusts cards of other accounts by ID': crosses(api.adjustById, 'cardId'),
    'voids cards of other accounts by code': crosses(api.voidByCode),
    'voids cards of other accounts by ID': crosses(api.voidById),
  },
  'authentication.lists-own-records-only': {
    'lists cards of other accounts': mixes(api.list, 'cards'),
    'lists deleted cards with cards of other accounts': mixes(api.list, 'cards', ({ query }) => query.has('includeAll')),
    'lists cards of other accounts since a time': mixes(api.list, 'cards', ({ query }) => query.has('since')),
    'finds cards of other accounts by address': mixes(api.getByEmail, 'cards'),
    'finds cards of other accounts by channel': mixes(api.getBySource, 'cards'),
    'lists webhooks of other accounts': mixes(api.listWebhooks, 'webhooks'),
  },
  'authentication.key-acts-on-its-own-account': {
    'creates all cards on the first account': on(api.create, (call, next) =>
      next({ ...call, account: call.account.service.accounts[0] }),
    ),
  },
};
