import { didYouMean } from '../../openapi/input/closest.ts';
import type { Slices } from '../account/clock.ts';
import type { Sandbox } from '../account/sandbox.ts';
import type { Channel } from '../account/settings.ts';
import type { AutomationRecord, CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';
import type { operations } from './generated/types.ts';
import type { ControlInput, ControlResponse } from './operation-types.ts';

/** The control API refuses a request. Nothing was changed. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}

export type ControlledAccount = ReturnType<typeof findAccount>;

/** The parts of a handler's input. A handler gets the account, card, channel and automation that its path names. */
export interface InSandbox {
  readonly sandbox: Sandbox;
}

export interface InAccount {
  readonly account: ControlledAccount;
}

export interface OfCard extends InAccount {
  readonly card: CardRecord;
}

export interface OfChannel extends InAccount {
  readonly channel: Channel;
}

export interface OfAutomation extends InAccount {
  readonly automation: AutomationRecord;
}

type Resources = OfCard & OfChannel & OfAutomation;

type Found<Id extends keyof operations> = Pick<Resources, keyof Resources & keyof ControlInput<Id>['path']>;

/** A function for every operation of the document. If the function throws ControlError, nothing was changed. Work in slices locks the account. */
export type Handlers = {
  readonly [Id in keyof operations]: (
    input: ControlInput<Id> & Found<Id> & InSandbox,
  ) => ControlResponse<Id> | Promise<ControlResponse<Id>> | Slices<ControlResponse<Id>>;
};

interface ParsedRequest {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Returns the input of a handler. When the handler reads a property such as `card`, the property finds the resource that the path names. */
export function inputOf(sandbox: Sandbox, request: ParsedRequest): ParsedRequest & Resources & InSandbox {
  const { path } = request;
  return {
    ...request,
    sandbox,
    get account() {
      return findAccount(sandbox, String(path.account));
    },
    get card() {
      return controlledCard(this.account, String(path.card));
    },
    get channel() {
      return channelOf(this.account, String(path.channel));
    },
    get automation() {
      return automationOf(this.account, String(path.automation));
    },
  };
}

export function findAccount({ accounts }: Sandbox, id: string) {
  const account = accounts.get(id);
  if (account) return account;
  const ids = [...accounts.keys()];
  const first = ids.slice(0, 10).join(', ');
  throw new ControlError(404, `There is no account ${id}.${didYouMean(id, ids)} The first accounts are ${first}.`);
}

/** Finds a card by ID or exact code. Finds deleted cards, too. */
export function controlledCard({ id, state }: { readonly id: string; readonly state: View }, card: string): CardRecord {
  const found = state.card(card) ?? state.cardByCode(card);
  if (found) return found;
  throw new ControlError(404, `The account ${id} has no gift card with the id or code ${card}.`);
}

export function channelOf({ id, settings: { channels } }: ControlledAccount, channel: string): Channel {
  const ids = channels.map((each) => each.id);
  return channels.find((each) => each.id === channel) ?? missing(`The account ${id} has no channel ${channel}.`, ids);
}

/** Finds an automation by ID or exact name. */
export function automationOf({ id, state }: ControlledAccount, automation: string): AutomationRecord {
  const all = [...state.automations()];
  const found = all.find((each) => each.id === automation || each.name === automation);
  const names = all.map(({ name }) => name);
  return found ?? missing(`The account ${id} has no automation with the id or name ${automation}.`, names);
}

/** Throws ControlError. The message lists the names that exist. */
export function missing(sentence: string, existing: readonly string[]): never {
  throw new ControlError(404, `${sentence} The account has ${existing.join(', ') || 'none'}.`);
}
