import { clauseNames } from '../../openapi/generated/clauses.ts';
import type { Effect, EmailKind } from '../domain/outcome.ts';
import type { EffectsState } from '../outbound/effects.ts';
import type { Email } from '../outbound/outbox.ts';
import type { Suppressed } from '../outbound/suppressed.ts';
import { cause } from './cause.ts';
import { reference } from './deliveries.ts';
import { card, webhook } from './records.ts';
import { count, list, momentText, nameIn, object, oneOf, optional, type Shape, such, text, withAtLeast } from './shape.ts';

/** What waits to leave an account, and what left it as emails or did not leave. */

const emailKind = oneOf<EmailKind>({
  'gift-card': true,
  gifted: true,
  automation: true,
  reminder: true,
  'balance-change': true,
  expired: true,
  voided: true,
});
export const outbox = object<{ readonly emails: readonly Email[]; readonly dropped: number }>({
  emails: list(
    object<Email>({
      to: text,
      kind: emailKind,
      subject: text,
      text,
      html: text,
      giftCardId: text,
      sentAtUtc: momentText,
      cause,
    }),
  ),
  dropped: count,
});

const clauses: ReadonlySet<string> = new Set(Object.values(clauseNames).flat());
const suppressed = object<Suppressed>({
  what: text,
  giftCardId: text,
  clause: such(text, (name) => (clauses.has(name) ? undefined : 'the name of a clause')) as Shape<Suppressed['clause']>,
  why: text,
  cause,
});

type Waiting = EffectsState['waiting'][number];
type Of<Kind extends Waiting['kind']> = Extract<Waiting, { readonly kind: Kind }>;
const emailEffect = object<Extract<Effect, { kind: 'email' }>>({
  kind: oneOf({ email: true }),
  email: emailKind,
  card: such(card, ({ recipientEmailAddress }) =>
    recipientEmailAddress === null ? 'a card with a recipient’s address' : undefined,
  ),
  subject: optional(text),
  text: optional(text),
});
const waitingBy: { readonly [Kind in Waiting['kind']]: Shape<Of<Kind>> } = {
  push: object<Of<'push'>>({ kind: oneOf({ push: true }), card, cause }),
  email: object<Of<'email'>>({ kind: oneOf({ email: true }), effect: emailEffect, cause }),
  trial: object<Of<'trial'>>({ kind: oneOf({ trial: true }), webhook, cause }),
  dispatch: object<Of<'dispatch'>>({ kind: oneOf({ dispatch: true }), delivery: reference }),
};
const kind = nameIn<Waiting['kind']>(waitingBy);
const waiting: Shape<Waiting> = (value) => waitingBy[withAtLeast<Waiting>({ kind })(value).kind](value);

export const effects = object<EffectsState>({
  suppressed: list(suppressed),
  suppressedDropped: count,
  waiting: list(waiting),
  missed: list(reference),
});
