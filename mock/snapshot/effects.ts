import type { EmailKind } from '../domain/outcome.ts';
import type { EffectsState } from '../outbound/effect-queue.ts';
import type { Email } from '../outbound/outbox.ts';
import { cause } from './cause.ts';
import { count, list, momentText, object, oneOf, type Shape, text } from './shape.ts';

/** What waits to leave an account, and what left it as emails or did not leave. */

const emailKind = oneOf<EmailKind>({
  'gift-card': true,
  gifted: true,
  automation: true,
  reminder: true,
  'balance-change': true,
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

/** Not checked until the schema is generated from the types. */
export const effects: Shape<EffectsState> = (value) => value as EffectsState;
