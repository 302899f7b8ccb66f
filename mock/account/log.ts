import type { JournalRedactor } from '../journal/redaction.ts';
import type { Delivery } from '../outbound/delivery.ts';
import type { Email } from '../outbound/outbox.ts';
import type { ServiceRequest } from '../pipeline/exchange.ts';
import type { HandledRequest } from '../pipeline/handled-request.ts';
import type { ClockMode } from './clock.ts';

/** Logs requests, deliveries, emails and changes of clocks, without header values and secrets. */
export interface Log {
  request(request: ServiceRequest, handled: HandledRequest, milliseconds: number, redactor: JournalRedactor): void;
  delivery(accountId: string, delivery: Delivery, redactor: JournalRedactor): void;
  email(accountId: string, email: Email): void;
  clock(accountId: string, change: ClockMove): void;
  notice(sentence: string): void;
  defect(sentence: string, stack: string | undefined): void;
}

/** A change of an account's clock by the control API. */
export interface ClockMove {
  /** The new mode, or `advanced` if the mode is the same. */
  readonly mode: 'advanced' | ClockMode;
  readonly from: number;
  readonly to: number;
  /** The last 1,000 events that fell due. Without `emails` and `deliveries`, the effects leave later. */
  readonly events: readonly {
    readonly what: string;
    readonly emails?: readonly unknown[];
    readonly deliveries?: readonly unknown[];
  }[];
}
