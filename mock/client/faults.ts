import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body } from './input.ts';

/** What goes wrong on some of the caller's requests, and the verdict on how the caller took it. */
export interface Faults {
  set(fault: Body<'setFault'>): Promise<Reply<'setFault'>>;
  list(): Promise<Reply<'listFaults'>>;
  /** Takes one away and tells how it ended. */
  remove(fault: string): Promise<Reply<'removeFault'>>;
  /** Takes all away and tells how each ended. */
  clear(): Promise<Reply<'clearFaults'>>;
}

/** What is tried with the next deliveries, and the verdict on how the receiver took it. */
export interface Drills {
  set(drill: Body<'setDrill'>): Promise<Reply<'setDrill'>>;
  list(): Promise<Reply<'listDrills'>>;
  remove(drill: string): Promise<Reply<'removeDrill'>>;
  clear(): Promise<Reply<'clearDrills'>>;
}

export function faultsOf(call: Call, path: { readonly account: string }): Faults {
  return {
    set: (body) => call('setFault', { path, body }),
    list: () => call('listFaults', { path }),
    remove: (fault) => call('removeFault', { path: { ...path, fault } }),
    clear: () => call('clearFaults', { path }),
  };
}

export function drillsOf(call: Call, path: { readonly account: string }): Drills {
  return {
    set: (body) => call('setDrill', { path, body }),
    list: () => call('listDrills', { path }),
    remove: (drill) => call('removeDrill', { path: { ...path, drill } }),
    clear: () => call('clearDrills', { path }),
  };
}
