import type { ServiceRequest } from '../../mock/pipeline/exchange.ts';
import { refuse, refused } from '../../mock/pipeline/refusal.ts';
import type { OperationId } from '../../openapi/generated/validators.js';
import { defaultWorldProfile } from '../default-world-profile.ts';
import { answer, byId, changed, decide, leaves, type Mutation, type Mutations, parameters, request, state } from './mutation.ts';
import { acrossAccounts, otherAccounts } from './remembering.ts';

const MAIN = 'sandbox-key-main-not-a-real-key';
const { secondKey: OTHER = '', deletedKey: DELETED = '', basicKey: BASIC = '' } = defaultWorldProfile;
const KNOWN = [MAIN, OTHER];
const keyOf = ({ headers }: ServiceRequest) => String(headers['x-api-key'] ?? '');
const withKey = (received: ServiceRequest, key: string) => ({ ...received, headers: { ...received.headers, 'x-api-key': key } });

/** Accepts an invalid key as if it were another key. */
const admits = (other: (key: string, received: ServiceRequest) => string | undefined) =>
  request((received) => {
    const key = keyOf(received);
    const instead = KNOWN.includes(key) ? undefined : other(key, received);
    return instead === undefined ? received : withKey(received, instead);
  });
const isApi = ({ target }: ServiceRequest) => target.startsWith('/api/');

/** Adds cards and webhooks of other accounts to a result. */
const leaks = (where: 'list' | 'includeAll' | 'since' | 'email' | 'source' | 'webhooks') => (): Mutation => {
  const others = otherAccounts();
  return state('all', (view) => {
    const all = others(view);
    const foreign = all.slice(1);
    const suiteCards = foreign.flatMap((each) => [...each.cards()].filter(({ code }) => code.startsWith('GCS')).reverse());
    return {
      newest: (position, length, deleted, after) => {
        const { cards, count } = view.newest(position, length, deleted, after);
        const leaksHere = after === undefined ? where === 'list' || (where === 'includeAll' && deleted) : where === 'since';
        return { cards: leaksHere && position === 0 && length > 1 ? [...suiteCards, ...cards].slice(0, length) : cards, count };
      },
      cardsByRecipient: (address) => (where === 'email' ? all : [view]).flatMap((each) => each.cardsByRecipient(address)),
      cardBySource: (channel, source) =>
        (where === 'source' ? all : [view]).map((each) => each.cardBySource(channel, source)).find(Boolean),
      webhooks: () => (where === 'webhooks' ? all : [view]).flatMap((each) => [...each.webhooks()]),
    };
  })();
};

const asJson = (when: (text: string) => boolean) =>
  answer((given) =>
    given.status === 400 && when(String(given.body))
      ? { ...given, headers: { 'content-type': 'application/problem+json' }, body: '{"title":"no"}' }
      : given,
  );

const BROKEN = { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Out of order.' };

/** Answers 500 to the input that `when` selects. */
const breaks = (id: OperationId, when: (given: Record<string, unknown>) => boolean) =>
  decide(id, (next, input, context) => {
    if (when({ ...input.parameters, ...(input.body as object | undefined) })) throw new Error('Out of order.');
    return next(input, context);
  });
/** Decodes a path value twice, which throws on a stray percent sign. */
const decodes = (id: OperationId) =>
  parameters(id, (given) =>
    Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, typeof value === 'string' ? decodeURIComponent(value) : value]),
    ),
  );
/** Makes a refused request change the most recently updated card. */
const nearly = (id: OperationId) =>
  decide(id, (next, input, context) => {
    const decided = next(input, context);
    if (!refused(decided)) return decided;
    return refuse(decided.code, decided.about, changed(context.state.newest(0, 1, false).cards[0], { notes: 'nearly' }));
  });

