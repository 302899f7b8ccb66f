import type { operations } from './generated/types.ts';

type Operations = operations;
type PathOf<T> = T extends { parameters: { path: infer Path } } ? Path : Record<never, never>;
type QueryOf<T> = T extends { parameters: { query?: infer Query } } ? NonNullable<Query> : Record<never, never>;
type BodyOf<T> = T extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : T extends { requestBody?: { content: infer Content } }
    ? Content[keyof Content] | undefined
    : undefined;
type ContentOf<T> = T extends { content: infer Content } ? Content[keyof Content] : undefined;
type Success<T> = T extends { responses: infer Answers } ? ContentOf<Answers[keyof Answers & (200 | 201 | 204)]> : never;

/** What an operation is handed: checked against the door's document, so that its types hold. */
export interface Input<Id extends keyof Operations> {
  readonly path: PathOf<Operations[Id]>;
  readonly query: QueryOf<Operations[Id]>;
  readonly body: BodyOf<Operations[Id]>;
}

/** What may be left out may be undefined as well, since JSON does not write it. */
type Loosely<T> = T extends readonly (infer Item)[]
  ? readonly Loosely<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Loosely<T[K]> | (Record<never, never> extends Pick<T, K> ? undefined : never) }
    : T;

/** What it answers with: the value of its JSON, or its text; nothing for an empty answer. */
export type Reply<Id extends keyof Operations> = Loosely<Success<Operations[Id]>>;
