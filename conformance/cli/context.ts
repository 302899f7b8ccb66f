import type { Environment } from '../../command-line/io.ts';
import type { InProcessFetch } from '../core/target.ts';

/** The streams and signals of the process. Tests pass replacements. */
export interface Io {
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean | undefined };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean | undefined; readonly columns?: number | undefined };
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** A function that answers the requests in this process. Default: requests go over the network. */
  readonly fetch?: InProcessFetch;
  once?(signal: Signal, listener: () => void): unknown;
  off?(signal: Signal, listener: () => void): unknown;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

export interface CliContext {
  readonly environment: Environment;
  readonly io: Io;
}

/** Calls the listener when the user interrupts the process. Returns a function that removes the listener. */
export function onInterrupt(io: Pick<Io, 'once' | 'off'>, listener: () => void): () => void {
  for (const signal of signals) io.once?.(signal, listener);
  return () => {
    for (const signal of signals) io.off?.(signal, listener);
  };
}
