import '../clauses/index.ts';
import '../probes/index.ts';
import type { Environment } from '../../command-line/io.ts';
import { type CommandDefinition, runCommand } from '../../command-line/run-command.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { compareCommand } from './compare.ts';
import type { Io } from './context.ts';
import { doctorCommand } from './doctor.ts';
import { removedFlags } from './flags.ts';
import { fuzzCommand } from './fuzz.ts';
import { learnCommand } from './learn.ts';
import { ledgerCommand, sweepCommand } from './ledger.ts';
import { reportCommand } from './output.ts';
import { listCommand, planCommand } from './plan.ts';
import { clausesCommand } from './run.ts';

/** Commands of version 0.1, with their replacements. */
const removedCommands = {
  replay: 'replay is gone; use run CLAUSE.',
  walk: 'walk is gone; use fuzz sequences.',
  diff: 'diff is gone; use compare A.json B.json.',
  facts: 'facts is gone; use learn, and put your own changes into a second --variant file.',
};

export function conformanceCommand(environment: Environment, io: Io): CommandDefinition {
  const definitions = [
    clausesCommand,
    planCommand,
    listCommand,
    doctorCommand,
    learnCommand,
    compareCommand,
    fuzzCommand,
    sweepCommand,
    ledgerCommand,
    reportCommand,
  ];
  return {
    usage: 'conformance',
    summary: 'Checks a service against the specification, clause by clause',
    removedCommands,
    commands: definitions.map((define) => ({ ...define({ environment, io }), removedFlags })),
  };
}

/** Runs the command and resolves with the exit code. Never throws. */
export const main = (argv: readonly string[], environment: Environment, io: Io): Promise<number> =>
  runCommand(conformanceCommand(environment, io), argv, io, packageFile.version);
