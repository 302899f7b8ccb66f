import { ServerRefusal } from '../wire.ts';
import { api, breaksIf, type FaultTable, isOf, refused, throws } from './fault.ts';
import type { Hooks, RawRequest, ServerCall } from './hooks.ts';

/** Decodes a value of the path or the query a second time, which breaks on a percent sign. */
const decodesAgain = (operation: string, value: (call: ServerCall) => string = ({ name = '' }) => name) =>
  breaksIf(operation, (call) => throws(() => decodeURIComponent(value(call))));

/** Counts a refused request as an update of the first card. */
const updatesInRefusal = (operation: string) =>
  refused(operation, (_, { account }) => {
    const [first] = account.cards;
    if (first) account.service.update(first);
  });

/** Breaks on requests before it reads their path. */
const breaksOn = (operation: string, when: (request: RawRequest) => boolean) => (): Hooks => ({
  request: async (request, next) =>
    isOf(request, operation) && when(request) ? new ServerRefusal(500, 'Out of order.').response : next(request),
});

const isLong = (value: unknown) => String(value).length > 1_000;
const properties = ({ body }: ServerCall) => Object.values(Object(body.properties));

export const robustnessFaults: FaultTable = {
  'robustness.create-gift-card': { 'counts a refused create as an update': updatesInRefusal(api.create) },
  'robustness.get-by-code': { 'breaks on a long code': breaksIf(api.getByCode, ({ name }) => isLong(name)) },
  'robustness.get-by-id': { 'decodes an ID twice': decodesAgain(api.getById) },
  'robustness.get-by-email': {
    'reads an address as a pattern': breaksIf(api.getByEmail, ({ query }) =>
      throws(() => new RegExp(query.get('emailAddress') ?? '')),
    ),
  },
  'robustness.get-by-source': {
    'decodes the ID of a channel twice': decodesAgain(api.getBySource, ({ query }) => query.get('sourceId') ?? ''),
  },
  'robustness.list': {
    'breaks on a page number of more than four bytes': breaksIf(
      api.list,
      ({ query }) => Number(query.get('pageNumber')) > 2 ** 31,
    ),
  },
  'robustness.void-by-code': { 'decodes the code of a void twice': decodesAgain(api.voidByCode) },
  'robustness.void-by-id': { 'counts a refused void as an update': updatesInRefusal(api.voidById) },
  'robustness.history-by-code': {
    'pastes the code of a history into JSON': breaksIf(api.historyByCode, ({ name }) => throws(() => JSON.parse(`"${name}"`))),
  },
  'robustness.history-by-id': { 'decodes the ID of a history twice': decodesAgain(api.historyById) },
  'robustness.adjust-by-code': { 'counts a refused adjustment as an update': updatesInRefusal(api.adjustByCode) },
  'robustness.adjust-by-id': {
    'breaks on a byte order mark in notes': breaksIf(api.adjustById, ({ body }) => String(body.notes).includes('\uFEFF')),
  },
  'robustness.automation-event': {
    'breaks on a lone surrogate in the properties of an event': breaksIf(api.event, (call) =>
      properties(call).some((value) => throws(() => encodeURIComponent(String(value)))),
    ),
  },
  'robustness.company-profile': {
    'breaks on a weight of more than one in Accept': breaksOn(
      api.profile,
      ({ headers }) => headers.get('accept')?.includes('q=2') === true,
    ),
  },
  'robustness.webhook-list': {
    'breaks on a percent sign in the query': breaksOn(api.listWebhooks, ({ url }) =>
      throws(() => decodeURIComponent(url.search)),
    ),
  },
  'robustness.webhook-create': {
    'breaks on a long description': breaksIf(api.createWebhook, ({ body }) => isLong(body.description)),
  },
  'robustness.webhook-delete': { 'decodes the ID of a webhook twice': decodesAgain(api.deleteWebhook) },
};
