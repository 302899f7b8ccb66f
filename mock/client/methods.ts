import { operationTable } from '../control/generated/operations.ts';
import type { operations } from '../control/generated/types.ts';
import type { Input, Reply } from '../control/operation-types.ts';
import type { Call } from './call.ts';

type Table = typeof operationTable;
type Id = keyof Table & keyof operations;
type PathNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name extends 'account'
    ? PathNames<Rest>
    : [Name, ...PathNames<Rest>]
  : [];
type PathValues<Names, Values> = Names extends [infer Name extends keyof Values, ...infer Rest]
  ? [Values[Name], ...PathValues<Rest, Values>]
  : [];
type LastValue<I extends Id> = Table[I]['last'] extends 'body'
  ? undefined extends Input<I>['body']
    ? [body?: Input<I>['body']]
    : [body: Input<I>['body']]
  : Table[I]['last'] extends 'query'
    ? [query?: Partial<Input<I>['query']>]
    : [];
/** The arguments of a method: the path's values except the account, then the body or the query. */
type Arguments<I extends Id> = [...PathValues<PathNames<Table[I]['path']>, Input<I>['path']>, ...LastValue<I>];

/** The methods of a group. An operation with `x-client: dashboard.addCard` is the method addCard of the group dashboard. */
export type ControlMethods<Group extends string> = {
  readonly [I in Id as Table[I]['client'] extends `${Group}.${infer Method}` ? Method : never]: (
    ...values: Arguments<I>
  ) => Promise<Reply<I>>;
};

/** Actions of the dashboard and of orders, which have no endpoint in the service's API. To name a card, pass its ID or its code. */
export type Dashboard = ControlMethods<'dashboard'>;
/** The account's sales channels, and the cards in each channel. */
export type Channels = ControlMethods<'channels'>;
/** Faults of requests and deliveries. Each fault has a verdict on the reaction of the client or receiver. */
export type Faults = ControlMethods<'faults'>;
/** Requests, due events and control actions of an account, each with its effects. Also advice on client mistakes. Keys and secrets are masked. */
export type Journal = ControlMethods<'journal'>;
/** The account's options for the open clauses, and its overrides of names on the wire. */
export type Behaviors = ControlMethods<'behaviors'>;

/** Makes the methods of a group from the control API's document: `x-client: dashboard.addCard` makes `account.dashboard.addCard(…)`. */
export function controlMethods<Group extends string>(call: Call, account: string, group: Group): ControlMethods<Group> {
  const methods = Object.entries(operationTable).flatMap(([id, { path, last, client }]) => {
    const [first, method] = client.split('.');
    if (first !== group || method === undefined) return [];
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).filter((name) => name !== 'account');
    const send = async (...values: unknown[]) => {
      const inPath = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      const rest = last === '' ? {} : { [last]: values[names.length] };
      return call(id as Id, { path: { account, ...inPath }, ...rest } as object);
    };
    return [[method, send]];
  });
  return Object.fromEntries(methods) as ControlMethods<Group>;
}
