import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useKey } from './keys.ts';
import { Facts } from './values.tsx';

interface Confirmation {
  readonly title: string;
  /** What the action will cause, one sentence each. */
  readonly causes: readonly string[];
  /** The word on the button. */
  readonly action: string;
}

const openDialog = signal<(Confirmation & { readonly resolve: (isConfirmed: boolean) => void }) | null>(null);

/** Asks before a destructive action. Resolves to true if the user confirms. The page needs one <ConfirmDialog />. */
export function confirmAction(action: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    openDialog.value = { ...action, resolve };
  });
}

export function ConfirmDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), [openDialog.value]);
  if (openDialog.value === null) return null;
  const { title, causes, action, resolve } = openDialog.value;
  const finish = () => {
    openDialog.value = null;
    resolve(dialog.current?.returnValue === 'yes');
  };
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={finish}>
      <h2 id="dialog-title">{title}</h2>
      <ul>
        {causes.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <form method="dialog" class="buttons">
        <button type="submit">Cancel</button>
        <button type="submit" class="danger" value="yes">
          {action}
        </button>
      </form>
    </dialog>
  );
}

const KEYS = { '/': 'Search', 'j, k': 'Next, previous row', Esc: 'Close the detail', '?': 'This list' };

/** The list of keys. The key ? and buttons with popoverTarget="keys" open it; Escape closes it. */
export function HelpPanel() {
  const panel = useRef<HTMLDivElement>(null);
  useKey('?', () => panel.current?.togglePopover());
  return (
    <div id="keys" ref={panel} popover="auto" role="dialog" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <Facts of={KEYS} />
    </div>
  );
}
