import type { Input } from '../../mock/contract/contract.ts';
import type { Context, Effect, Outcome } from '../../mock/domain/outcome.ts';
import type { Answer, ServiceRequest } from '../../mock/pipeline/exchange.ts';
import type { RefusalCode } from '../../mock/pipeline/problems.ts';
import { type Refusal, refuse, refused } from '../../mock/pipeline/refusal.ts';
import type { Seams } from '../../mock/pipeline/seams.ts';
import type { MockOptions } from '../../mock/server/options.ts';
import type { Change } from '../../mock/state/change.ts';
import type { CardRecord, Tables, WebhookRecord } from '../../mock/state/records.ts';
import type { View } from '../../mock/state/view.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { components, operations } from '../../openapi/generated/types.ts';
import type { OperationId } from '../../openapi/generated/validators.js';

/** Makes a mock violate a clause. A mutation uses the mock's seams and start options. It may keep state, so each mock gets a new mutation. */
export interface Mutation extends Seams {
  readonly options?: Pick<MockOptions, 'rateLimit'>;
}

type Maker = () => Mutation;
/** The mutations that violate each clause. The test of the clause must report each mutation. */
export type Mutations = { readonly [clause in ClauseName]?: Maker | readonly Maker[] };

type Ids<Id extends OperationId = OperationId> = Id | readonly Id[] | 'all';
type Body<Id extends OperationId> = operations[Id] extends { requestBody: { content: { 'application/json': infer Json } } }
  ? Json
  : never;
type Reply<Id extends OperationId> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': infer Json } } };
}
  ? Json
  : never;
type Card = components['schemas']['GiftCard'];
export type Decide = Parameters<NonNullable<Seams['decide']>>[3];
export type Decision = ReturnType<Decide>;

export const byCode = 'addAdjustmentByGiftCardCode';
export const byId = 'addAdjustmentByGiftCardId';
export const adding = [byCode, byId] as const;
export const historyByCode = 'listAdjustmentsByGiftCardCode';
export const historyById = 'listAdjustmentsByGiftCardId';
export const histories = [historyByCode, historyById] as const;
export const voiding = ['voidGiftCardByCode', 'voidGiftCardById'] as const;

const isAmong = (id: OperationId | undefined, ids: Ids): boolean =>
  ids === 'all' || ids === id || (typeof ids === 'object' && id !== undefined && ids.includes(id));

/** Changes requests before the mock handles them. */
export const request = (change: (request: ServiceRequest) => ServiceRequest) => (): Mutation => ({
  exchange: (received, next) => next(change(received)),
});

/** Changes answers, including rejections. */
export const answer =
  (change: (answer: Answer, about: { request: ServiceRequest; operation: OperationId | undefined }) => Answer) =>
  (): Mutation => ({
    exchange: (received, next) => {
      const handled = next(received);
      const { bytes: _, ...text } = handled.answer;
      return { ...handled, answer: change(text, { request: received, operation: handled.operation?.id }) };
    },
  });

/** Replaces the status of successful answers to these operations. */
export const status = (ids: Ids, instead: number) =>
  answer((given, { operation }) => (given.status === 200 && isAmong(operation, ids) ? { ...given, status: instead } : given));

/** Changes the text of successful answers to these operations. */
export const text = (ids: Ids, change: (text: string) => string) =>
  answer((given, { operation }) =>
    given.status === 200 && isAmong(operation, ids) ? { ...given, body: change(String(given.body)) } : given,
  );

/** Changes the JSON of successful answers to these operations. */
export const reply = <Id extends OperationId>(ids: Id | readonly Id[], change: (reply: Reply<Id>) => unknown) =>
  text(ids, (body) => JSON.stringify(change(JSON.parse(body) as Reply<Id>)));

/** Changes each card in the JSON of successful answers to these operations. */
export const shownCard = (ids: Ids, change: (card: Card) => object) =>
  text(ids, (body) => (body.includes('"viewBalanceUrl"') ? JSON.stringify(withCards(JSON.parse(body), change)) : body));

function withCards(json: unknown, change: (card: Card) => object): unknown {
  if (Array.isArray(json)) return json.map((each) => withCards(each, change));
  if (typeof json !== 'object' || json === null) return json;
  if ('viewBalanceUrl' in json) return change(json as Card);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, withCards(value, change)]));
}

/** Replaces the decision of these operations. */
export const decide =
  <Id extends OperationId>(
    ids: Ids<Id>,
    decision: (next: Decide, input: Omit<Input, 'body'> & { readonly body: Body<Id> }, context: Context) => Decision,
  ) =>
  (): Mutation => ({
    decide: (id, input, context, next) =>
      isAmong(id, ids) ? decision(next, input as Parameters<typeof decision>[1], context) : next(input, context),
  });

/** Changes the bodies of these operations after the contract has checked them. */
export const body = <Id extends OperationId>(
  ids: Id | readonly Id[],
  change: (body: Body<Id>, context: Context) => Partial<Body<Id>>,
) =>
  decide(ids, (next, input, context) =>
    next({ ...input, body: { ...(input.body as object), ...change(input.body, context) } }, context),
  );

