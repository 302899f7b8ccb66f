import type { StatedRule } from '../../../../openapi/generated/rules.ts';
import type { ReferenceOptions } from '../options.ts';
import type { ServerCard } from '../records.ts';
import { notFound, ServerRefusal } from '../wire.ts';
import type { Hooks, RawRequest, ServerAccount, ServerCall } from './hooks.ts';

/** A fault is a function that returns new hooks for each server, because a fault may keep state. Some faults also need other options. */
type Maker = () => Hooks;
type Options = Partial<ReferenceOptions>;

/** Faults by name, under the rule that the suite must report. A name completes the sentence "The server …". */
export type FaultTable = { readonly [rule in StatedRule]?: Readonly<Record<string, Maker | readonly [Maker, Options]>> };

export interface Fault {
  readonly rule: StatedRule;
  readonly make: Maker;
  readonly options: Options;
}

const voids = ['DELETE GiftCard/VoidByCode', 'DELETE GiftCard/VoidById'];
const histories = ['ByGiftCardCode', 'ByGiftCardId'].map((by) => `GET GiftCardAdjustment/ListAdjustments${by}`);
const adjusts = ['ByGiftCardCode', 'ByGiftCardId'].map((by) => `POST GiftCardAdjustment/AddAdjustment${by}`);

/** The operations of the service, and groups of them. */
export const api = {
  create: 'POST GiftCard/Create',
  getByCode: 'GET GiftCard/GetByCode',
  getById: 'GET GiftCard/GetById',
  getByEmail: 'GET GiftCard/GetByEmail',
  getBySource: 'GET GiftCard/GetByAccountPlatformIdAndSourceId',
  list: 'GET GiftCard/List',
  voids,
  voidByCode: voids[0] as string,
  voidById: voids[1] as string,
  histories,
  historyByCode: histories[0] as string,
  historyById: histories[1] as string,
  adjusts,
  adjustByCode: adjusts[0] as string,
  adjustById: adjusts[1] as string,
  event: 'POST AutomationTriggerEvents/',
  profile: 'GET Company/Profile',
  createWebhook: 'POST Webhook/Create',
  listWebhooks: 'GET Webhook/List',
  deleteWebhook: 'DELETE Webhook/Delete',
} as const;

type Operations = string | readonly string[];
type Next = (call: ServerCall) => unknown;

const isAmong = (operation: string, operations: Operations) => [operations].flat().includes(operation);

/** Replaces operations. */
export const on = (operations: Operations, instead: (call: ServerCall, next: Next) => unknown) => (): Hooks => ({
  operation: (call, next) => (isAmong(call.operation, operations) ? instead(call, next) : next(call)),
});

/** Changes the JSON of successes. */
export const changesResponse = (operations: Operations, change: (json: unknown, call: ServerCall) => unknown) =>
  on(operations, (call, next) => change(next(call), call));

/** Changes each card that creates and lookups return. */
export const shown = (operations: Operations, change: (view: ShownFields, card: ServerCard, call: ServerCall) => object) =>
  changesResponse(operations, (json, call) => {
    const view = json as ShownFields;
    const card = call.account.cards.find(({ id }) => id === view.id);
    return card ? change(view, card, call) : json;
  });

export type ShownFields = Record<string, unknown>;

/** Changes the body of requests. */
export const body = (operations: Operations, change: (given: ServerCall['body'], call: ServerCall) => ServerCall['body']) =>
  on(operations, (call, next) => next({ ...call, body: change(call.body, call) }));

/** Changes values of the card that a request names, after a success. `before` is the card before the request. */
export const changes = (operations: Operations, change: (card: ServerCard, call: ServerCall, before: ServerCard) => unknown) =>
  on(operations, (call, next) => {
    const card = namedCard(call);
    const before = { ...card };
    const json = next(call);
    Object.assign(card, change(card, call, before) as Partial<ServerCard> | undefined);
    return json;
  });

/** Refuses more requests. */
export const refusesIf = (operations: Operations, when: (call: ServerCall) => boolean, code = 400) =>
  on(operations, (call, next) => {
    if (when(call)) throw new ServerRefusal(code, 'not this one');
    return next(call);
  });

/** Returns 500 to more requests. */
export const breaksIf = (operations: Operations, when: (call: ServerCall) => boolean) => refusesIf(operations, when, 500);

/** Reports whether the function throws. */
export function throws(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

/** Responds to refusals with JSON and 200. Undefined and false keep the refusal. The function may throw another refusal. */
export const refused = (operations: Operations, instead: (refusal: ServerRefusal, call: ServerCall) => unknown) =>
  on(operations, (call, next) => {
    try {
      return next(call);
    } catch (thrown) {
      const json = thrown instanceof ServerRefusal ? instead(thrown, call) : undefined;
      if (json === undefined || json === false) throw thrown;
      return json;
    }
  });

/** Changes requests before authentication. */
export const received = (change: (request: RawRequest) => RawRequest) => (): Hooks => ({
  request: (request, next) => next(change(request)),
});

export const isOf = ({ method, url }: RawRequest, operations: Operations): boolean => {
  const [, , group, action = ''] = url.pathname.split('/');
  return isAmong(`${method} ${group}/${action}`, operations);
};

/** Changes responses of one status to some operations. */
const responses =
  (operations: Operations | undefined, wanted: number, change: (response: Response) => Response | Promise<Response>) =>
  (): Hooks => ({
    async request(request, next) {
      const response = await next(request);
      const isWanted = response.status === wanted && (operations === undefined || isOf(request, operations));
      return isWanted ? change(response) : response;
    },
  });

/** Returns another status instead of a status. */
export const statusAs = (from: number, to: number, operations?: Operations) =>
  responses(operations, from, ({ body: stream, headers }) => new Response(stream, { status: to, headers }));

/** Changes the text of responses with one status. */
export const textAs = (status: number, change: (text: string) => string, operations?: Operations, type = 'application/json') =>
  responses(
    operations,
    status,
    async (response) => new Response(change(await response.text()), { status, headers: { 'content-type': type } }),
  );

/** Carries out a request while a list lacks some items. Then puts the items back, before the others. */
export function without<T>(items: T[], isHidden: (item: T) => boolean, next: Next, call: ServerCall): unknown {
  const hidden = items.filter(isHidden);
  items.splice(0, items.length, ...items.filter((item) => !isHidden(item)));
  try {
    return next(call);
  } finally {
    items.unshift(...hidden);
  }
}

/** Returns the card that a request names by code or ID, in the path or the body. */
export function namedCard({ account, name, body: given }: Pick<ServerCall, 'account' | 'name' | 'body'>): ServerCard {
  const { adjustedIdField } = account.service.options;
  const wanted = [name, given.giftCardCode, given[adjustedIdField]].flatMap((each) => (each === undefined ? [] : [String(each)]));
  const card = account.cards.find(({ code, id }) => wanted.includes(code) || wanted.includes(String(id)));
  if (!card) throw notFound();
  return card;
}

export const otherAccount = (account: ServerAccount): ServerAccount =>
  account.service.accounts[account.service.accounts[0] === account ? 1 : 0];

/** The end of a turn of the event loop. Parallel requests are then between their first and their last step. */
export const turn = () => new Promise((done) => setImmediate(done));
