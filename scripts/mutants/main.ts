import { once } from 'node:events';
import { mutantsCommand } from './command.ts';
import { mutants } from './mutants.ts';

process.exitCode = await mutantsCommand(process.argv.slice(2), mutants, {
  stdout: process.stdout,
  stderr: process.stderr,
  get ended() {
    return once(process, 'SIGINT');
  },
});
