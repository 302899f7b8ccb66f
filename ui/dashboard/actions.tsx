import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { keepFocus } from '../components/keys.ts';
import { Notice } from '../components/notice.tsx';
import { setPaused } from './live.ts';

interface Action {
  readonly isRunning: boolean;
  /** What the last action caused, or the sentence of its error. */
  readonly result: { readonly tone: 'good' | 'bad'; readonly text: ComponentChildren } | undefined;
  /** Runs `act`, which returns what it caused. An error becomes the result. */
  readonly run: (act: () => Promise<ComponentChildren>) => Promise<void>;
  readonly clear: () => void;
}

/** For buttons that change something: the component shows `result` with <ActionResult>, near the buttons. */
export function useAction(): Action {
  const isRunning = useSignal(false);
  const result = useSignal<Action['result']>(undefined);
  const run = async (act: () => Promise<ComponentChildren>) => {
    const giveBack = keepFocus();
    isRunning.value = true;
    setPaused(false); // The user wants to see what the action causes.
    try {
      result.value = { tone: 'good', text: await act() };
    } catch (error) {
      result.value = { tone: 'bad', text: (error as Error).message };
    }
    isRunning.value = false;
    giveBack();
  };
  const clear = () => {
    result.value = undefined;
  };
  return { isRunning: isRunning.value, result: result.value, run, clear };
}

/** Shows what an action caused, or its error, until the user closes it. */
export function ActionResult({ of: { result, clear } }: { readonly of: Action }) {
  if (!result) return null;
  return (
    <Notice tone={result.tone} onClose={clear}>
      {result.text}
    </Notice>
  );
}
