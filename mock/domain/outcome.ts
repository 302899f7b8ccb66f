import type { Behaviors, ReasonName } from '../../openapi/generated/rules.ts';
import type { components } from '../../openapi/generated/types.ts';
import type { Settings } from '../account/settings.ts';
import type { CardPages } from '../contract/render/card.ts';
import type { RenderedCard } from '../contract/render/print.ts';
import type { Change } from '../state/change.ts';
import type { CardRecord } from '../state/records.ts';
import type { View } from '../state/view.ts';

export type Topic = components['schemas']['WebhookTopic'];
export type EmailKind = 'gift-card' | 'gifted' | 'automation' | 'reminder' | 'balance-change';

/** An effect that is sent after the response, or the reason why an effect is suppressed. `card` is the card at the time of the decision. */
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
      readonly rule: ReasonName;
      readonly why: string;
    };

/** The changes of a decision, and the effects that follow. */
export interface Decision {
  readonly changes: readonly Change[];
  readonly effects: readonly Effect[];
}

export interface Outcome<Result> extends Decision {
  readonly response: Result;
}

/** All values that a decision depends on. The domain has no clock and no randomness, and only reads the state. */
export interface Context {
  readonly now: number;
  readonly state: View;
  readonly settings: Settings;
  readonly behaviors: Behaviors;
  /** Hosts other than loopback that webhooks may reach without TLS. */
  readonly plainHttpHosts: readonly string[];
  readonly cardPages: CardPages;
  /** The name in the card's timeline: the description of the request's key, or a name such as `the merchant`. */
  readonly actor: string;
  render(card: CardRecord): RenderedCard;
  newId(): string;
  /** Returns an unused code in the account's format. */
  newCode(): string;
}
