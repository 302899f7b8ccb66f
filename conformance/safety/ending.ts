import type { Run } from '../core/trial.ts';

/** Waits for the requests of a run, cleans up, and releases all resources. Resolves with the message of the first failure, if a step failed. */
export async function endRun(run: Run, close: () => unknown = () => undefined): Promise<string | undefined> {
  const steps: (() => unknown)[] = [
    () => run.client.settled(),
    () => run.ledger.sweep(run.client),
    () => run.receiver?.close(),
    close,
    () => run.ledger.close(),
  ];
  let fault: string | undefined;
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      fault ??= run.redactor.mask(error instanceof Error ? error.message : String(error));
    }
  }
  return fault;
}
