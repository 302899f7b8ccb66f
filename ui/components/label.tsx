import type { ComponentChildren } from 'preact';

/** The meaning of a color. */
export type Tone = 'good' | 'info' | 'quiet' | 'warn' | 'bad';

export function Label({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`label ${tone}`}>{children}</span>;
}

const TONES: Readonly<Record<string, Tone>> = {
  ...{ Active: 'good', Scheduled: 'info', Redeemed: 'quiet', Expired: 'warn', Voided: 'bad' },
  ...{ delivered: 'good', queued: 'info', failed: 'bad', dropped: 'quiet', unknown: 'warn' },
  ...{ synced: 'good', 'sync-error': 'bad', sent: 'good', enabled: 'good', disabled: 'bad' },
  ...{ pass: 'good', fail: 'bad', observed: 'info', 'known-fail': 'warn', blocked: 'warn', error: 'warn' },
  ...{ held: 'good', violated: 'bad', unexpected: 'warn', possible: 'warn', client: 'warn', 'no response': 'bad' },
  ...{ passed: 'good', waiting: 'info', ok: 'good', degraded: 'warn', defective: 'bad' },
};

/** Returns the tone of a card's status, of the state of a delivery or channel, of a verdict or of an HTTP status. */
export function toneOf(status: string | number): Tone {
  if (typeof status === 'string') return TONES[status] ?? 'quiet';
  return status < 300 ? 'good' : status < 400 ? 'info' : status < 500 ? 'warn' : 'bad';
}

/** Shows a status as a word with a color. */
export function StatusLabel({ status }: { readonly status: string | number }) {
  return <Label tone={toneOf(status)}>{status}</Label>;
}
