import type { Sandbox } from '../account/sandbox.ts';
import type { operations } from './generated/types.ts';
import type { Input, Reply } from './handed.ts';

/** One operation of the door. It throws ControlError for what it refuses, before anything has changed. */
export type Action<Id extends keyof operations> = (sandbox: Sandbox, input: Input<Id>) => Reply<Id> | Promise<Reply<Id>>;

/** An action for every operation of the document; one that is missing does not compile. */
export type Actions = { readonly [Id in keyof operations]: Action<Id> };
