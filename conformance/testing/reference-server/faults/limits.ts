import { ServerRefusal } from '../wire.ts';
import {
  api,
  changesResponse,
  type FaultTable,
  isOf,
  namedCard,
  on,
  received,
  refused,
  refusesIf,
  statusAs,
  textAs,
} from './fault.ts';
import type { Hooks, RawRequest } from './hooks.ts';

/** Does not limit some requests. */
const exempts = (operations: string | readonly string[]) => (): Hooks => ({
  isOverRate: (isOver, request) => isOver && !isOf(request, operations),
});

/** Returns 429 to some requests beyond the limit, but still carries them out. */
const carriesOut = (operations: string | readonly string[]) => (): Hooks => {
  const beyond = new Set<RawRequest>();
  return {
    isOverRate(isOver, request) {
      const isWanted = isOver && isOf(request, operations);
      if (isWanted) beyond.add(request);
      return isOver && !isWanted;
    },
    async request(request, next) {
      const response = await next(request);
      return beyond.has(request) ? new Response(null, { status: 429 }) : response;
    },
  };
};

/** Reads another path. */
const moves = (change: (path: string) => string) =>
  received((request) => {
    const url = new URL(request.url);
    url.pathname = change(url.pathname);
    return { ...request, url };
  });

const unlimited = () => ({});

/** Changes names in the responses to an operation. */
const renames = (operation: string, names: Readonly<Record<string, string>>) =>
  changesResponse(operation, (json) =>
    Object.fromEntries(Object.entries(Object(json)).map(([name, value]) => [names[name] ?? name, value])),
  );

export const limitFaults: FaultTable = {
  'limits.rate-admits': { 'admits 199 requests a minute': [unlimited, { perMinute: 199 }] },
  'limits.rate-refuses-excess': {
    'admits 201 requests a minute': [unlimited, { perMinute: 201 }],
    'admits 300 requests a minute': [unlimited, { perMinute: 300 }],
    'has no rate limit': [unlimited, { perMinute: Number.POSITIVE_INFINITY }],
    'adjusts cards beyond the rate limit': carriesOut(api.adjusts),
    'returns 403 beyond the rate limit': statusAs(429, 403),
  },
  'limits.rate-covers-every-endpoint': { 'limits no adjustments': exempts(api.adjusts), 'limits no voids': exempts(api.voids) },
  'limits.rate-recovers': {
    'never lifts the rate limit': (): Hooks => {
      let wasOver = false;
      return {
        isOverRate(isOver) {
          wasOver ||= isOver;
          return wasOver;
        },
      };
    },
  },
  'errors.rejection-is-400-plain-text': {
    'refuses with a JSON text': textAs(400, JSON.stringify),
    'refuses with a JSON object': textAs(400, (title) => JSON.stringify({ title })),
    'labels messages as JSON': textAs(400, (message) => message),
    'refuses vouchers with a JSON object': refused(api.adjusts, (_, call) => {
      if (namedCard(call).isVoucher) throw new ServerRefusal(400, { title: 'no' });
    }),
    'refuses without a message': textAs(400, () => '', undefined, 'text/plain'),
    'refuses vouchers with 409': refusesIf(api.adjusts, (call) => namedCard(call).isVoucher, 409),
  },
  'errors.refusal-changes-nothing': {
    'books an adjustment that it refuses': refused(api.adjusts, (_, call) => {
      namedCard(call).balance += 0.01;
    }),
  },
  'errors.malformed-input-is-no-server-fault': {
    'breaks on text as an amount': refusesIf(api.adjusts, ({ body }) => typeof body.adjustmentAmount === 'string', 500),
    'breaks on a page number below zero': refusesIf(api.list, ({ query }) => Number(query.get('pageNumber')) < 0, 500),
    'breaks on unreadable JSON': statusAs(418, 500),
  },
  'http.paths-under-api': { 'finds cards at a path without /api': moves((path) => path.replace(/^\/(?!api\/)/, '/api/')) },
  'http.paths-carry-no-version': {
    'finds cards at a path with v1 after /api': moves((path) => path.replace('/api/v1/', '/api/')),
    'finds cards at a path with v2 after /api': moves((path) => path.replace('/api/v2/', '/api/')),
  },
  'http.json-bodies': { 'responds to lookups with XML': textAs(200, () => '<card/>', api.getByCode, 'text/xml') },
  'http.camel-case-names': {
    'returns lists in PascalCase': renames(api.list, { totalCount: 'TotalCount', giftCards: 'GiftCards' }),
    'shows the business profile in snake_case': renames(api.profile, { business: 'business_name' }),
    'shows looked-up cards in snake_case': renames(api.getByCode, { remark: 'card_remark' }),
  },
  'company.profile-succeeds': {
    'shows no time zone': changesResponse(api.profile, (json) => ({ ...Object(json), zone: undefined })),
    'shows no currency': changesResponse(api.profile, (json) => ({ ...Object(json), money: undefined })),
  },
  'company.profile-currency-is-of-cards': {
    'shows the first account to all': on(api.profile, (call, next) =>
      next({ ...call, account: call.account.service.accounts[0] }),
    ),
  },
};