export const accessMutations: Mutations = {
  'authentication.missing-key-is-401': admits((key, received) =>
    key === '' && received.target.startsWith('/api/Company') ? MAIN : undefined,
  ),
  'authentication.key-is-in-header': request((received) => {
    const inQuery = new URLSearchParams(received.target.split('?')[1]).get('x-api-key');
    return inQuery === null ? received : withKey(received, inQuery);
  }),
  'authentication.wrong-key-is-401': [
    admits((key, received) =>
      key !== '' && key !== DELETED && /Adjustment|Void|Company|Webhook|Email/.test(received.target) ? MAIN : undefined,
    ),
    admits((key) => KNOWN.find((known) => key.startsWith(known))),
    admits((key) => (key === '' ? undefined : KNOWN.find((known) => known.startsWith(key)))),
    admits((key) =>
      KNOWN.find((known) => known.length === key.length && [...known].filter((letter, at) => letter !== key[at]).length === 1),
    ),
  ],
  'authentication.deleted-key-is-401': admits((key, { method, target }) =>
    key === DELETED && (method === 'DELETE' || /Adjustment|Webhook/.test(target)) ? MAIN : undefined,
  ),
  'authentication.basic-plan-refused': admits((key, { target }) =>
    key === BASIC && !target.startsWith('/api/GiftCard/') ? MAIN : undefined,
  ),
  'authentication.paid-plans-admitted': request((received) =>
    keyOf(received) === OTHER && isApi(received) ? withKey(received, BASIC) : received,
  ),
  'authentication.key-acts-on-its-own-account': request((received) =>
    keyOf(received) === OTHER && isApi(received) ? withKey(received, MAIN) : received,
  ),
  'authentication.foreign-record-is-404': acrossAccounts('all', 'card', 'cardByCode'),
  'authentication.lists-own-records-only': [
    leaks('list'),
    leaks('includeAll'),
    leaks('since'),
    leaks('email'),
    leaks('source'),
    leaks('webhooks'),
  ],
  'http.paths-under-api': request((received) => ({
    ...received,
    target: received.target.replace(/^\/(?!api\/|__mock)/, '/api/'),
  })),
  'http.paths-carry-no-version': request((received) => ({ ...received, target: received.target.replace('/api/v1/', '/api/') })),
  'errors.rejection-is-400-plain-text': [
    answer((given) => (given.status === 400 ? { ...given, headers: { 'content-type': 'application/json' } } : given)),
    asJson((text) => /voucher|sent as a gift/i.test(text)),
    asJson((text) => text.includes('unique ID')),
  ],
  'errors.refusal-changes-nothing': [
    leaves('adjustment.unique-id-used', (value, view) =>
      changed(view.card(view.adjustmentByUniqueId(value)?.cardId ?? ''), { notes: 'again' }),
    ),
    leaves('gift-card.code-taken', (code, view) => changed(view.cardByCode(code), { customField1: 'taken' })),
  ],
  'errors.malformed-input-is-no-server-fault': answer((given) =>
    given.status === 400 && String(given.body).includes('JSON') ? BROKEN : given,
  ),
  'limits.rate-admits': () => ({ options: { rateLimit: 199 } }),
  'limits.rate-refuses-excess': () => ({ options: { rateLimit: 201 } }),
  'limits.rate-covers-every-endpoint': answer((given, { request: { method } }) =>
    given.status === 429 && method === 'DELETE' ? { ...given, status: 404 } : given,
  ),
  'limits.rate-recovers': () => {
    let isLimited = false;
    return answer((given, { request: received }) => {
      isLimited ||= given.status === 429;
      return isLimited && isApi(received) ? { ...given, status: 429 } : given;
    })();
  },
  'robustness.create-gift-card': nearly('createGiftCard'),
  'robustness.get-by-code': breaks('getGiftCardByCode', ({ code }) => String(code).length > 1_000),
  'robustness.get-by-id': decodes('getGiftCardById'),
  'robustness.get-by-email': breaks('getGiftCardsByEmail', ({ emailAddress }) => new RegExp(String(emailAddress)).test('\n')),
  'robustness.get-by-source': decodes('getGiftCardByAccountPlatformIdAndSourceId'),
  'robustness.list': breaks('listGiftCards', ({ pageNumber }) => Number(pageNumber) > 2 ** 31),
  'robustness.void-by-code': decodes('voidGiftCardByCode'),
  'robustness.void-by-id': nearly('voidGiftCardById'),
  'robustness.history-by-code': breaks('listAdjustmentsByGiftCardCode', ({ code }) => JSON.parse(`"${code}"`) === null),
  'robustness.history-by-id': decodes('listAdjustmentsByGiftCardId'),
  'robustness.adjust-by-code': nearly('addAdjustmentByGiftCardCode'),
  'robustness.adjust-by-id': breaks(byId, ({ notes }) => String(notes).includes('\ufeff')),
  'robustness.automation-event': breaks('createAutomationTriggerEvent', ({ properties }) => {
    return Object.values(properties ?? {}).some((value) => encodeURIComponent(String(value)) === '%');
  }),
  'robustness.company-profile': answer((given, { request: received }) =>
    received.target.startsWith('/api/Company/Profile') && String(received.headers.accept).includes('q=2') ? BROKEN : given,
  ),
  'robustness.webhook-list': answer((given, { request: { target } }) =>
    target.startsWith('/api/Webhook/List') && /%(?![0-9a-f]{2})/i.test(target) ? BROKEN : given,
  ),
  'robustness.webhook-create': breaks('createWebhook', ({ description }) => String(description).length > 1_000),
  'robustness.webhook-delete': decodes('deleteWebhook'),
};
