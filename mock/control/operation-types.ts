import type { operations } from './generated/types.ts';

type PathOf<T> = T extends { parameters: { path: infer Path } } ? Path : Record<never, never>;
type QueryOf<T> = T extends { parameters: { query?: infer Query } } ? NonNullable<Query> : Record<never, never>;
type BodyOf<T> = T extends { requestBody: { content: infer Content } }
  ? Content[keyof Content]
  : T extends { requestBody?: { content: infer Content } }
    ? Content[keyof Content] | undefined
    : undefined;
type ContentOf<T> = T extends { content: infer Content } ? Content[keyof Content] : undefined;
type Success<T> = T extends { responses: infer Responses } ? ContentOf<Responses[keyof Responses & (200 | 201 | 204)]> : never;

export interface ControlInput<Id extends keyof operations> {
  readonly path: PathOf<operations[Id]>;
  readonly query: QueryOf<operations[Id]>;
  readonly body: BodyOf<operations[Id]>;
}

/** The part of an input that a handler needs. */
export type PathValues<Id extends keyof operations> = Pick<ControlInput<Id>, 'path'>;
export type Query<Id extends keyof operations> = Partial<Pick<ControlInput<Id>, 'query'>>;
export type Body<Id extends keyof operations> = Pick<ControlInput<Id>, 'body'>;

/** The parsed JSON of a response, or its text. Undefined for an empty response. */
export type ControlResponse<Id extends keyof operations> = Success<operations[Id]>;
