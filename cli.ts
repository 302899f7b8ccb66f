import { runCommand } from './command-line/run-command.ts';
import { commands } from './commands.ts';
import { version } from './mock/server/version.ts';

const { env } = process;
/** Milliseconds to write the rest of stderr. */
const STDERR_TIME = 500;

async function run(argv: string[]): Promise<number> {
  const [first = '', second = ''] = argv;
  const named = first === 'help' ? second : first;
  const definitions = Object.entries(commands).map(async ([usage, [summary, load]]) =>
    named === usage ? load(env, process) : { usage, summary },
  );
  const root = {
    usage: 'giftcard-sandbox',
    summary: 'A sandbox for a gift card service: its contract, a mock with state, and a conformance suite',
    commands: await Promise.all(definitions),
  };
  return runCommand(root, argv, process, version);
}

// A reader may close its end of the pipe early, such as head, and a disk may be full. The command still does its work.
let unwritten: NodeJS.ErrnoException | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') unwritten ??= error;
});
process.stderr.on('error', () => {});
process.on('exit', () => {
  if (!unwritten) return;
  process.stderr.write(`The standard output is incomplete (${unwritten.code}).\n`);
  process.exitCode ||= 2;
});

process.exitCode = await run(process.argv.slice(2));
// The command ends after its output is written. It does not wait for a reader of stderr, which may never read.
process.stdout.write('', () => setTimeout(() => process.exit(), STDERR_TIME).unref());