/** Changes the path and query values of these operations. */
export const parameters = (ids: Ids, change: (given: Readonly<Record<string, unknown>>, context: Context) => object) =>
  decide(ids, (next, input, context) =>
    next({ ...input, parameters: { ...input.parameters, ...change(input.parameters, context) } }, context),
  );

/** Rejects the input that `when` selects. */
export const rejects = <Id extends OperationId>(ids: Ids<Id>, when: (body: Body<Id>, context: Context) => boolean) =>
  decide(ids, (next, input, context) =>
    when(input.body, context) ? refuse('request.invalid', 'rejected by a mutant') : next(input, context),
  );

/** Answers 400 instead of 404 if the operation does not find the card. */
export const notFound = (id: OperationId) => refusal(id, 'gift-card.not-found', ({ about }) => refuse('request.invalid', about));

/** The card that a decision stores, if there is one. */
export const storedCard = ({ changes }: Pick<Outcome<unknown>, 'changes'>): CardRecord | undefined =>
  changes.flatMap((each) => (each.table === 'cards' && 'put' in each ? [each.put] : []))[0];

/** Replaces the refusals of these operations that have this code. */
export const refusal = (ids: Ids, code: RefusalCode, instead: (refusal: Refusal, context: Context) => Decision) =>
  decide(ids, (next, input, context) => {
    const decided = next(input, context);
    return refused(decided) && decided.code === code ? instead(decided, context) : decided;
  });

/** Makes each refusal with this code change the state. */
export const leaves = (code: RefusalCode, change: (about: string, view: View) => readonly Change[]) =>
  refusal('all', code, ({ about }, { state: view }) => refuse(code, about, change(about, view)));
export const changed = (found: CardRecord | undefined, change: Partial<CardRecord>): readonly Change[] =>
  found ? [{ table: 'cards', put: { ...found, ...change } }] : [];

/** Changes the outcome of these operations, unless they are refused. */
export const outcome = <Id extends OperationId>(
  ids: Ids<Id>,
  change: (outcome: Outcome<unknown>, body: Body<Id>, context: Context) => Decision,
) =>
  decide(ids, (next, input, context) => {
    const decided = next(input, context);
    return refused(decided) ? decided : change(decided, input.body, context);
  });

/** Changes the state that these operations read. */
export const state = <Id extends OperationId>(
  ids: Ids<Id>,
  change: (state: View, body: Body<Id>, context: Context) => Partial<View>,
) =>
  decide(ids, (next, input, context) =>
    next(input, { ...context, state: replaced(context.state, change(context.state, input.body, context)) }),
  );

/** Returns a view in which some look-ups are replaced. */
export function replaced(view: View, instead: Partial<View>): View {
  const known: Record<string | symbol, unknown> = { ...instead };
  return new Proxy(view, {
    get: (target, name) => {
      if (name in known) return known[name];
      const own: unknown = Reflect.get(target, name);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

/** Changes the records that requests, the clock or the control API store in one table. If `change` returns undefined, the record is not stored. */
export const puts =
  <Table extends keyof Tables>(
    table: Table,
    change: (record: Tables[Table], about: { what: string; state: View }) => Tables[Table] | undefined,
  ) =>
  (): Mutation => ({
    commit: (decided, { what }, view) => ({
      ...decided,
      changes: decided.changes.flatMap((each) => {
        if (each.table !== table || !('put' in each)) return [each];
        const put = change(each.put as Tables[Table], { what, state: view });
        return put === undefined ? [] : [{ ...each, put } as typeof each];
      }),
    }),
  });

/** Changes the card that these operations store, return and deliver. `before` is the card before the operation. */
export const card = <Id extends OperationId>(
  ids: Id | readonly Id[],
  change: (card: CardRecord, about: { body: Body<Id>; before: CardRecord | undefined; context: Context }) => CardRecord,
) =>
  outcome(ids, (decided, given, context) => {
    const made = new Map<string, CardRecord>();
    const changes = decided.changes.map((each) => {
      if (each.table !== 'cards' || !('put' in each)) return each;
      const put = change(each.put, { body: given, before: context.state.card(each.put.id), context });
      made.set(put.id, put);
      return { ...each, put };
    });
    const effects = decided.effects.map((effect) =>
      'card' in effect ? { ...effect, card: made.get(effect.card.id) ?? effect.card } : effect,
    );
    const [only] = made.values();
    const isCard = typeof decided.reply === 'object' && decided.reply !== null && 'card' in decided.reply;
    return { reply: only && isCard ? context.render(only) : decided.reply, changes, effects };
  });

/** Replaces each effect with a list of effects. */
export const effects =
  (change: (effect: Effect, about: { kind: string; what: string; state: View }) => readonly Effect[]) => (): Mutation => ({
    commit: (decided, { kind, what }, view) => ({
      ...decided,
      effects: decided.effects.flatMap((effect) => change(effect, { kind, what, state: view })),
    }),
  });

/** Changes stored webhooks, including their failure counts. */
export const webhook =
  (change: (webhook: WebhookRecord, about: { before: WebhookRecord | undefined; state: View }) => WebhookRecord) =>
  (): Mutation => ({
    apply: (changes, _, view) =>
      changes.map((each) =>
        each.table === 'webhooks' && 'put' in each
          ? { ...each, put: change(each.put, { before: view.webhook(each.put.id), state: view }) }
          : each,
      ),
  });
