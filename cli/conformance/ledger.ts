import { openSession } from '../../conformance/core/session.ts';
import { shellWord } from '../../conformance/report/escape.ts';
import { describeEntry, isPending, type LedgerEntry, locatorOf } from '../../conformance/safety/entries.ts';
import type { LedgerFolder } from '../../conformance/safety/ledger-folder.ts';
import type { StoredRun } from '../../conformance/safety/ledger-lines.ts';
import { didYouMean } from '../../openapi/input/closest.ts';
import { texts } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { sweepAndReport } from './connection.ts';
import type { CliContext } from './context.ts';
import { examplesOf, exitNotes, ledgerFlags, targetFlags } from './flags.ts';
import { ledgerFrom, testTargetFrom } from './target.ts';

export const sweepCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'sweep',
    summary: 'Voids and deletes what earlier runs left on the target',
    flags: targetFlags,
    notes: exitNotes([0, 2, 5, 6], { 0: 'nothing is left' }),
    examples: examplesOf(
      'sweep',
      '--target https://api.example.com',
      '--target https://api.example.com --key-env STAGING_KEY',
      '--target https://api.example.com --ledger ./ledger --rate 30',
    ),
    async run(values) {
      const test = await testTargetFrom(values, context);
      test.ledger.ready();
      const leftovers = await test.ledger.read(test.target);
      const { living, damage } = leftovers;
      const running = living.map(
        ({ run, began }) => `Run ${run}, started ${began}, is still running, and will clean up after itself.`,
      );
      for (const line of [...damage, ...running]) context.io.stderr.write(`${line}\n`);
      const session = openSession(test.target);
      const left = await sweepAndReport(test, session, leftovers).finally(() => session.client.close());
      return left + damage.length > 0 ? 5 : 0;
    },
  });

/** Lists the ledger. The list shows card codes, because the user may have to void the cards by hand. */
export const ledgerCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'ledger',
    summary: 'Lists what runs left behind, with codes; sends nothing',
    flags: {
      ...ledgerFlags,
      forget: texts('NAME', 'marks as gone: a code or URL as printed, or "Run …" for all of a run'),
    },
    notes: exitNotes([0, 2, 5], { 0: 'no ended run left anything' }),
    examples: examplesOf(
      'ledger',
      '--target https://api.example.com',
      '--target https://api.example.com --ledger ./ledger',
      '--target https://api.example.com --forget ABCD-EFGH-1234',
    ),
    async run(values) {
      const say = (sentence: string) => void context.io.stdout.write(`${sentence}\n`);
      const ledger = ledgerFrom(values, context);
      if (values.forget !== undefined) await forget(ledger, values.forget, say);
      const { runs, living, otherTargets, damage } = await ledger.read();
      const lines = [
        ...runs.flatMap((run) => runLines(run)),
        ...living.flatMap((run) => runLines(run, ', still running')),
        ...otherTargets.map((target) => `The ledger also has leftovers of ${target}: list them with --target ${target}.`),
        ...damage,
      ];
      for (const line of lines) say(line);
      if (lines.length === 0) say(`Nothing is left, according to ${ledger.path}.`);
      return damage.length + runs.length > 0 ? 5 : 0;
    },
  });

function runLines({ run, began, entries }: StoredRun, state = ''): string[] {
  const lines = entries.filter(isPending).map((entry) => {
    const account = entry.account === 'key' ? '' : ` on the account of ${entry.account}`;
    return `  ${entry.state.padEnd(9)} ${describeEntry(entry)}${account}`;
  });
  return lines.length === 0 ? [] : [`Run ${run}, started ${began}${state}`, ...lines];
}

/** Marks leftovers of ended runs as gone. If a name is unknown, throws UsageError and changes nothing. A card that is marked by mistake would be lost money. */
async function forget(folder: LedgerFolder, names: readonly string[], say: (sentence: string) => void): Promise<void> {
  const { runs } = await folder.read();
  const namesOf = ({ run }: StoredRun, entry: LedgerEntry) => [describeEntry(entry), locatorOf(entry), `Run ${run}`];
  const known = runs.flatMap((run) => run.entries.filter(isPending).flatMap((entry) => namesOf(run, entry)));
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new UsageError(
      `No ended run left ${shellWord(unknown)}. Nothing was marked as gone.${didYouMean(unknown, known)} Use a name that the ledger command prints: a code or URL, or "Run …" for all leftovers of a run.`,
    );
  for (const run of runs) {
    const file = folder.reopen(run);
    for (const entry of run.entries.filter(isPending)) {
      if (!namesOf(run, entry).some((name) => names.includes(name))) continue;
      const state = `${entry.state} in run ${run.run}, started ${run.began}`;
      say(`Forgotten: ${describeEntry(entry)}, ${state}. If it still exists, void it yourself.`);
      file.change({ ...entry, state: 'gone' });
    }
    await file.close();
  }
}
