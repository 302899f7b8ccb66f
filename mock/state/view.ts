import type { State } from './state.ts';

/** The state of an account, read-only. */
export type View = Omit<State, 'apply' | 'capture' | 'restore'>;
