import type { Environment } from '../../command-line/io.ts';
import type { InProcessFetch } from '../core/target.ts';
import type { Screen } from './progress.ts';

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

export type Signal = 'SIGINT' | 'SIGTERM';
export const signals = ['SIGINT', 'SIGTERM'] as const;

export interface CliContext {
  readonly environment: Environment;
  readonly io: Io;
}
