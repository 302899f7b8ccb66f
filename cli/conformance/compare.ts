import { compareRuns } from '../../conformance/compare/compare-runs.ts';
import type { CompareResult, Side } from '../../conformance/compare/result.ts';
import type { ExitCode } from '../../conformance/core/exit.ts';
import type { RunResult } from '../../conformance/core/result.ts';
import { endingOfRun } from '../../conformance/core/run-ending.ts';
import { suite } from '../../conformance/core/text.ts';
import { baseUrl } from '../../conformance/http/target.ts';
import { readRunResult } from '../../conformance/report/result-file.ts';
import { leftBehind } from '../../conformance/report/run-document.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { text, type Values } from '../flags.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { type RunsToCompare, runBothTargets } from './compare-targets.ts';
import { runOnTarget } from './connection.ts';
import type { CliContext } from './context.ts';
import { examplesOf, inputFlags, reportFlags, rerunCommand, selectionFlags, targetFlags, testFlags, testNotes } from './flags.ts';
import { finish, outputFrom } from './output.ts';
import { isUrl, selectedRules, type TestTarget, testTargetFrom } from './target.ts';

const flags = {
  profile: text('FILE[,FILE]', 'one profile for both targets, or one for each'),
  rate: targetFlags.rate,
  ...testFlags,
  ...selectionFlags,
  ...reportFlags,
  ...inputFlags,
};

const exitTexts = {
  0: 'no stated rule differs',
  1: 'a stated rule differs, or only one side violates a rule',
  4: 'incomplete: at least one rule could not be compared',
};

const keysNote = `API keys: GIFTCARD_API_KEY_A and GIFTCARD_API_KEY_B, else keyEnv of the profile, else GIFTCARD_API_KEY. If A and B are URLs, A is tested twice; --max-requests and other budgets cover both runs.`;

export const compareCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'compare <a> <b> [rules...]',
    summary: 'Compares two targets, or two results: A and B are each a URL or a results.json',
    flags,
    notes: `${keysNote}\n${testNotes(exitTexts)}`,
    examples: examplesOf(
      'compare',
      'http://127.0.0.1:8460 https://staging.example.com',
      "before/results.json after/results.json 'gift-card.*'",
      'results.json http://127.0.0.1:8460 --out reports',
    ),
    async run(values, [a = '', b = '', ...patterns]) {
      const names = selectedRules(values, patterns);
      const output = outputFrom(values);
      const again = rerunCommand('compare', values, [...Object.keys(reportFlags), 'quiet'], [a, b, ...patterns]);
      const startedAt = new Date().toISOString();
      const sideOf = async (letter: 'A' | 'B', place: string): Promise<TestTarget | RunResult> =>
        isUrl(place) ? testTarget(letter, place, values, context) : readRunResult(place);
      const [sideA, sideB] = [await sideOf('A', a), await sideOf('B', b)];
      const runs =
        isResult(sideA) || isResult(sideB)
          ? await runsWithFile(sideA, sideB, names)
          : await runBothTargets(sideA, sideB, names, values);
      if (typeof runs === 'number') return runs;
      const { steadinessUnknown } = runs;
      const result: CompareResult = {
        kind: 'compare',
        suite,
        again,
        startedAt,
        finishedAt: new Date().toISOString(),
        a: sideResult(runs.a, a),
        b: sideResult([runs.b], b),
        ...(steadinessUnknown === undefined ? {} : { steadinessUnknown }),
        ...compareRuns(runs.a[0], runs.b, runs.a[1]),
      };
      return finish(context, [result], output);
    },
  });

const isResult = (side: TestTarget | RunResult): side is RunResult => 'kind' in side;

/** Returns the results of two files. For one file, runs its rules on the target. If the target cannot be tested, resolves with the exit code. */
async function runsWithFile(
  a: TestTarget | RunResult,
  b: TestTarget | RunResult,
  names: readonly RuleName[],
): Promise<RunsToCompare | ExitCode> {
  const inFile = new Set([a, b].flatMap((side) => (isResult(side) ? side.rules.map(({ name }) => name) : [])));
  const chosen = names.filter((name) => inFile.has(name));
  const resultOf = async (side: TestTarget | RunResult): Promise<RunResult | ExitCode> =>
    isResult(side)
      ? { ...side, rules: side.rules.filter(({ name }) => names.includes(name)) }
      : runOnTarget(side, chosen, (result) => result);
  const resultA = await resultOf(a);
  if (typeof resultA === 'number') return resultA;
  const resultB = await resultOf(b);
  return typeof resultB === 'number'
    ? resultB
    : { a: [resultA], b: resultB, steadinessUnknown: 'a result file has only one run' };
}

function testTarget(letter: 'A' | 'B', place: string, values: Values<typeof flags>, context: CliContext) {
  const { environment: env } = context;
  const files = values.profile?.split(',') ?? [];
  if (files.length > 2) throw new UsageError(`--profile takes one or two files, got ${files.length}.`);
  const profile = letter === 'A' ? files[0] : files.at(-1);
  const ownVariable = `GIFTCARD_API_KEY_${letter}`;
  const own = { target: baseUrl(place), profile, 'key-env': undefined, ledger: undefined };
  return testTargetFrom({ ...values, ...own }, context, env[ownVariable] || !env.GIFTCARD_API_KEY ? ownVariable : undefined);
}

/** `place` is a URL or a result file. For a file, the report shows no leftovers, because the run that wrote the file has reported them. */
function sideResult([first, second]: RunsToCompare['a'], place: string): Side {
  const results = second ? [first, second] : [first];
  const isFile = !isUrl(place);
  return {
    target: first.target,
    ...(isFile ? { file: place } : {}),
    mode: first.mode,
    runs: results.length,
    cards: results.reduce((sum, { cards }) => sum + cards.created, 0),
    // Both runs use one connection, so the counts of the second run include those of the first run.
    spent: (second ?? first).spent,
    leftBehind: isFile ? [] : results.flatMap(leftBehind),
    exits: isFile ? [] : results.map((each) => endingOfRun(each).code),
  };
}
