import { notGiven } from '../makeable.ts';
import type { Receiver } from '../receiver.ts';
import type { Trial } from '../trial.ts';
import { Untested } from '../verdict.ts';

/** Where deliveries arrive; Untested `no-receiver` where they cannot. */
export function receiverOf({ run }: Trial): Receiver {
  if (run.receiver) return run.receiver;
  const { reason, detail } = notGiven('receiver');
  throw new Untested(reason, detail);
}
