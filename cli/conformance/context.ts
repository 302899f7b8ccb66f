import type { InProcessFetch } from '../../conformance/http/target.ts';
import { terminalJson } from '../../openapi/input/text.ts';
import type { Environment, OutputStream } from '../io.ts';

/** The streams and signals of the process. Tests pass replacements. */
export interface SuiteIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream & { readonly columns?: number | undefined };
  readonly stdin?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** A function that responds to the requests in this process. Default: requests go over the network. */
  readonly fetch?: InProcessFetch;
  once?(signal: Signal, listener: () => void): unknown;
  off?(signal: Signal, listener: () => void): unknown;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];

export interface CliContext {
  readonly environment: Environment;
  readonly io: SuiteIo;
}

export const printJson = ({ io }: CliContext, value: unknown) => io.stdout.write(`${terminalJson(value, 2)}\n`);

/** Returns a signal that the first interrupt aborts. The second interrupt ends the process. `done` ends this. */
export function interruptible(io: Pick<SuiteIo, 'once' | 'off'>): { signal: AbortSignal; done(): void } {
  const controller = new AbortController();
  const done = () => {
    for (const signal of signals) io.off?.(signal, interrupt);
  };
  const interrupt = () => {
    done();
    controller.abort();
  };
  for (const signal of signals) io.once?.(signal, interrupt);
  return { signal: controller.signal, done };
}
