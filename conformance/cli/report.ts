import { resolve } from 'node:path';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { readResult } from '../report/result-file.ts';
import type { CliContext } from './context.ts';
import { exitNotes, removedFlags, reportFlags } from './flags.ts';
import { finish, outputFrom } from './output.ts';

export const reportCommand = ({ io }: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'report <results...>',
    summary: 'Renders results.json files; several begin with a table of differences',
    flags: reportFlags,
    removedFlags,
    notes: exitNotes([0, 2, 6], {
      0: 'the report is printed or written',
      2: 'the command or a file cannot be used',
      6: 'the report could not be written',
    }),
    run(values, files) {
      const results = files.map(readResult);
      const output = outputFrom(values);
      const newFiles = [...output.files.values()].map((file) => resolve(file));
      const overwritten = files.find((file) => newFiles.includes(resolve(file)));
      if (overwritten !== undefined && results.length > 1)
        throw new UsageError(`--out ${values.out} would overwrite ${overwritten}. Name another folder.`);
      return finish(io, results, output, 0);
    },
  });
