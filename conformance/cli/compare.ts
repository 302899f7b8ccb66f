import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compared } from '../compare/compared.ts';
import { type Comparison, exitOf, type Side } from '../compare/comparison.ts';
import { comparisonForms, type FormName } from '../compare/forms.ts';
import { calledAnywhere } from '../core/cli-name.ts';
import { exitCode } from '../core/exit.ts';
import type { RunResult } from '../core/result.ts';
import { openSession } from '../core/session.ts';
import { knownWire } from '../learn/known.ts';
import { resultJson } from '../report/result-file.ts';
import { leftBehind } from '../report/run-document.ts';
import { againOf } from './again.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import { type Asked, type Command, selected, selecting } from './command-line.ts';
import { prepared, suite } from './judging.ts';
import { offeredOf, onePlan } from './one-plan.ts';
import { type Output, outputIn, reporting, written } from './output.ts';
import { planTold } from './plan.ts';
import { sideOf, siding } from './sides.ts';
import { factsOf, limiting, wholeNumber } from './targeting.ts';
import { type OpenSide, type ThreeRuns, threeRuns, together, waitsOf } from './three-runs.ts';

/** Flags that bear on what is shown and not on what is found. */
const showing = [...reporting, 'quiet'] as const;

/** One plan on two targets, and where they differ. */
export const compare: Command = {
  takes: [...siding, 'facts', ...limiting, ...selecting, ...showing, 'seed'],
  run: compareTargets,
};

async function compareTargets(asked: Asked): Promise<number> {
  const { flags, io } = asked;
  const names = selected(asked);
  const wire = knownWire(await factsOf(asked));
  const [a, b] = [sideOf(asked, 'a', wire), sideOf(asked, 'b', wire)];
  const output = outputIn(flags, 'text', comparisonForms);
  const seed = wholeNumber(flags.seed, '--seed');
  const offered = offeredOf(a, b);
  for (const { file } of [a, b]) file.ready();
  const nothingPresent = ({ policy }: typeof a) => ({ policy, webhooksPresent: 0 });
  const shown = onePlan(names, offered.a, nothingPresent(a), nothingPresent(b));
  for (const { remark } of [a, b]) if (remark !== undefined) io.stderr.write(`${remark}\n`);
  for (const { target, policy } of [a, b]) {
    const times = target === a.target && shown.twice ? 'Twice, since only what is steady on A can be compared:\n' : '';
    await agreed(asked, target.url, policy, times + planTold(shown.plan, shown.policy, target.ratePerMinute));
  }
  const open = (side: typeof a): Omit<OpenSide, 'leftBefore'> => ({
    ...side,
    offered: side === a ? offered.a : offered.b,
    session: openSession(side.target, toldWaiting(waitsOf(side).waits), side.policy),
  });
  const sides = [open(a), open(b)] as const;
  const readied = ({ asked: own, file, session }: (typeof sides)[number]) => prepared(own, file, session);
  const { signal, done } = interruptible(io);
  const startedAt = new Date().toISOString();
  try {
    const ready = await together(readied(sides[0]), readied(sides[1]));
    const troubles = ready.flatMap(({ trouble }) => trouble ?? []);
    for (const trouble of troubles) io.stderr.write(`${trouble}\n`);
    if (troubles.length > 0) return ready.some(({ leftBefore }) => leftBefore.length > 0) ? 5 : 3;
    const { plan, twice } = onePlan(names, offered.a, sides[0].session.gate, sides[1].session.gate);
    const [one, other] = sides.map((side, index): OpenSide => ({ ...side, leftBefore: ready[index]?.leftBefore ?? [] }));
    if (!one || !other) throw new Error('A comparison has two sides.');
    const ran = await threeRuns(one, other, { names: plan.chosen, twice, seed, signal, quiet: flags.quiet ?? false });
    const comparison: Comparison = {
      suite,
      again: againOf(`${calledAnywhere} compare`, flags, showing, asked.words),
      startedAt,
      finishedAt: new Date().toISOString(),
      a: sideTold(one, ran.again ? [ran.a.result, ran.again.result] : [ran.a.result]),
      b: sideTold(other, [ran.b.result]),
      ...noiseUnknown(ran, signal.aborted),
      ...compared(ran.a, ran.b, ran.again),
    };
    io.stdout.write(comparisonForms[output.printed].render(comparison));
    const code = exitOf(comparison);
    const isWritten = written(io, () => writeComparison(comparison, ran, output));
    return isWritten || code === 5 ? code : 6;
  } finally {
    done();
    await Promise.all(sides.map(({ session }) => session.client.close()));
    for (const { file } of sides) file.close();
  }
}

function sideTold({ target, session }: OpenSide, results: readonly RunResult[]): Side {
  return {
    target: target.url,
    mode: session.gate.policy.mode,
    spent: { ...session.gate.spent },
    runs: results.length,
    leftBehind: results.flatMap(leftBehind),
    exits: results.map(exitCode),
  };
}

function noiseUnknown({ again }: ThreeRuns, brokenOff: boolean): Pick<Comparison, 'noiseUnknown'> {
  if (again) return {};
  return { noiseUnknown: brokenOff ? 'it was broken off' : 'the budget of A has no room for a second run' };
}

/** All forms, and what each run found as run writes it, for report and diff. */
function writeComparison(comparison: Comparison, { a, b }: ThreeRuns, { named, out }: Output<FormName>): void {
  if (out === undefined) return;
  for (const name of new Set<FormName>(['json', 'text', ...named])) {
    const { file, render } = comparisonForms[name];
    writeFileSync(join(out, file), render(comparison));
  }
  for (const [file, { result }] of [
    ['a.json', a],
    ['b.json', b],
  ] as const)
    writeFileSync(join(out, file), resultJson([result]));
}
