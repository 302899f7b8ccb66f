import type { ClauseName } from '../../openapi/generated/clauses.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { checks } from '../core/clause.ts';
import { counted } from '../core/counted.ts';
import { preflight, troubleTold, webhooksPresent } from '../core/preflight.ts';
import type { RunResult } from '../core/result.ts';
import { type RunOptions, runClauses } from '../core/run.ts';
import type { Session } from '../core/session.ts';
import { isLocal } from '../core/target.ts';
import type { Run } from '../core/trial.ts';
import { pending } from '../safety/entries.ts';
import type { LedgerFolder } from '../safety/ledger-folder.ts';
import { describeDamage, describeLeftovers, leftoversIn } from '../safety/leftovers.ts';
import { planRun } from '../safety/planner.ts';
import { describeWebhooks } from '../safety/policy.ts';
import { canaryCost, isCanaryVoided } from '../scenarios/canary.ts';
import type { Asked } from './command-line.ts';
import { swept } from './sweep.ts';

/** What this suite calls itself where it writes down what it found. */
export const suite = `giftcard-sandbox ${packageFile.version}`;

interface Prepared {
  /** What earlier runs have left, a sentence each. */
  readonly leftBefore: readonly string[];
  readonly trouble?: string;
}

/** Takes away first what an earlier run has left, and looks whether the target can be judged. */
export async function prepared(asked: Asked, file: LedgerFolder, session: Session): Promise<Prepared> {
  const { policy } = session.gate;
  const leftovers = await leftoversIn(file, session.target);
  const found = leftovers.entries.length;
  if (found > 0 && policy.mode === 'read-only')
    asked.io.stderr.write(
      `Earlier runs have left ${counted(found, 'card or webhook', 'cards or webhooks')}, and a read-only run takes none away: see sweep.\n`,
    );
  if (found > 0 && policy.mode !== 'read-only') await swept(asked, file, leftovers, session);
  if (policy.mode === 'safe' && leftovers.entries.some((entry) => pending(entry) && !entry.outOfReach)) {
    session.gate.createNothing();
    asked.io.stderr.write(
      'Nothing is created: what earlier runs have left could not be taken away, and neither could this run’s cards.\n',
    );
  }
  const leftBefore = [...describeLeftovers(leftovers, session.target), ...describeDamage(file.damage())];
  const trouble = await preflight(session);
  const troubled = (why: string): Prepared => ({ leftBefore, trouble: [...describeDamage(file.damage()), why].join('\n') });
  if (trouble !== undefined) return troubled(trouble);
  if (policy.mode === 'safe') {
    const present = await webhooksPresent(session);
    if (present.trouble !== undefined) return troubled(troubleTold(present.trouble));
    session.gate.webhooksPresent = present.value;
    if (session.gate.webhooksPresent !== 0 && !policy.allow.has('webhooks'))
      asked.io.stderr.write(
        `Nothing is created: ${describeWebhooks(session.gate.webhooksPresent)}, and each is told of every card that is voided. --allow webhooks lets it.\n`,
      );
  }
  return { leftBefore };
}

interface Judging extends Pick<RunOptions, 'signal' | 'leftBefore' | 'seed' | 'again' | 'onResult'> {
  /** The clauses that were asked for, in the order in which they are judged. */
  readonly names: readonly ClauseName[];
  /** Those of them that can be tried with what the profile offers. */
  readonly able: readonly ClauseName[];
  readonly file: LedgerFolder;
}

/** Judges what fits into the policy of the session, and voids what was created. On somebody's account a first card shows whether others can be taken away. */
export async function judged({ io }: Asked, session: Session, judging: Judging): Promise<RunResult> {
  const { able, file, seed, again, ...others } = judging;
  const { target, gate } = session;
  const plan = planRun(able, gate.policy, gate.webhooksPresent);
  const careful = gate.policy.mode === 'full' && !isLocal(target.url) && plan.total.creates > 1;
  const more = careful ? canaryCost : { requests: 0, creates: 0, faceValue: 0 };
  return runClauses({
    target,
    checks: checks(),
    suite,
    session,
    ledger: file,
    leftOut: plan.leftOut,
    planned: {
      requests: plan.requests + more.requests,
      creates: plan.total.creates + more.creates,
      faceValue: plan.total.faceValue + more.faceValue,
    },
    ...(careful ? { canary: (run: Run) => voidFirstCard(run, io) } : {}),
    ...(seed === undefined ? {} : { seed }),
    ...(again === undefined ? {} : { again }),
    ...others,
  });
}

async function voidFirstCard(run: Run, io: Asked['io']): Promise<boolean> {
  const isGone = await isCanaryVoided(run);
  if (!isGone) io.stderr.write('Nothing more is created: the first card of the run could not be proven gone.\n');
  return isGone;
}
