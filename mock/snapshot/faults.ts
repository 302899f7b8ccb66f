import type { FaultsState } from '../faults/faults.ts';
import { operations } from '../operations/operations.ts';
import { nameIn, type Shape, tuple, whole } from './shape.ts';

export const chance: Shape<readonly number[]> = (value) => tuple(whole, whole, whole, whole)(value);
export const operation = nameIn(operations);

/** Not checked until the schema is generated from the types. */
export const faults: Shape<FaultsState> = (value) => value as FaultsState;
