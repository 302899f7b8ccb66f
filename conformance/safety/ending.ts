import type { Run } from '../core/trial.ts';

/** Ends a run: waits for its requests, cleans up, and releases everything. Resolves with a sentence about the first failure, if any. */
export async function endRun(run: Run, close: () => unknown = () => undefined): Promise<string | undefined> {
  const steps: (() => unknown)[] = [
    () => run.client.settled(),
    () => run.ledger.sweep(run.client),
    () => run.receiver?.close(),
    close,
    () => run.ledger.close(),
  ];
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  const [first] = errors;
  return errors.length === 0 ? undefined : run.redactor.mask(first instanceof Error ? first.message : String(first));
}
