import type { Reply } from '../control/handed.ts';
import type { Call } from './call.ts';
import type { Body } from './input.ts';

/** How an account answers what the specification leaves open: a reading for each open clause, and rows of its own for names on the wire. */
export interface Behaviors {
  get(): Promise<Reply<'getBehaviorsOfAccount'>>;
  /** Changes what is named and leaves the rest. */
  change(facts: Body<'changeBehaviorsOfAccount'>): Promise<Reply<'changeBehaviorsOfAccount'>>;
  /** What is not named goes back to its default. */
  set(facts: Body<'setBehaviorsOfAccount'>): Promise<Reply<'setBehaviorsOfAccount'>>;
}

export function behaviorsOf(call: Call, path: { readonly account: string }): Behaviors {
  return {
    get: () => call('getBehaviorsOfAccount', { path }),
    change: (body) => call('changeBehaviorsOfAccount', { path, body }),
    set: (body) => call('setBehaviorsOfAccount', { path, body }),
  };
}
