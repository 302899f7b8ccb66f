import packageFile from '../../package.json' with { type: 'json' };
import { type Baseline, baselineOf, mayWrite, readBaseline, withBaseline, writeBaseline } from '../baseline.ts';
import { checks } from '../clause.ts';
import { type Asked, type Command, type Flags, selected, selecting } from '../command-line.ts';
import { readFacts } from '../facts/file.ts';
import { withFacts } from '../facts/known.ts';
import { preflight, webhooksPresent } from '../preflight.ts';
import { noProgress, progress } from '../progress.ts';
import { realTime } from '../rate.ts';
import { shellWord } from '../report/escape.ts';
import { leftBehind } from '../report/text.ts';
import { exitCode, REPLAY } from '../result.ts';
import { makeable, runClauses } from '../run.ts';
import { canaryCost } from '../safety/canary.ts';
import { pending } from '../safety/entries.ts';
import type { LedgerFile } from '../safety/ledger-file.ts';
import { damagedTold, leftoversIn, leftToldOf } from '../safety/leftovers.ts';
import { planned } from '../safety/planner.ts';
import { webhooksTold } from '../safety/policy.ts';
import { openSession, type Session } from '../session.ts';
import { isLocal, withReceiver } from '../target.ts';
import { agreed, interruptible, toldWaiting } from './asking.ts';
import { listing } from './list.ts';
import { outputOf, rendered, reporting, writeReports } from './output.ts';
import { planTold } from './plan.ts';
import { swept } from './sweep.ts';
import { ledgerOf, limiting, limitsOf, targeting, targetOf, wholeNumber } from './targeting.ts';

/** Flags that bear on what is shown and not on what is found. */
const showing = [...reporting, 'baseline', 'write-baseline', 'facts', 'quiet', 'list'] as const;

export const run: Command = { takes: [...targeting, ...limiting, ...selecting, ...showing, 'seed'], run: judge };

async function judge(asked: Asked): Promise<number> {
  const { flags, io } = asked;
  if (flags.list) return listing(asked);
  const names = selected(asked);
  const target = targetOf(asked);
  const policy = limitsOf(asked, target.url);
  const baseline: Baseline = flags.baseline === undefined ? new Map() : readBaseline(flags.baseline);
  const facts = flags.facts === undefined ? undefined : await readFacts(flags.facts);
  if (flags['write-baseline'] !== undefined) mayWrite(flags['write-baseline']);
  const output = outputOf(flags, 'text');
  const seed = wholeNumber(flags.seed, '--seed');
  const file = ledgerOf(asked);
  const able = makeable(names, checks(), withReceiver(target), policy);
  file.ready();
  await agreed(asked, target.url, policy, planTold(planned(able, policy), policy, target.ratePerMinute));
  const shown = flags.quiet ? noProgress : progress(names, io.stderr, realTime.now);
  const session = openSession(target, toldWaiting(shown.waits), policy);
  const { signal, done } = interruptible(io);
  try {
    const { leftBefore, trouble } = await prepared(asked, file, session);
    if (trouble !== undefined) {
      io.stderr.write(`${trouble}\n`);
      return leftBefore.length > 0 ? 5 : 3;
    }
    const plan = planned(able, session.gate.policy, session.gate.webhooksPresent);
    const careful = policy.mode === 'full' && !isLocal(target.url) && plan.total.creates > 1;
    const more = careful ? canaryCost : { requests: 0, creates: 0, faceValue: 0 };
    const found = await runClauses({
      target,
      names,
      checks: checks(),
      suite: `giftcard-sandbox ${packageFile.version}`,
      session,
      ledger: file,
      signal,
      leftOut: plan.leftOut,
      leftBefore,
      planned: {
        requests: plan.requests + more.requests,
        creates: plan.total.creates + more.creates,
        faceValue: plan.total.faceValue + more.faceValue,
      },
      ...(careful ? { canary: (sentence: string) => void io.stderr.write(`${sentence}\n`) } : {}),
      ...(seed === undefined ? {} : { seed }),
      again: againOf(flags),
      onResult: shown.judged,
    }).finally(shown.end);
    // Before anything else can go wrong.
    for (const sentence of leftBehind(found)) io.stderr.write(`LEFT BEHIND  ${sentence}\n`);
    const fitting = flags['write-baseline'] === undefined ? baseline : baselineOf(found, baseline);
    const judged = withBaseline(found, fitting);
    const result = facts ? withFacts(judged, facts) : judged;
    io.stdout.write(rendered([result], output.named[0] ?? 'text', output.out));
    const isWritten = written(io, () => {
      if (output.out !== undefined) writeReports([result], ['json', 'text', 'html', ...output.named], output.out);
      if (flags['write-baseline'] !== undefined) writeBaseline(flags['write-baseline'], fitting);
    });
    const code = exitCode(result);
    return isWritten || code === 5 ? code : 6;
  } finally {
    done();
    await session.client.close();
    file.close();
  }
}

/** Whether the files could be written. What was found stands on standard output in any case. */
function written(io: Asked['io'], write: () => void): boolean {
  try {
    write();
    return true;
  } catch (error) {
    io.stderr.write(`What was found could not be written down: ${(error as Error).message}\n`);
    return false;
  }
}

interface Prepared {
  /** What earlier runs have left, a sentence each. */
  readonly leftBefore: readonly string[];
  readonly trouble?: string;
}

/** Takes away first what an earlier run has left, and looks whether the target can be judged. */
async function prepared(asked: Asked, file: LedgerFile, session: Session): Promise<Prepared> {
  const { policy } = session.gate;
  const leftovers = await leftoversIn(file, session.target);
  const found = leftovers.entries.length;
  if (found === 0 && file.damaged > 0) asked.io.stderr.write(`${damagedTold(file)}\n`);
  if (found > 0 && policy.mode === 'read-only')
    asked.io.stderr.write(`Earlier runs have left ${found} cards or webhooks, and a read-only run takes none away: see sweep.\n`);
  if (found > 0 && policy.mode !== 'read-only') await swept(asked, file, leftovers, session);
  if (policy.mode === 'safe' && leftovers.entries.some((entry) => pending(entry) && !entry.outOfReach)) {
    session.gate.createNothing();
    asked.io.stderr.write(
      'Nothing is created: what earlier runs have left could not be taken away, and neither could this run’s cards.\n',
    );
  }
  const leftBefore = [...leftToldOf(leftovers), ...(file.damaged > 0 ? [damagedTold(file)] : [])];
  const trouble = await preflight(session);
  if (trouble !== undefined) return { leftBefore, trouble };
  if (policy.mode === 'safe') {
    const present = await webhooksPresent(session);
    if (present.trouble !== undefined) return { leftBefore, trouble: present.trouble };
    session.gate.webhooksPresent = present.value;
    if (session.gate.webhooksPresent !== 0 && !policy.allow.has('webhooks'))
      asked.io.stderr.write(
        `Nothing is created: ${webhooksTold(session.gate.webhooksPresent)}, and each is told of every card that is voided. --allow webhooks lets it.\n`,
      );
  }
  return { leftBefore };
}

/** The command that judges a clause of this run once more, but for its name: with every flag that bears on the verdict. */
function againOf(flags: Flags): string {
  // Whoever repeats it on a live account is asked for themselves.
  const without: readonly string[] = [...selecting, ...showing, 'yes'];
  const words = Object.entries(flags).flatMap(([flag, value]) => {
    if (without.includes(flag)) return [];
    return [value].flat().flatMap((each) => (each === true ? [`--${flag}`] : [`--${flag}`, String(each)]));
  });
  return [REPLAY, ...words.map(shellWord)].join(' ');
}
