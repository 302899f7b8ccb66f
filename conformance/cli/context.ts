import type { Environment } from '../../command-line/io.ts';
import type { InProcessFetch } from '../core/target.ts';
import type { Screen } from './progress.ts';

/** What a command reads and writes; a process, or a test in its place. */
export interface Io {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: Screen;
  /** Where the user answers a question. */
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Answers the requests of a run in process, in place of the network. */
  readonly fetch?: InProcessFetch;
  /** How signals arrive. */
  once?(signal: Signal, listener: () => void): unknown;
  off?(signal: Signal, listener: () => void): unknown;
}

export type Signal = 'SIGINT' | 'SIGTERM';
export const signals = ['SIGINT', 'SIGTERM'] as const;

export interface CliContext {
  readonly environment: Environment;
  readonly io: Io;
}
