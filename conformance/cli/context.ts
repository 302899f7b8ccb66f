import type { Environment } from '../../command-line/io.ts';
import type { InProcessFetch } from '../core/target.ts';

/** The input and output of a command: those of the process, or of a test. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: Screen;
  /** The user answers questions here. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Answers the requests of a run in process instead of the network. */
  readonly fetch?: InProcessFetch;
  /** Registers a listener for a signal. */
  once?(signal: Signal, listener: () => void): unknown;
  off?(signal: Signal, listener: () => void): unknown;
}

/** On a terminal, a line can be overwritten. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

export interface CliContext {
  readonly environment: Environment;
  readonly io: Io;
}

/** Calls the listener at an interrupt. Returns a function that removes it. */
export function onInterrupt(io: Pick<Io, 'once' | 'off'>, listener: () => void): () => void {
  for (const signal of signals) io.once?.(signal, listener);
  return () => {
    for (const signal of signals) io.off?.(signal, listener);
  };
}
