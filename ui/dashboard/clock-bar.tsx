import { signal } from '@preact/signals';
import type { Advance, ClockAdvance, ClockMode } from '../../mock/control/generated/types.ts';
import { formatLocalTime, formatMinute, now, pageFormats } from '../components/formats.ts';
import { ActionResult, useAction } from './actions.tsx';
import { control, dataOf, here } from './client.ts';
import { useResource } from './resource.ts';
import { clock } from './session.ts';

const MODES = { real: 'system time', running: 'running', frozen: 'frozen' };

/** What the last advance on this page caused, by account. */
export const lastAdvances = signal<ReadonlyMap<string, ClockAdvance>>(new Map());

/** Advances the clock of the selected account. Returns what that caused, as a sentence. */
export async function advanceBy(body: Advance): Promise<string> {
  const path = here();
  const advance = await dataOf(control.POST('/accounts/{account}/clock/advance', { params: { path }, body }));
  lastAdvances.value = new Map([...lastAdvances.value, [path.account, advance]]);
  return `It is now ${formatLocalTime(Date.parse(advance.toUtc))}: ${advance.summary}.`;
}

/** Changes how the time of the selected account passes. */
export async function setMode(mode: ClockMode): Promise<void> {
  await dataOf(control.PUT('/accounts/{account}/clock', { params: { path: here() }, body: { mode } }));
}

/** The account's clock, with its two most common actions. */
export function ClockBar() {
  useResource(async () => {
    const reading = await dataOf(control.GET('/accounts/{account}/clock', { params: { path: here() } }));
    clock.value = { ...reading, receivedAt: Date.now() };
  }, ['clock']);
  const action = useAction();
  if (!clock.value) return null;
  const isFrozen = clock.value.mode === 'frozen';
  const freeze = async () => {
    await setMode(isFrozen ? 'running' : 'frozen');
    return isFrozen ? 'The clock runs.' : 'The clock is frozen: time passes only when you advance it.';
  };
  return (
    <div class="clock-bar">
      <span title={`${formatLocalTime(now.value)}, ${pageFormats.value.timeZone}`}>
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
        onClick={() => action.run(() => advanceBy({ by: 'P1D' }))}
      >
        +1 day
      </button>
      <ActionResult of={action} />
    </div>
  );
}
