import type { Reply } from '../control/operation-types.ts';
import type { Call } from './call.ts';
import { type Moment, said, text } from './input.ts';

/** An account's clock: real, frozen, or running from a set time. It never goes back. */
export interface Clock {
  read(): Promise<Reply<'getClock'>>;
  /** Stands still, at once or at a later moment. */
  freeze(at?: Moment): Promise<Reply<'setClock'>>;
  /** Runs at the machine's pace, from now on or from a later moment. */
  run(at?: Moment): Promise<Reply<'setClock'>>;
  /** Follows the machine's clock again. */
  follow(): Promise<Reply<'setClock'>>;
  /**
   * Lets time pass: by an ISO 8601 duration such as P1D or PT90S, or to a moment. Whatever falls due happens at its own moment and has left when this
   * resolves, with what happened.
   */
  advance(by: string | { readonly to: Moment }): Promise<Reply<'advanceClock'>>;
}

export function clockOf(call: Call, path: { readonly account: string }): Clock {
  const set = async (mode: 'frozen' | 'running', at: Moment | undefined) =>
    call('setClock', { path, body: at === undefined ? { mode } : { mode, at: text(at) } });
  return {
    read: () => call('getClock', { path }),
    freeze: (at) => set('frozen', at),
    run: (at) => set('running', at),
    follow: () => call('setClock', { path, body: { mode: 'real' } }),
    advance: async (by) => {
      const isDuration = typeof by === 'string';
      if (!isDuration && (typeof by !== 'object' || by === null || by.to === undefined))
        throw new TypeError(`advance takes a duration such as "P1D", or { to: a moment }, not ${said(by)}.`);
      return call('advanceClock', { path, body: isDuration ? { by } : { to: text(by.to) } });
    },
  };
}
