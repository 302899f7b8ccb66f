import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useKey } from './keys.ts';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog. Escape closes it. */
function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

interface Question {
  readonly title: string;
  /** What the action will cause, one sentence each. */
  readonly causes: readonly string[];
  /** The word on the button. */
  readonly action: string;
}

const asked = signal<(Question & { readonly resolve: (isConfirmed: boolean) => void }) | null>(null);

/** Asks before a destructive action. Resolves to true if the user confirms. The page needs one <ConfirmDialog />. */
export function confirmed(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = { ...question, resolve };
  });
}

export function ConfirmDialog() {
  if (asked.value === null) return null;
  const { title, causes, action, resolve } = asked.value;
  const close = (isConfirmed: boolean) => {
    asked.value = null;
    resolve(isConfirmed);
  };
  return (
    <Dialog title={title} onClose={() => close(false)}>
      <ul>
        {causes.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" onClick={() => close(false)}>
          Cancel
        </button>
        <button type="button" class="danger" onClick={() => close(true)}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}

const KEYS = [
  ['/', 'Search'],
  ['j, k', 'Next, previous row'],
  ['Esc', 'Close the detail'],
  ['?', 'This list'],
] as const;

export const isHelpOpen = signal(false);

/** The list of keys, which the key ? opens. */
export function HelpDialog() {
  useKey('?', () => {
    isHelpOpen.value = true;
  });
  const close = () => {
    isHelpOpen.value = false;
  };
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="facts">
        {KEYS.map(([key, use]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{use}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
