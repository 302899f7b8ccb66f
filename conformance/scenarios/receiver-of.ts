import { notGiven } from '../core/prerequisites.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Receiver } from '../http/receiver.ts';

/** Where deliveries arrive; Untested `no-receiver` where they cannot. */
export function receiverOf({ run }: Trial): Receiver {
  if (run.receiver) return run.receiver;
  const { reason, detail } = notGiven('receiver');
  throw new Untested(reason, detail);
}
