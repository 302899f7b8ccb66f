import type { CardChain, JournalEntry } from '../../mock/control/generated/types.ts';
import { StatusLabel, toneOf } from '../components/label.tsx';
import { Notice } from '../components/notice.tsx';
import { Sequence, type Step } from '../components/sequence.tsx';
import { TimeText } from '../components/values.tsx';
import { control, dataOf, here } from './client.ts';
import { EntryLink } from './links.tsx';
import { useResource } from './resource.ts';

/** A request, a due event or an action of the merchant, with its changes and effects. */
type ChainCause = CardChain['causes'][number];

const SOURCES = { request: 'Client', clock: 'Clock', control: 'Dashboard' };
const TARGETS = ['Channels', 'Recipient', 'Webhook'];

/** Draws what a cause changed, and what that led to, with a link to the entry of the journal. */
export function CauseSequence({ cause }: { readonly cause: ChainCause }) {
  return (
    <section>
      <p class="quiet">
        <TimeText at={cause.atUtc} exact /> · <EntryLink number={cause.number} />
      </p>
      <CausePicture cause={cause} />
    </section>
  );
}

export function CausePicture({ cause }: { readonly cause: ChainCause }) {
  const source = SOURCES[cause.kind];
  const steps = stepsOf(cause, source);
  const lanes = [source, 'Service', ...TARGETS.filter((lane) => steps.some(({ to }) => to === lane))];
  return <Sequence lanes={lanes} steps={steps} />;
}

/** Returns the entry of the journal as a cause of all its changes and effects. */
export function chainCause({ request, response, ...entry }: JournalEntry): ChainCause {
  return { ...entry, request: request && `${request.method} ${request.target}`, status: response?.status ?? null };
}

/** Returns the causes that changed a card, oldest first. */
export async function loadChain(card: string): Promise<readonly ChainCause[]> {
  const params = { path: { ...here(), card } };
  return (await dataOf(control.GET('/accounts/{account}/cards/{card}/chain', { params }))).causes;
}

/** Loads an entry of the journal, again after each change of its effects. */
export function useEntry(number: number) {
  const params = { path: { ...here(), number } };
  const load = () => dataOf(control.GET('/accounts/{account}/journal/{number}', { params }));
  return useResource(load, ['journal', 'emails', 'deliveries', 'suppressed', 'channels']);
}

/** Draws why an effect was sent, or not sent. */
export function CauseOf({ number }: { readonly number: number }) {
  const { data, error } = useEntry(number);
  return (
    <>
      <h3>Why</h3>
      {error && <Notice tone="bad">{error}</Notice>}
      {data && <CauseSequence cause={chainCause(data)} />}
    </>
  );
}

const durationOf = (milliseconds: number | null) => (milliseconds === null ? undefined : `${milliseconds} ms`);

/** A fault that closes the connection. Its response does not arrive. */
export const isLost = (fault: string | null) => /\b(reset|truncate)\b/.test(fault ?? '');

function stepsOf({ what, request, milliseconds, status, refusal, fault, changes, effects }: ChainCause, source: string): Step[] {
  const steps: Step[] = [{ from: source, to: 'Service', what: <span class="mono">{request ?? what}</span>, tone: 'info' }];
  for (const change of changes) steps.push({ from: 'Service', to: 'Service', what: `${change.table}: ${change.what}` });
  if (fault !== null) steps.push({ from: 'Service', to: 'Service', what: `Fault: ${fault}`, tone: 'warn' });
  if (status !== null)
    steps.push({
      from: 'Service',
      to: source,
      what: <StatusLabel status={status} />,
      outcome: isLost(fault) ? 'lost' : refusal?.code,
      tone: isLost(fault) ? 'bad' : toneOf(status),
      time: durationOf(milliseconds),
      dashed: true,
    });
  for (const effect of effects) {
    const isSuppressed = effect.kind === 'suppressed';
    const to = effect.kind === 'push' ? 'Channels' : effect.kind === 'email' || effect.what === 'email' ? 'Recipient' : 'Webhook';
    const tone = isSuppressed ? 'quiet' : toneOf(/^[a-z-]+/.exec(effect.outcome)?.[0] ?? '');
    steps.push({
      from: 'Service',
      to,
      what: effect.what,
      outcome: effect.outcome,
      tone,
      time: durationOf(effect.milliseconds),
      dashed: isSuppressed,
    });
  }
  return steps;
}
