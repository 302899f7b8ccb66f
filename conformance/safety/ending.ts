import type { Run } from '../core/trial.ts';
import type { Lock } from './lock.ts';

/** Takes away what a run made, once nothing of it is under way any more, and lets go of what it held; resolves with what went wrong in words, if anything did. */
export async function ended(
  run: Run,
  lock: Lock | undefined,
  close: () => unknown = () => undefined,
): Promise<string | undefined> {
  const [fault] = await eachDone([
    () => run.halted,
    () => run.client.settled(),
    () => run.ledger.sweep(run.client),
    () => run.receiver?.close(),
    close,
    () => lock?.release(),
  ]);
  return fault && run.names.mask(fault.error instanceof Error ? fault.error.message : String(fault.error));
}

/** Does each, whatever became of those before it, and resolves with what was thrown. */
async function eachDone(steps: readonly (() => unknown)[]): Promise<{ readonly error: unknown }[]> {
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
