import { signal } from '@preact/signals';

/** What has changed, as the event stream names it. */
export type Kind =
  | 'cards'
  | 'journal'
  | 'emails'
  | 'deliveries'
  | 'suppressed'
  | 'channels'
  | 'faults'
  | 'behaviors'
  | 'clock'
  | 'account'
  | 'accounts';

type Listener = (kinds: ReadonlySet<string>, isKnown: boolean) => void;

export const isConnected = signal(false);
export const isPaused = signal(false);

const listeners = new Set<Listener>();
const missed = new Set<string>();
let areMissedKnown = true;
let stream: EventSource | undefined;
let reopening: ReturnType<typeof setTimeout> | undefined;

/**
 * Calls `act` after each change of one of the kinds. After a new connection, a change is possible but not known. Returns a function that ends the
 * calls.
 */
export function onChange(kinds: readonly Kind[], act: (isKnown: boolean) => void): () => void {
  const listener: Listener = (changed, isKnown) => {
    if (kinds.some((kind) => changed.has(kind))) act(isKnown);
  };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the changes of an account in place of the account before. The browser connects again after an interruption; changes may be missed then. */
export function follow(account: string): void {
  clearTimeout(reopening);
  stream?.close();
  const opened = new EventSource(`events?account=${encodeURIComponent(account)}`);
  stream = opened;
  let isFirst = true;
  opened.onopen = () => {
    isConnected.value = true;
    isFirst = true;
  };
  // The first event of a connection has all kinds.
  opened.onmessage = ({ data }) => {
    report(JSON.parse(data).kinds, !isFirst);
    isFirst = false;
  };
  opened.onerror = () => {
    isConnected.value = false;
    // After a response that is not a stream, the browser does not connect again.
    if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(() => follow(account), 2000);
  };
}

export function setPaused(value: boolean): void {
  isPaused.value = value;
  if (!value) report([]);
}

function report(kinds: readonly string[], isKnown = true): void {
  for (const kind of kinds) missed.add(kind);
  areMissedKnown &&= isKnown;
  if (isPaused.value) return;
  const changed = new Set(missed);
  for (const listener of listeners) listener(changed, areMissedKnown);
  missed.clear();
  areMissedKnown = true;
}
