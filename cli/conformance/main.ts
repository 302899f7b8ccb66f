import '../../conformance/rules/index.ts';
import '../../conformance/questions/index.ts';
import packageFile from '../../package.json' with { type: 'json' };
import type { Environment } from '../io.ts';
import { type CommandDefinition, runCommand } from '../run-command.ts';
import { compareCommand } from './compare.ts';
import type { SuiteIo } from './context.ts';
import { doctorCommand } from './doctor.ts';
import { refusedFlags } from './flags.ts';
import { fuzzCommand } from './fuzz.ts';
import { learnCommand } from './learn.ts';
import { ledgerCommand, sweepCommand } from './ledger.ts';
import { reportCommand } from './output.ts';
import { listCommand, planCommand } from './plan.ts';
import { rulesCommand } from './run.ts';

export function conformanceCommand(environment: Environment, io: SuiteIo): CommandDefinition {
  const definitions = [
    rulesCommand,
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
    summary: 'Checks a service against the specification, rule by rule',
    commands: definitions.map((define) => ({ ...define({ environment, io }), refusedFlags })),
  };
}

/** Runs the command and resolves with the exit code. Never throws. */
export const main = (argv: readonly string[], environment: Environment, io: SuiteIo): Promise<number> =>
  runCommand(conformanceCommand(environment, io), argv, io, packageFile.version);
