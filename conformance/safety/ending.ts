import type { Run } from '../core/trial.ts';
import type { Lock } from './lock.ts';

/** Ends a run: waits for its requests, cleans up, and releases everything. Resolves with a sentence about the first failure, if any. */
export async function endRun(
  run: Run,
  lock: Lock | undefined,
  close: () => unknown = () => undefined,
): Promise<string | undefined> {
  const [fault] = await runAll([
    () => run.client.settled(),
    () => run.ledger.sweep(run.client),
    () => run.receiver?.close(),
    close,
    () => lock?.release(),
  ]);
  return fault && run.redactor.mask(fault.error instanceof Error ? fault.error.message : String(fault.error));
}

/** Runs every step, even if others throw. Resolves with the errors. */
async function runAll(steps: readonly (() => unknown)[]): Promise<{ readonly error: unknown }[]> {
  const thrown: { readonly error: unknown }[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      thrown.push({ error });
    }
  }
  return thrown;
}
