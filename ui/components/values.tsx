import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';
import { formatAmount, formatTime, now, relativeTime } from './formats.ts';

interface AmountProps {
  readonly value: number;
  /** Default: the account's currency. */
  readonly currency?: string | undefined;
  /** With + before a positive amount. */
  readonly signed?: boolean;
}

export function Amount({ value, currency, signed = false }: AmountProps) {
  return (
    <span class="amount">
      {signed && value > 0 && '+'}
      {formatAmount(value, currency)}
    </span>
  );
}

interface TimeProps {
  /** An ISO 8601 time. Null shows a dash. */
  readonly at: string | null;
  /** Shows the exact time, and the relative time on hover. Default: the other way round. */
  readonly exact?: boolean;
}

export function Time({ at, exact = false }: TimeProps) {
  if (at === null) return <span class="quiet">–</span>;
  const texts = [relativeTime(Date.parse(at), now.value), formatTime(Date.parse(at))];
  const [shown, hidden] = exact ? texts.reverse() : texts;
  return (
    <time dateTime={at} title={hidden}>
      {shown}
    </time>
  );
}

/** Names with values. A fact without a value is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  const known = of.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A body or a line for a shell, with a button that copies it. */
export function CodeText({ text }: { readonly text: string }) {
  return (
    <div class="code-box">
      <CopyButton text={text} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: The keyboard can scroll only an element that has the focus. */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  );
}
