import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keepFocus } from './keys.ts';
import { Notice } from './notice.tsx';

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  readonly label: string;
  readonly hint?: string;
  /** One select or textarea. Default: an input with the other properties. */
  readonly children?: ComponentChildren;
};

export function Field({ label, hint, children, ...input }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: The children are the control.
    <label class="field">
      <span>{label}</span>
      {children ?? <input {...input} />}
      {hint && <small>{hint}</small>}
    </label>
  );
}

export type FormValues = Readonly<Record<string, string | number | boolean>>;

interface FormProps<Values> {
  /** The word on the button. */
  readonly submit: string;
  /** Gets the values by the names of the fields. An error that it throws is shown under the fields. */
  readonly onSubmit: (values: Values) => Promise<void>;
  readonly onCancel?: () => void;
  readonly children: ComponentChildren;
}

/**
 * A form with the browser's own checks. Number fields give numbers, check boxes booleans, fields of type datetime-local a UTC time; empty fields are
 * left out.
 */
export function Form<Values extends object = FormValues>({ submit, onSubmit, onCancel, children }: FormProps<Values>) {
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const send = async (event: SubmitEvent) => {
    event.preventDefault();
    const giveBack = keepFocus();
    setBusy(true);
    setError(undefined);
    try {
      await onSubmit(valuesOf(event.currentTarget as HTMLFormElement) as Values);
    } catch (reason) {
      setError((reason as Error).message);
    }
    setBusy(false);
    giveBack();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (onCancel) form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, []);
  const cancel = () => {
    const giveBack = keepFocus();
    onCancel?.();
    giveBack();
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !onCancel) return;
    event.stopPropagation(); // Another Escape closes the detail.
    cancel();
  };
  return (
    <form ref={form} onSubmit={send} onKeyDown={leave}>
      {children}
      {error && <Notice tone="bad">{error}</Notice>}
      <div class="buttons">
        {onCancel && (
          <button type="button" onClick={cancel}>
            Cancel
          </button>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {submit}
        </button>
      </div>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): FormValues {
  const values: Record<string, string | number | boolean> = {};
  for (const field of form.elements) {
    const { name, type, value } = field as HTMLInputElement;
    if (name === '' || (value === '' && type !== 'checkbox')) continue;
    if (type === 'checkbox') values[name] = (field as HTMLInputElement).checked;
    else if (type === 'number') values[name] = Number(value);
    else if (type === 'datetime-local') values[name] = new Date(`${value}Z`).toISOString();
    else values[name] = value;
  }
  return values;
}
