import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body } from './input.ts';

/** How an account answers what the specification leaves open: a reading for each open clause, and rows of its own for names on the wire. */
export interface Readings {
  get(): Promise<Reply<'getReadingsOfAccount'>>;
  /** Changes what is named and leaves the rest. */
  change(facts: Body<'changeReadingsOfAccount'>): Promise<Reply<'changeReadingsOfAccount'>>;
  /** What is not named goes back to its default. */
  set(facts: Body<'setReadingsOfAccount'>): Promise<Reply<'setReadingsOfAccount'>>;
}

export function readingsOf(call: Call, path: { readonly account: string }): Readings {
  return {
    get: () => call('getReadingsOfAccount', { path }),
    change: (body) => call('changeReadingsOfAccount', { path, body }),
    set: (body) => call('setReadingsOfAccount', { path, body }),
  };
}
