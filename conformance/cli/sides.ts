import { UsageError } from '../../command-line/usage-error.ts';
import type { Row } from '../../openapi/effective/rows.ts';
import { budgetTimes } from '../compare/both.ts';
import { baseUrl, type Target } from '../core/target.ts';
import { defaultLedger, LedgerFolder } from '../safety/ledger-folder.ts';
import type { Policy } from '../safety/policy.ts';
import type { Asked, Flags, Io } from './command-line.ts';
import { readProfile } from './profile-file.ts';
import { keyIn, limitsOf, targetAt } from './targeting.ts';

/** One of the two targets of a comparison. */
export interface SideAsked {
  readonly letter: 'A' | 'B';
  /** Where progress is shown. */
  readonly screen: Io['stderr'];
  /** As if it alone was asked about: what is said of it begins with its letter. */
  readonly asked: Asked;
  readonly target: Target;
  /** What may be done there altogether. A usual budget is for each of the runs there. */
  readonly policy: Policy;
  readonly file: LedgerFolder;
  /** What is to be said of how it was understood. */
  readonly remark: string | undefined;
}

/** Flags that name the two. */
export const siding = ['a', 'b', 'a-key-env', 'b-key-env', 'a-profile', 'b-profile', 'rate'] as const satisfies (keyof Flags)[];

/** Throws UsageError where something is missing or cannot be used. */
export function sideOf(asked: Asked, side: 'a' | 'b', wire: readonly Row[]): SideAsked {
  const { flags, env } = asked;
  const letter = side === 'a' ? 'A' : 'B';
  const given = flags[side];
  if (given === undefined)
    throw new UsageError(`No ${letter} is given. Say which two services to compare: --a http://127.0.0.1:8460 --b https://…`);
  const url = baseUrl(given);
  const { variable, remark } = variableOf(asked, letter, flags[`${side}-key-env`]);
  const file = flags[`${side}-profile`];
  const key = keyIn({ env }, variable, `--${side}-key-env`);
  const target = { ...targetAt(asked, url, key, file === undefined ? {} : readProfile(file)), wire };
  return {
    letter,
    screen: asked.io.stderr,
    asked: { ...asked, io: saying(asked.io, letter) },
    target,
    policy: totalOf(asked, url, side === 'a' ? 2 : 1),
    file: new LedgerFolder(defaultLedger(url, env), url),
    remark,
  };
}

/** The key of both may stand in one place. */
function variableOf(
  { env }: Asked,
  letter: 'A' | 'B',
  named: string | undefined,
): { variable: string; remark: string | undefined } {
  const usual = `GIFTCARD_API_KEY_${letter}`;
  if (named !== undefined || env[usual] || !env.GIFTCARD_API_KEY) return { variable: named ?? usual, remark: undefined };
  return { variable: 'GIFTCARD_API_KEY', remark: `${usual} is not set: ${letter} is asked with the key of GIFTCARD_API_KEY.` };
}

/** A budget that somebody has set is for all that is done on the target; otherwise each run has the usual one. */
function totalOf(asked: Asked, url: string, runs: 1 | 2): Policy {
  const policy = limitsOf(asked, url);
  if (runs === 1) return policy;
  const { flags } = asked;
  const twice = budgetTimes(policy, 2);
  return {
    ...twice,
    ...(flags['max-creates'] === undefined ? {} : { maxCreates: policy.maxCreates }),
    ...(flags['max-requests'] === undefined ? {} : { maxRequests: policy.maxRequests }),
    ...(flags['max-face-value'] === undefined ? {} : { maxFaceValue: policy.maxFaceValue }),
  };
}

/** The same but that what is said begins with the letter. */
function saying(io: Io, letter: string): Io {
  return {
    stdout: io.stdout,
    stderr: { write: (text: string) => io.stderr.write(text.replace(/^(?=.)/gm, `${letter}: `)) },
    ...(io.fetch ? { fetch: io.fetch } : {}),
  };
}
