import { toggle, wholeNumber } from '../../command-line/flags.ts';
import type { Environment, Io } from '../../command-line/io.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { elapsed, pause } from '../account/clock.ts';
import { addressFlags, addressNotes, healthOf, MockUnavailable, runningMock } from './running-mock.ts';

const timeout = wholeNumber('SECONDS', 'time after which --wait gives up (default: 30)', [0, 3600]);

export function readyCommand(environment: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'ready',
    summary: 'Checks that a mock runs and is healthy; for CI steps and for the health check of a container',
    flags: { wait: toggle('waits until the mock is ready'), timeout, ...addressFlags },
    environment,
    notes: `${addressNotes}\nExit codes: 0 ready; 1 not ready (nothing answers, or the mock cannot store its state, or found a defect in itself); 2 a flag is wrong.`,
    run: async (values) => {
      const mock = runningMock(values, environment);
      const until = elapsed() + 1000 * (values.timeout ?? 30);
      for (;;) {
        try {
          const { status, defects } = await healthOf(mock);
          if (status === 'degraded')
            throw new MockUnavailable(`The mock at ${mock.url} cannot store its state; its log says why.`);
          if (status !== 'ok')
            throw new MockUnavailable(`The mock at ${mock.url} found defects in itself: ${defects.join('; ')}`);
          io.stdout.write(`The mock at ${mock.url} is ready.\n`);
          return 0;
        } catch (error) {
          if (!values.wait || !(error instanceof MockUnavailable) || elapsed() >= until) throw error;
        }
        await pause(100);
      }
    },
  });
}
