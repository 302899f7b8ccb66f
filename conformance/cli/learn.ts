import { existsSync } from 'node:fs';
import { UsageError } from '../../command-line/usage-error.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { called } from '../core/cli-name.ts';
import { clauseTexts } from '../core/contract.ts';
import { exitCode } from '../core/exit.ts';
import { type FactsFile, readFacts } from '../learn/file.ts';
import { knownWire, namesOf, withFacts } from '../learn/known.ts';
import { learned } from '../learn/learned.ts';
import { learnedTold } from '../learn/told.ts';
import { mayWriteFacts, updateFacts, writeFacts } from '../learn/written.ts';
import { shellWord } from '../report/escape.ts';
import { effectKindsOfCheck } from '../safety/planner.ts';
import { type Asked, selected, selecting } from './command-line.ts';
import { ledgerOf, limitsOf, targeting, targetOf } from './targeting.ts';
import { wholeRun } from './whole-run.ts';

/** Flags of facts learn. */
export const learning = [
  ...targeting,
  'mode',
  'allow',
  'max-creates',
  'max-requests',
  'max-face-value',
  'yes',
  ...selecting,
  'out',
  'force',
  'old-after',
  'quiet',
] as const;

/**
 * Asks a target what the specification leaves open, with as little as possible: what looking alone can answer comes first, and cards are made within the
 * budget. What was seen goes into a facts file, beside what was known before.
 */
export async function learn(asked: Asked): Promise<number> {
  const { flags, io } = asked;
  const names = readsFirst(questionsIn(asked));
  const target = targetOf(asked);
  const policy = limitsOf(asked, target.url);
  const out = flags.out ?? 'facts.yaml';
  const { before, anew } = await knownBefore(out, target.url, flags.force === true);
  const file = ledgerOf(asked);
  return wholeRun(
    asked,
    { names, target: { ...target, wire: knownWire(before) }, policy, file },
    async (result, { names: masked }) => {
      const { file: known, leftOut } = learned(result, before, masked);
      const beside = withFacts(result, before);
      const number = beside.clauses.filter(({ observation }) => observation).length;
      const write = anew ? writeFacts : updateFacts;
      const failed = number === 0 ? undefined : await write(out, known).catch((error: Error) => error);
      io.stdout.write(learnedTold(beside, leftOut, number === 0 || failed ? undefined : out));
      if (failed) io.stderr.write(`${failed.message}\n`);
      const code = exitCode(result);
      if (failed) return code === 5 ? code : 6;
      // What could not be answered is told; something that was is what was wanted.
      return code === 4 && number > 0 ? 0 : code;
    },
  );
}

/** What was asked for, as far as it asks something. Throws UsageError where nothing does. */
function questionsIn(asked: Asked): ClauseName[] {
  const names = selected(asked).filter((name) => clauseTexts.get(name)?.behaviors !== undefined);
  if (names.length > 0) return names;
  throw new UsageError(
    'None of these clauses is open or ambiguous, so that there is nothing to learn of them; see list --level open.',
  );
}

/** Those first that looking alone can answer. */
const readsFirst = (names: readonly ClauseName[]): ClauseName[] =>
  names.toSorted((one, other) => Number(effectKindsOfCheck(one).length > 0) - Number(effectKindsOfCheck(other).length > 0));

interface Before {
  readonly before: FactsFile;
  /** Nothing of the file stays. */
  readonly anew: boolean;
}

/** What the file holds already. Throws UsageError for one that cannot be used or written, for one of another target, and for what somebody wrote of none. */
async function knownBefore(file: string, target: string, force: boolean): Promise<Before> {
  mayWriteFacts(file);
  if (!existsSync(file)) return { before: {}, anew: true };
  const before = await readFacts(file);
  const of = before.about?.target;
  if (of !== undefined && of !== target) {
    if (force) return { before: {}, anew: true };
    throw new UsageError(
      `The facts file ${file} is of ${of}, and not of ${target}. Name another with --out, or say --force to write it anew. Nothing was sent.`,
    );
  }
  const chosen = namesOf(before).filter((name) => before.pinned?.[name] === undefined);
  if (of === undefined && chosen.length > 0 && !force) throw new UsageError(byHand(file, target, chosen, before));
  return { before, anew: false };
}

function byHand(file: string, target: string, chosen: readonly ClauseName[], before: FactsFile): string {
  const [first] = chosen;
  const more = chosen.length > 1 ? ` and ${chosen.length - 1} more` : '';
  const pins = chosen.flatMap((name) => (before.facts?.[name] === undefined ? [] : [`${name}=${before.facts[name]}`]));
  const pin = `${called} facts pin ${[file, ...pins].map(shellWord).join(' ')}`;
  return [
    `The facts file ${file} does not say of which deployment it is: what it says of ${first}${more} was written by hand, and would give way to what is seen of ${target}.`,
    ...(pins.length > 0 ? [`Keep it with ${pin}.`] : []),
    'Name another file with --out, or say --force to let it give way; what is not seen, rows of wire and comments stay in either case. Nothing was sent.',
  ].join(' ');
}
