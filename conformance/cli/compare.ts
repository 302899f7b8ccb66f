import { text } from '../../command-line/flags.ts';
import { type CommandDefinition, defineCommand } from '../../command-line/run-command.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { compareRuns } from '../compare/compare-runs.ts';
import { scaledBudget } from '../compare/shared-plan.ts';
import { exitCode } from '../core/exit.ts';
import type { CompareResult, RunResult, Side } from '../core/result.ts';
import { baseUrl } from '../core/target.ts';
import { readRunResult } from '../report/result-file.ts';
import { leftBehind } from '../report/run-document.ts';
import { defaultLedger, LedgerFolder } from '../safety/ledger-folder.ts';
import type { Policy } from '../safety/policy.ts';
import { type RunsToCompare, runBothTargets, type TargetSide } from './compare-targets.ts';
import type { CliContext } from './context.ts';
import {
  exitNotes,
  type PolicyValues,
  policyFlags,
  quietFlag,
  removedFlags,
  reportFlags,
  seedFlag,
  selectionFlags,
  targetFlags,
  variantFlag,
} from './flags.ts';
import { outputFrom, outputResults } from './output.ts';
import { readProfile } from './profile-file.ts';
import { rerunCommand } from './rerun.ts';
import { runOnTarget, suite } from './run-clauses.ts';
import { keyIn, overridesIn, policyFrom, selectedClauses, targetAt, variantFrom } from './target.ts';

const flags = {
  profile: text('FILE[,FILE]', 'what the targets offer: one profile for both, or A,B; keyEnv names the variable of the key'),
  rate: targetFlags.rate,
  ...policyFlags,
  ...selectionFlags,
  ...reportFlags,
  variant: variantFlag,
  seed: seedFlag,
  quiet: quietFlag,
};

export const compareCommand = (context: CliContext): CommandDefinition =>
  defineCommand({
    usage: 'compare <a> <b> [clauses...]',
    summary: 'Compares two targets, or two results: A and B are each a URL or a results.json',
    flags,
    removedFlags,
    notes: `${exitNotes(0, 1, 2, 3, 4, 5, 6, 130)}\nKeys: GIFTCARD_API_KEY_A and GIFTCARD_API_KEY_B, else GIFTCARD_API_KEY.\nExample: giftcard-sandbox conformance compare http://127.0.0.1:8460 https://staging.example.com`,
    async run(values, [a = '', b = '', ...patterns]) {
      const names = selectedClauses(values, patterns);
      const variant = await variantFrom(values.variant);
      const wire = variant ? overridesIn(variant) : [];
      const output = outputFrom(values);
      const again = rerunCommand('compare', values, [...Object.keys(reportFlags), 'quiet'], [a, b, ...patterns]);
      const startedAt = new Date().toISOString();
      const sideOf = (letter: 'A' | 'B', place: string): TargetSide | RunResult =>
        isUrl(place) ? targetSide(letter, place, { ...values, wire }, context) : readRunResult(place);
      const [one, other] = [sideOf('A', a), sideOf('B', b)];
      const runs = await runsOf(context, one, other, { names, seed: values.seed, quiet: values.quiet ?? false, yes: values.yes });
      if (typeof runs === 'number') return runs;
      const result: CompareResult = {
        kind: 'compare',
        suite,
        again,
        startedAt,
        finishedAt: new Date().toISOString(),
        a: side([runs.a, ...(runs.secondOfA ? [runs.secondOfA] : [])], isUrl(a) ? undefined : a),
        b: side([runs.b], isUrl(b) ? undefined : b),
        ...(runs.steadinessUnknown === undefined ? {} : { steadinessUnknown: runs.steadinessUnknown }),
        ...compareRuns(runs.a, runs.b, runs.secondOfA),
      };
      const isWritten = outputResults(context.io, [result], output);
      const code = exitCode(result);
      return isWritten || code === 5 ? code : 6;
    },
  });

const isUrl = (place: string): boolean => /^https?:\/\//i.test(place);
const isResult = (one: TargetSide | RunResult): one is RunResult => 'kind' in one;

async function runsOf(
  context: CliContext,
  a: TargetSide | RunResult,
  b: TargetSide | RunResult,
  settings: Parameters<typeof runBothTargets>[2],
): Promise<RunsToCompare | number> {
  if (!isResult(a) && !isResult(b)) return runBothTargets(context, [a, b], settings);
  const steadinessUnknown = 'a result file is of one run';
  const [resultA, resultB] = [await resultOf(context, a, settings), await resultOf(context, b, settings)];
  if (typeof resultA === 'number' || typeof resultB === 'number')
    return typeof resultA === 'number' ? resultA : (resultB as number);
  return { a: resultA, b: resultB, steadinessUnknown };
}

/** The result of a file, or of a run on the target now; the exit code if the target cannot be tested. */
async function resultOf(
  context: CliContext,
  one: TargetSide | RunResult,
  { names, seed, quiet, yes }: Parameters<typeof runBothTargets>[2],
): Promise<RunResult | number> {
  if (isResult(one)) return one;
  let found: RunResult | undefined;
  const code = await runOnTarget(context, { names, ...one, values: { quiet, yes }, seed }, (result) => {
    found = result;
    return 0;
  });
  return found ?? code;
}

interface SideValues extends PolicyValues {
  readonly profile: string | undefined;
  readonly rate: number | undefined;
  readonly wire: ReturnType<typeof overridesIn>;
}

function targetSide(letter: 'A' | 'B', place: string, values: SideValues, context: CliContext): TargetSide {
  const url = baseUrl(place);
  const files = values.profile?.split(',') ?? [];
  if (files.length > 2) throw new UsageError(`--profile takes one or two files, got ${files.length}.`);
  const file = letter === 'A' ? files[0] : (files[1] ?? files[0]);
  const profile = file === undefined ? {} : readProfile(file);
  const ownVariable = `GIFTCARD_API_KEY_${letter}`;
  const variable = profile.keyEnv ?? (context.environment[ownVariable] ? ownVariable : 'GIFTCARD_API_KEY');
  const target = { ...targetAt(url, keyIn(variable, context), profile, values.rate, context), wire: values.wire };
  const ledger = new LedgerFolder(defaultLedger(url, context.environment), url);
  return { letter, target, policy: letter === 'A' ? budgetForTwoRuns(values, url) : policyFrom(values, url), ledger };
}

/** A default budget is for each run; a budget from a flag is for all runs on the target. */
function budgetForTwoRuns(values: SideValues, url: string): Policy {
  const policy = policyFrom(values, url);
  const doubled = scaledBudget(policy, 2);
  return {
    ...doubled,
    ...(values['max-creates'] === undefined ? {} : { maxCreates: policy.maxCreates }),
    ...(values['max-requests'] === undefined ? {} : { maxRequests: policy.maxRequests }),
    ...(values['max-face-value'] === undefined ? {} : { maxFaceValue: policy.maxFaceValue }),
  };
}

/** Of a file, what was left then is not reported again. */
function side(results: readonly RunResult[], file: string | undefined): Side {
  const [first] = results as readonly [RunResult];
  return {
    target: first.target,
    ...(file === undefined ? {} : { file }),
    mode: first.mode,
    runs: results.length,
    // A second run goes on with the budget of the first, so it has the sum.
    spent: (results.at(-1) ?? first).spent,
    leftBehind: file === undefined ? results.flatMap(leftBehind) : [],
    exits: file === undefined ? results.map(exitCode) : [],
  };
}
