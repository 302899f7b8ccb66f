import type { components, operations } from '../../openapi/generated/types.ts';
import type { CardExcerpt } from '../contract/render/card.ts';
import type { RenderedCard } from '../contract/render/print.ts';

type Known<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type PathOf<T> = T extends { parameters: { path?: infer Path } } ? Known<Path> : unknown;
type QueryOf<T> = T extends { parameters: { query?: infer Query } } ? Known<Query> : unknown;
type BodyOf<T> = T extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
type ResponseOf<T> = T extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : undefined;

/** The input of an operation, with the types of the contract. `parameters` has path and query values. */
export interface OperationInput<Id extends keyof operations> {
  readonly parameters: Readonly<PathOf<operations[Id]> & QueryOf<operations[Id]>>;
  readonly body: BodyOf<operations[Id]>;
}

/** The response of an operation: the contract's response, with rendered cards or excerpts of cards. */
export type OperationResponse<Id extends keyof operations> = Rendered<ResponseOf<operations[Id]>>;

type Rendered<T> = [T] extends [components['schemas']['GiftCard']]
  ? RenderedCard | CardExcerpt
  : T extends readonly (infer Item)[]
    ? readonly Rendered<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Rendered<T[Name]> }
      : T;
