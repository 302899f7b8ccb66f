import type { Reader } from '../../openapi/effective/reader.ts';
import type { OperationId, Validate } from '../../openapi/generated/validators.js';
import { operations } from '../core/operations.ts';
import { shapeBy } from './form/shapes.ts';
import { jsonOf, type Seen } from './seen.ts';

/** An exchange of an operation, under the contract's own names where a facts file says how the deployment calls them. */
export interface Read {
  readonly seen: Seen;
  readonly operation: OperationId;
  /** By the contract's names; those of a request that can be read in several ways are left out. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The body of the request, where it is an object. */
  readonly asked: Fields | undefined;
  /** The body of the answer as JSON. */
  readonly told: unknown;
  readonly status: number;
  /** What the document and the facts say that the answer is like; none where a facts file has another form in the place of the whole. */
  readonly shape: Validate | undefined;
  /** The service says that it did what was asked. */
  readonly accepted: boolean;
  /** It says that it did not. */
  readonly refused: boolean;
  /** It may have, and nobody says so. */
  readonly inDoubt: boolean;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined for what is no request of an operation. */
export function readOf(seen: Seen, reader: Reader): Read | undefined {
  const { operation, status = 0, lost } = seen;
  if (operation === undefined) return undefined;
  // What stands in the path has no name there, so that nothing else is called by its name.
  const inPath = operations.find(({ id }) => id === operation)?.parameter;
  const named = Object.entries(seen.parameters).flatMap(([name, value]): [string, string][] => {
    const own = reader.parameter(operation, name);
    if (name === inPath) return [[name, value]];
    return own === inPath ? [] : [[own, value]];
  });
  const asked = reader.request(operation, jsonOf(seen.body));
  const accepted = status >= 200 && status < 300;
  const answer = jsonOf(seen.answer);
  return {
    seen,
    operation,
    parameters: Object.fromEntries(named),
    asked: fieldsOf(asked),
    told: accepted ? reader.answer(operation, answer) : answer,
    status,
    shape: reader.plan.answers.get(operation)?.body === undefined ? shapeBy(reader, operation) : undefined,
    accepted,
    refused: status >= 400 && status < 500,
    inDoubt: (lost !== undefined && !lost.unsent) || (status !== 0 && !accepted && !(status >= 400 && status < 500)),
  };
}

export const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** A text that says something; whether a blank one is one is open. */
export const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** An amount that nobody reads in another way, with no more decimals than the currency has: what comes of more of them is open. */
export function amountIn(value: unknown, decimals: number): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Math.abs(value - Number(value.toFixed(decimals))) < 1e-9 ? value : undefined;
}

/** The code and the id that an object gives as a card's. */
export function cardIn(value: unknown): { readonly code: string; readonly id: string } | undefined {
  const { code, id } = fieldsOf(value) ?? {};
  const isId = (typeof id === 'string' && id !== '') || typeof id === 'number';
  return typeof code === 'string' && code !== '' && isId ? { code, id: String(id) } : undefined;
}

/** Whether a create asks for something that comes later by itself: an expiry, or a gift. */
export const hasPlans = ({ expiresAtUtc, giftScheduledForUtc }: Fields): boolean =>
  (expiresAtUtc ?? undefined) !== undefined || (giftScheduledForUtc ?? undefined) !== undefined;
