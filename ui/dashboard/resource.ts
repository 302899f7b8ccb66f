import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { type Kind, onChange } from './live.ts';

interface Resource<T> {
  /** Undefined until it is loaded. While it is loaded again, the data before. */
  readonly data: T | undefined;
  /** The sentence of the last error. */
  readonly error: string | undefined;
}

/**
 * Loads data for a component: when it appears, when one of `inputs` changes, and after each change of one of `kinds`.
 *
 * @example const { data: emails } = useResource(() => dataOf(control.GET('/accounts/{account}/outbox', { params: { path: here() } })), ['emails']);
 */
export function useResource<T>(load: () => Promise<T>, kinds: readonly Kind[], inputs: readonly unknown[] = []): Resource<T> {
  const data = useSignal<T>();
  const error = useSignal<string>();
  const latest = useRef(load);
  latest.current = load;
  const reload = useMemo(
    () =>
      oneAtATime(async () => {
        try {
          data.value = await latest.current();
          error.value = undefined;
        } catch (reason) {
          error.value = (reason as Error).message;
        }
      }),
    [],
  );
  useEffect(reload, inputs);
  useEffect(() => onChange(kinds, reload), [kinds.join()]);
  return { data: data.value, error: error.value };
}

/** Returns a function that runs `act`, and that runs it once more if it is called meanwhile. So events never cause more requests than get a response. */
function oneAtATime(act: () => Promise<void>): () => void {
  let isRunning = false;
  let isRequestedAgain = false;
  const run = async () => {
    isRunning = true;
    do {
      isRequestedAgain = false;
      await act();
    } while (isRequestedAgain);
    isRunning = false;
  };
  return () => {
    isRequestedAgain = true;
    if (!isRunning) void run();
  };
}
