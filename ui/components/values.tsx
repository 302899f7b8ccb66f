import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';
import { formatAmount, formatLocalTime, now, relativeTime } from './formats.ts';

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
  /** An ISO 8601 time. */
  readonly at: string;
  /** Shows the exact time, and the relative time on hover. Default: the other way round. */
  readonly exact?: boolean;
}

export function TimeText({ at, exact = false }: TimeProps) {
  const texts = [relativeTime(Date.parse(at), now.value), formatLocalTime(Date.parse(at))];
  const [shown, hidden] = exact ? texts.reverse() : texts;
  return (
    <time dateTime={at} title={hidden}>
      {shown}
    </time>
  );
}

interface FactsProps {
  /** An object, or pairs if a name may be there twice. */
  readonly of: Readonly<Record<string, ComponentChildren>> | readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Names with values. A fact without a value is left out. */
export function Facts({ of }: FactsProps) {
  const pairs = Symbol.iterator in of ? of : Object.entries(of);
  const known = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '');
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
