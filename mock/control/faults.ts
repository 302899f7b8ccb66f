import type { Account } from '../account/account.ts';
import { Faults, type FaultView } from '../faults/faults.ts';
import { objectionTo } from '../faults/rule.ts';
import { ControlError } from './control-error.ts';
import type { NewFault } from './generated/types.ts';
import { taken } from './standing.ts';

/** Sets a fault; it stands behind those that are set already. */
export function setFault(account: Account, wanted: NewFault): FaultView {
  const objection = objectionTo(wanted);
  if (objection !== undefined) throw new ControlError(400, objection);
  const { fault, operation = null, status = fault === 'status' ? 503 : null, milliseconds = 0 } = wanted;
  const {
    body = status === null ? null : `The service answers with ${status}.`,
    first = null,
    nth = null,
    probability = null,
  } = wanted;
  const { when = fault === 'delay' || fault === 'truncate' ? 'after' : 'before' } = wanted;
  account.faults ??= new Faults(account.seed, account.id);
  return account.faults.add({ fault, operation, when, status, body, milliseconds, first, nth, probability });
}

/** All that are set, with what they did and how the caller took it. */
export function listFaults({ faults }: Account): FaultView[] {
  return faults?.all() ?? [];
}

/** Takes one away and answers with how it ended. */
export function removeFault({ id, faults }: Account, faultId: string): FaultView {
  return taken('fault', faultId, id, faults);
}

/** Takes all away and answers with how each ended; one that never struck has the verdict `unused`. */
export function clearFaults({ faults }: Account): FaultView[] {
  return faults?.clear() ?? [];
}
