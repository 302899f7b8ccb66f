import type { Behaviors, RuleName } from '../../openapi/generated/clauses.ts';
import type { components } from '../../openapi/generated/types.ts';
import type { Settings } from '../account/settings.ts';
import type { RenderedCard } from '../contract/render/print.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';

export type Topic = components['schemas']['WebhookTopic'];
export type EmailKind = 'gift-card' | 'gifted' | 'automation' | 'reminder' | 'balance-change';

/** What leaves the service after the answer. `card` is the card as it was when the effect arose. */
export type Effect =
  | { readonly kind: 'push'; readonly card: CardRecord }
  | {
      readonly kind: 'email';
      readonly email: EmailKind;
      readonly card: CardRecord;
      readonly subject?: string;
      readonly text?: string;
    }
  | { readonly kind: 'delivery'; readonly topic: Topic; readonly card: CardRecord }
  | {
      readonly kind: 'suppressed';
      readonly what: Topic | 'email';
      readonly card: CardRecord;
      readonly clause: RuleName;
      readonly why: string;
    };

/** What a decision comes to: the reply to the caller, the changes of state, and the effects that follow. */
export interface Outcome<Reply> {
  readonly reply: Reply;
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}

/** All that a decision may know. Time and chance are handed in; the state can only be looked at. */
export interface Context {
  readonly now: number;
  readonly state: View;
  readonly settings: Settings;
  readonly behaviors: Behaviors;
  /** Hosts besides those of this machine that webhooks may reach without TLS. */
  readonly plainHttpHosts: readonly string[];
  /** The description of the key that the request came with, or what else acted. */
  readonly actor: string;
  /** The card as responses show it. */
  render(card: CardRecord): RenderedCard;
  newId(): string;
  /** A code of the account's format that no card has yet. */
  newCode(): string;
}
