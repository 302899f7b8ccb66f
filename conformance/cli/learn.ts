import { existsSync } from 'node:fs';
import { text } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts } from '../core/contract.ts';
import { exitCode } from '../core/exit.ts';
import { readFacts } from '../learn/file.ts';
import { knownWire, withFacts } from '../learn/known.ts';
import { learned } from '../learn/learned.ts';
import { learnedTold } from '../learn/told.ts';
import { mayWriteFacts, updateFacts } from '../learn/written.ts';
import { effectKindsOfCheck } from '../safety/planner.ts';
import type { CliContext } from './context.ts';
import { exitNotes, policyFlags, quietFlag, removedFlags, selectionFlags, targetFlags, webhookFlags } from './flags.ts';
import { runOnTarget } from './run-clauses.ts';
import { ledgerFrom, policyFrom, selectedClauses, targetFrom } from './target.ts';

export const learnCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'learn [clauses...]',
    summary: 'Observes how a target answers open questions, and writes a variant file for the mock',
    flags: {
      ...targetFlags,
      ...webhookFlags,
      ...policyFlags,
      ...selectionFlags,
      out: text('FILE', 'the variant file (default: variant.yaml)'),
      quiet: quietFlag,
    },
    removedFlags,
    notes: exitNotes(0, 1, 2, 3, 4, 5, 6, 130),
    async run(values, words) {
      const names = openQuestions(selectedClauses(values, words));
      const target = targetFrom(values, context);
      const policy = policyFrom(values, target.url);
      const out = values.out ?? 'variant.yaml';
      const before = await earlierFile(out, target.url);
      const ledger = ledgerFrom(values, context);
      const run = { names, target: { ...target, wire: knownWire(before) }, policy, ledger, values };
      return runOnTarget(context, run, async (result, session) => {
        const { file, leftOut } = learned(result, before, session.names);
        const compared = withFacts(result, before);
        const hasObservations = compared.clauses.some(({ observation }) => observation);
        const error = hasObservations ? await updateFacts(out, file).catch((thrown: Error) => thrown) : undefined;
        context.io.stdout.write(learnedTold(compared, leftOut, hasObservations && !error ? out : undefined));
        if (error) context.io.stderr.write(`${error.message}\n`);
        const code = exitCode(result);
        if (error) return code === 5 ? code : 6;
        // Some questions may stay without an answer; one answer is a success.
        return code === 4 && hasObservations ? 0 : code;
      });
    },
  });

/** The clauses that ask a question; those that only read come first. Throws UsageError. */
function openQuestions(names: readonly ClauseName[]): ClauseName[] {
  const questions = names.filter((name) => clauseTexts.get(name)?.behaviors !== undefined);
  if (questions.length === 0) throw new UsageError('None of the selected clauses is open or ambiguous. See list --level open.');
  const changes = (name: ClauseName) => Number(effectKindsOfCheck(name).length > 0);
  return questions.toSorted((one, other) => changes(one) - changes(other));
}

/** What an earlier learn of the same target wrote. Throws UsageError for any other file. */
async function earlierFile(file: string, target: string) {
  mayWriteFacts(file);
  if (!existsSync(file)) return {};
  const before = await readFacts(file);
  if (before.about?.target === target) return before;
  throw new UsageError(
    `${file} was not written by learn for ${target}, and learn does not overwrite it. Name another file with --out. Nothing was sent.`,
  );
}
