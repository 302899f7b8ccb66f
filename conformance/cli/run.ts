import { type Baseline, baselineOf, readBaseline, withBaseline, writeBaseline } from '../core/baseline.ts';
import { REPLAY } from '../core/cli-name.ts';
import { exitCode } from '../core/exit.ts';
import { mayWrite } from '../core/files.ts';
import { knownWire, withFacts } from '../learn/known.ts';
import { againOf } from './again.ts';
import { type Asked, type Command, selected, selecting } from './command-line.ts';
import { listing } from './list.ts';
import { baselineTold, unfitForBaseline } from './new-baseline.ts';
import { outputOf, rendered, reporting, writeReports, written } from './output.ts';
import { factsOf, ledgerOf, limiting, limitsOf, targeting, targetOf, wholeNumber } from './targeting.ts';
import { wholeRun } from './whole-run.ts';

/** Flags that bear on what is shown and not on what is found. */
const showing = [...reporting, 'baseline', 'write-baseline', 'old-after', 'quiet', 'list'] as const;

export const run: Command = { takes: [...targeting, ...limiting, ...selecting, ...showing, 'facts', 'seed'], run: judge };

async function judge(asked: Asked): Promise<number> {
  const { flags, io } = asked;
  if (flags.list) return listing(asked);
  const names = selected(asked);
  const facts = await factsOf(asked);
  const target = { ...targetOf(asked), wire: knownWire(facts) };
  const policy = limitsOf(asked, target.url);
  const baseline: Baseline = flags.baseline === undefined ? new Map() : readBaseline(flags.baseline);
  if (flags['write-baseline'] !== undefined) mayWrite(flags['write-baseline'], 'baseline');
  const output = outputOf(flags, 'text');
  const seed = wholeNumber(flags.seed, '--seed');
  const file = ledgerOf(asked);
  // The clause's name goes behind it, in the place of those that were asked for.
  const again = againOf(REPLAY, flags, [...selecting, ...showing]);
  return wholeRun(asked, { names, target, policy, file, seed, again, baseline }, async (found, session) => {
    const fits = flags['write-baseline'];
    const unfit = fits === undefined ? undefined : await unfitForBaseline(found, session);
    const fitting = fits === undefined || unfit !== undefined ? baseline : baselineOf(found, baseline);
    const fitted = withBaseline(found, fitting);
    const result = facts ? withFacts(fitted, facts) : fitted;
    io.stdout.write(rendered([result], output.printed, output.out));
    const isWritten = written(io, () => {
      if (output.out !== undefined) writeReports([result], output.named, output.out);
      if (fits !== undefined && unfit === undefined) writeBaseline(fits, fitting);
    });
    const code = exitCode(result);
    if (fits !== undefined && isWritten) io.stderr.write(baselineTold(fits, unfit, found));
    if (!isWritten) return code === 5 ? code : 6;
    return unfit === undefined || stronger.has(code) ? code : 4;
  });
}

/** Exit codes that say more than that there is no baseline. */
const stronger = new Set([5, 6, 130]);
