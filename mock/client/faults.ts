import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body } from './input.ts';

/** What goes wrong with requests and deliveries, and the verdict on how the client or receiver handled it. */
export interface Faults {
  set(fault: Body<'setFault'>): Promise<Reply<'setFault'>>;
  list(): Promise<Reply<'listFaults'>>;
  /** Removes a fault and resolves with its last view. */
  remove(fault: string): Promise<Reply<'removeFault'>>;
  /** Removes all faults and resolves with their last views. */
  clear(): Promise<Reply<'clearFaults'>>;
}

export function faultsOf(call: Call, path: { readonly account: string }): Faults {
  return {
    set: (body) => call('setFault', { path, body }),
    list: () => call('listFaults', { path }),
    remove: (fault) => call('removeFault', { path: { ...path, fault } }),
    clear: () => call('clearFaults', { path }),
  };
}
