import { elapsed, pause } from '../../mock/account/clock.ts';
import type { ControlResponse } from '../../mock/control/operation-types.ts';
import { jsonFlag, toggle, wholeNumber } from '../flags.ts';
import type { Environment, Io } from '../io.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { addressFlags, addressNotes, healthOf, MockUnavailable, type RunningMock, runningMock } from './running-mock.ts';

const timeout = wholeNumber('SECONDS', 'time to wait until the mock is ready (default with --wait: 30)', [0, 3600]);

export function readyCommand(environment: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'ready',
    summary: 'Checks that a mock runs and is healthy, or waits until it is',
    flags: { wait: toggle('waits until the mock is ready'), timeout, ...jsonFlag, ...addressFlags },
    environment,
    notes: `${addressNotes}\nExit codes: 0 ready; 1 not ready: nothing responds, or the mock cannot store its state or found a defect in itself; 2 a flag is wrong.`,
    examples: [
      'giftcard-sandbox ready',
      'giftcard-sandbox ready --wait --timeout 60',
      'giftcard-sandbox ready --json --url http://mock:8460',
    ],
    run: async (values) => {
      const mock = runningMock(values, environment);
      const until = elapsed() + 1000 * (values.timeout ?? 30);
      let found = await readinessOf(mock);
      while (!found.ready && (values.wait || values.timeout !== undefined) && elapsed() < until) {
        await pause(100);
        found = await readinessOf(mock);
      }
      if (values.json) io.stdout.write(`${JSON.stringify(found)}\n`);
      if (!found.ready) throw new MockUnavailable(found.reason);
      if (!values.json) io.stdout.write(`The mock at ${mock.url} is ready.\n`);
      return 0;
    },
  });
}

/** The object that `ready --json` prints. Without `health`, no mock responds. */
type Readiness = { readonly url: string; readonly health?: ControlResponse<'getHealth'> } & (
  | { readonly ready: true }
  | { readonly ready: false; readonly reason: string }
);

async function readinessOf(mock: RunningMock): Promise<Readiness> {
  const { url } = mock;
  try {
    const health = await healthOf(mock);
    const { status, reason, defects } = health;
    if (status === 'ok') return { url, ready: true, health };
    const why = status === 'degraded' ? `cannot store its state: ${reason}` : `found defects in itself: ${defects.join('; ')}`;
    return { url, ready: false, reason: `The mock at ${url} ${why}`, health };
  } catch (error) {
    if (error instanceof MockUnavailable) return { url, ready: false, reason: error.message };
    throw error;
  }
}
