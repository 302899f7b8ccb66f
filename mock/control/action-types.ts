import type { Account } from '../account/account.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Channel } from '../account/settings.ts';
import type { AutomationRecord, CardRecord } from '../state/records.ts';
import type { operations } from './generated/types.ts';
import type { Input, Reply } from './operation-types.ts';

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
