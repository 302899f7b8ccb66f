import { signal } from '@preact/signals';
import type { Advance, ClockAdvance } from '../../mock/control/generated/types.ts';
import { formatMinute, formats, formatTime, now } from '../components/formats.ts';
import { ActionResult, useAction } from './actions.tsx';
import { answered, control, here } from './client.ts';
import { useResource } from './resource.ts';
import { clock } from './session.ts';

const MODES = { real: 'system time', running: 'running', frozen: 'frozen' };

/** What the last advance on this page caused. */
export const lastAdvance = signal<ClockAdvance>();

/** Advances the clock of the selected account. Returns what that caused, as a sentence. */
export async function advanceBy(body: Advance): Promise<string> {
  lastAdvance.value = await answered(control.POST('/accounts/{account}/clock/advance', { params: { path: here() }, body }));
  const { toUtc } = lastAdvance.value;
  return `It is now ${formatTime(Date.parse(toUtc))}: ${causedBy(lastAdvance.value)}.`;
}

/** The account's clock, with its two most common actions. */
export function ClockBar({ account }: { readonly account: string }) {
  const { reload } = useResource(async () => {
    clock.value = {
      ...(await answered(control.GET('/accounts/{account}/clock', { params: { path: { account } } }))),
      receivedAt: Date.now(),
    };
  }, ['clock']);
  const action = useAction();
  if (!clock.value) return null;
  const isFrozen = clock.value.mode === 'frozen';
  const freeze = async () => {
    await answered(
      control.PUT('/accounts/{account}/clock', { params: { path: here() }, body: { mode: isFrozen ? 'running' : 'frozen' } }),
    );
    await reload();
    return isFrozen ? 'The clock runs.' : 'The clock is frozen: time passes only when you advance it.';
  };
  const advance = async () => {
    const sentence = await advanceBy({ by: 'P1D' });
    await reload();
    return sentence;
  };
  return (
    <div class="clock-bar">
      <span title={`${formatTime(now.value)}, ${formats.value.timeZone}`}>
        <span class="mono">{formatMinute(now.value)}</span> <span class="quiet">{MODES[clock.value.mode]}</span>
      </span>
      <button type="button" class="small" disabled={action.isRunning} onClick={() => action.run(freeze)}>
        {isFrozen ? 'Run' : 'Freeze'}
      </button>
      <button
        type="button"
        class="small"
        disabled={action.isRunning}
        title="Runs everything that falls due within a day. Time does not go back."
        onClick={() => action.run(advance)}
      >
        +1 day
      </button>
      <ActionResult of={action} />
    </div>
  );
}

/** Returns what an advance of the clock caused: "1 expiry, 2 emails, 1 delivery", or "nothing fell due". */
export function causedBy({ moments }: ClockAdvance): string {
  const counts = new Map<string, number>();
  const add = (what: string, number: number) => counts.set(what, (counts.get(what) ?? 0) + number);
  for (const { what } of moments) add(what, 1);
  for (const { emails, deliveries } of moments) {
    add('email', emails.length);
    add('delivery', deliveries.length);
  }
  const plural = (word: string) => (word.endsWith('y') ? `${word.slice(0, -1)}ies` : `${word}s`);
  const parts = [...counts]
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${count === 1 ? what : plural(what)}`);
  return parts.join(', ') || 'nothing fell due';
}
