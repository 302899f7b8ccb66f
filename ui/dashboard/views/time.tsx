import type { ClockAdvance, ClockMode, PlannedEvent } from '../../../mock/control/generated/types.ts';
import { formatMinute, pageFormats } from '../../components/formats.ts';
import { TimeText } from '../../components/values.tsx';
import { ActionResult, useAction } from '../actions.tsx';
import { control, dataOf, here } from '../client.ts';
import { advanceBy, lastAdvances, setMode } from '../clock-bar.tsx';
import { CardLink } from '../links.tsx';
import { type Column, ListAndDetail } from '../list-and-detail.tsx';
import { useResource } from '../resource.ts';
import { clock } from '../session.ts';

const STEPS = { '+1 h': 'PT1H', '+1 day': 'P1D', '+31 days': 'P31D' };

const MODES: Readonly<Record<ClockMode, readonly [title: string, effect: string]>> = {
  frozen: ['Freeze', 'Time passes only when you advance the clock.'],
  running: ['Run', "The clock runs at the system clock's speed."],
  real: ['System time', 'The clock shows the system time.'],
};

const columns: readonly Column<PlannedEvent>[] = [
  { title: 'Card', show: ({ code }) => code },
  { title: 'What', show: ({ what }) => what },
  { title: 'In', show: ({ atUtc }) => <TimeText at={atUtc} />, end: true },
  { title: 'At', show: ({ atUtc }) => <TimeText at={atUtc} exact />, end: true, optional: true },
];

/** The account's clock, what falls due next, and what the last advance caused. */
export function TimeView() {
  const load = () =>
    dataOf(control.GET('/accounts/{account}/clock/upcoming', { params: { path: here(), query: { limit: 50 } } }));
  const { data, error } = useResource(load, ['clock', 'cards', 'account']);
  const advance = lastAdvances.value.get(here().account);
  // One card may be listed twice, such as for a gift and its expiry.
  const idOf = ({ giftCardId, what }: PlannedEvent) => `${giftCardId} ${what}`;
  return (
    <ListAndDetail
      name="What falls due next"
      rows={data}
      idOf={idOf}
      columns={columns}
      linkOf={(id) => ({ view: 'cards', query: { selected: id.split(' ', 1)[0] as string } })}
      error={error}
      empty="Nothing falls due: no card expires, no gift is scheduled, and no reminder is planned."
      above={<ClockControls />}
    >
      {advance && <LastAdvance of={advance} />}
      <h2 class="list-title">Falls due next</h2>
    </ListAndDetail>
  );
}

function ClockControls() {
  const action = useAction();
  if (!clock.value) return null;
  const { mode, nowUtc } = clock.value;
  const choose = (chosen: ClockMode) =>
    action.run(async () => {
      await setMode(chosen);
      return MODES[chosen][1];
    });
  const goTo = (event: SubmitEvent) => {
    event.preventDefault();
    const to = new FormData(event.currentTarget as HTMLFormElement).get('to');
    void action.run(() => advanceBy({ to: `${to}:00Z` }));
  };
  return (
    <section class="clock-controls" aria-label="Clock">
      <p>
        <strong class="mono">{formatMinute(Date.parse(nowUtc))}</strong> <span class="quiet">{pageFormats.value.timeZone}</span>
      </p>
      <div class="buttons">
        {Object.entries(MODES).map(([each, [title, effect]]) => (
          <button
            key={each}
            type="button"
            title={effect}
            aria-pressed={mode === each}
            disabled={action.isRunning}
            onClick={() => choose(each as ClockMode)}
          >
            {title}
          </button>
        ))}
        {Object.entries(STEPS).map(([title, by]) => (
          <button key={title} type="button" disabled={action.isRunning} onClick={() => action.run(() => advanceBy({ by }))}>
            {title}
          </button>
        ))}
      </div>
      <form class="buttons" onSubmit={goTo}>
        <input name="to" type="datetime-local" aria-label="Advance to (UTC)" required />
        <button type="submit" disabled={action.isRunning}>
          Advance to (UTC)
        </button>
      </form>
      <p class="quiet">An advance runs everything that falls due, each event at its own time. Time does not go back.</p>
      <ActionResult of={action} />
    </section>
  );
}

function LastAdvance({ of }: { readonly of: ClockAdvance }) {
  return (
    <details class="last-advance" open>
      <summary>
        Last advance: <TimeText at={of.fromUtc} exact /> → <TimeText at={of.toUtc} exact />, {of.summary}
      </summary>
      <ul class="timeline">
        {of.events.map(({ atUtc, what, giftCardId, code, emails, deliveries, suppressed }) => (
          <li key={`${giftCardId} ${what}`}>
            <TimeText at={atUtc} exact />
            <span>
              {what} of <CardLink of={{ giftCardId, code }} />
              {emails.map(({ to, kind }) => `, email ${kind} to ${to}`)}
              {deliveries.map(({ topic, state }) => `, ${topic} ${state}`)}
              {suppressed.map(({ what: effect, why }) => (
                <span key={effect} class="quiet">
                  , {effect} not sent: {why}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
