import { elapsed, pause } from '../account/clock.ts';
import { ask, command, NotGiven, readFlagsOf, sharedHelp, type Where } from './asking.ts';
import { type Environment, type Io, UsageError } from './command-line.ts';

const help = `Usage: giftcard-sandbox ready [flags]

Says whether a mock is there and healthy; with --wait, as soon as it is. For health checks of containers and steps of CI.

  --wait                 ask again until it is ready
  --timeout SECONDS      how long to wait at most (30)
${sharedHelp}Exit codes: 0 ready; 1 not ready (nobody answers, or the mock found a defect in itself); 2 a flag cannot be used.
`;

/** Runs `giftcard-sandbox ready`; resolves with the exit code. */
export function ready(argv: readonly string[], env: Environment, io: Io): Promise<number> {
  return command(io, async () => {
    const { where, text, set } = readFlagsOf('ready', { wait: { type: 'boolean' }, timeout: { type: 'string' } }, argv, env);
    if (set('help')) return help;
    const until = elapsed() + 1000 * secondsOf(text('timeout'));
    for (;;) {
      try {
        await mustBeHealthy(where);
        return `The mock at ${where.url} is ready.\n`;
      } catch (error) {
        if (!set('wait') || !(error instanceof NotGiven) || elapsed() >= until) throw error;
      }
      await pause(100);
    }
  });
}

function secondsOf(text = '30'): number {
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) <= 3600) return Number(text);
  throw new UsageError(`--timeout takes seconds from 0 to 3600, not "${text}".`);
}

async function mustBeHealthy(where: Where): Promise<void> {
  const { status, defects } = (await ask(where, 'health')) as { readonly status: string; readonly defects: readonly string[] };
  if (status !== 'ok') throw new NotGiven(`The mock at ${where.url} found defects in itself: ${defects.join('; ')}`);
}
