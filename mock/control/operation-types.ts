import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Channel } from '../account/settings.ts';
import type { AutomationRecord, CardRecord } from '../state/records.ts';
import type { operations } from './generated/types.ts';

type PathOf<T> = T extends { parameters: { path: infer Path } } ? Path : Record<never, never>;
type QueryOf<T> = T extends { parameters: { query?: infer Query } } ? NonNullable<Query> : Record<never, never>;
type BodyOf<T> = T extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : T extends { requestBody?: { content: infer Content } }
    ? Content[keyof Content] | undefined
    : undefined;
type ContentOf<T> = T extends { content: infer Content } ? Content[keyof Content] : undefined;
type Success<T> = T extends { responses: infer Answers } ? ContentOf<Answers[keyof Answers & (200 | 201 | 204)]> : never;

/** The path, query and body of a request, checked against the control API's document. */
export interface Input<Id extends keyof operations> {
  readonly path: PathOf<operations[Id]>;
  readonly query: QueryOf<operations[Id]>;
  readonly body: BodyOf<operations[Id]>;
}

/** An optional property may also be undefined, which JSON leaves out. */
type Loosely<T> = T extends readonly (infer Item)[]
  ? readonly Loosely<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Loosely<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
    : T;

/** The value of the answer's JSON, or its text; undefined for an empty answer. */
export type Reply<Id extends keyof operations> = Loosely<Success<operations[Id]>>;

/** What a path can name. */
export interface Resources {
  readonly account: Account;
  readonly card: CardRecord;
  readonly channel: Channel;
  readonly automation: AutomationRecord;
}

/** The input of an action. Resources are looked up when they are read, and refused with 404 if they do not exist. */
export type ActionInput<Id extends keyof operations> = Input<Id> &
  Pick<Resources, keyof Resources & keyof Input<Id>['path']> & { readonly sandbox: Sandbox };

/** One operation. It throws ControlError for what it refuses, before anything has changed. */
type Action<Id extends keyof operations> = (input: ActionInput<Id>) => Reply<Id> | Promise<Reply<Id>>;

/** An action for every operation of the document. */
export type Actions = { readonly [Id in keyof operations]: Action<Id> };
