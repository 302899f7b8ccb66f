import { mutantsCommand } from './command.ts';
import { mutants } from './list.ts';

process.exitCode = await mutantsCommand(process.argv.slice(2), mutants, process);
