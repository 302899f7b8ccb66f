#!/usr/bin/env node
import { version } from '../mock/server/version.ts';
import { commands, programOf } from './commands.ts';
import { runCommand } from './run-command.ts';

const { env } = process;
/** Milliseconds to write the rest of stderr. */
const STDERR_TIME = 500;

async function run(argv: string[]): Promise<number> {
  const [first = '', second = ''] = argv;
  const named = first === 'help' ? second : first;
  // To suggest a command for a wrong word, all commands are needed.
  const isWrong = /^\w/.test(named) && !Object.hasOwn(commands, named);
  const program = await programOf(env, process, (command) => isWrong || command === named);
  return runCommand(program, argv, process, version);
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
