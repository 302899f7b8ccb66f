import { afterAll, describe, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };
import { checks } from './core/clause.ts';
import './clauses/index.ts';
import './probes/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readProfile } from './cli/profile-file.ts';
import { REPLAY } from './core/cli-name.ts';
import { neverAnswered } from './core/endpoints.ts';
import { exitCode } from './core/exit.ts';
import { preflight } from './core/preflight.ts';
import type { ClauseResult, RunResult } from './core/result.ts';
import { runClauses } from './core/run.ts';
import { select } from './core/select.ts';
import { openSession } from './core/session.ts';
import { baseUrl, isLocal, type Profile } from './core/target.ts';
import { excerpt } from './http/excerpt.ts';
import { causeOf, unnumbered } from './report/causes.ts';
import { failureText } from './report/failure.ts';
import { exitTold, headline } from './report/headline.ts';
import { leftBehind } from './report/text.ts';
import { defaultLedger, LedgerFolder } from './safety/ledger-folder.ts';

export type { Profile } from './core/target.ts';

export interface ConformanceOptions {
  /** Base URL of the service, on this machine; without it, GIFTCARD_BASE_URL. */
  readonly target?: string;
  /** Without it, GIFTCARD_API_KEY. */
  readonly key?: string;
  /** What else the target offers; without it, the file that GIFTCARD_PROFILE names, if any. */
  readonly profile?: Profile;
  /** Clauses by name or glob; without any, all. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Requests per minute; without it, as fast as the target answers. */
  readonly ratePerMinute?: number;
  /** Answers the requests instead of a socket. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * Declares every clause of the specification as a test against a service on this machine: what is violated fails; what could not be judged, or is only
 * observed, is skipped with the reason. Only those that vitest is asked to run are judged, and what they create is voided at the end; what could not be
 * stands in the ledger of the command. Where the target cannot be judged at all, one test fails with the reason and the others are skipped. Throws where
 * the target or its key is not given, or where the target is somebody's live account, for which the command has budgets.
 */
export function conformance(options: ConformanceOptions = {}): void {
  const { env } = process;
  const url = baseUrl(given(options.target ?? env.GIFTCARD_BASE_URL, 'target', 'GIFTCARD_BASE_URL'));
  if (!isLocal(url))
    throw new UsageError(
      `${url} is not on this machine. Use the command for it: giftcard-sandbox conformance run --target ${url}`,
    );
  const target = {
    url,
    key: given(options.key ?? env.GIFTCARD_API_KEY, 'key', 'GIFTCARD_API_KEY'),
    profile: options.profile ?? (env.GIFTCARD_PROFILE ? readProfile(env.GIFTCARD_PROFILE) : {}),
    ...(options.ratePerMinute === undefined ? {} : { ratePerMinute: options.ratePerMinute }),
    ...(options.fetch ? { fetch: options.fetch } : {}),
  };
  const names = select({ names: options.only ?? [], skip: options.skip ?? [], level: undefined });
  const again = `${REPLAY} --target ${url}`;
  const configuration = { again, profile: Object.keys(target.profile) };

  describe(`conformance of ${url}`, () => {
    const judged = new Map<string, Judged>(names.map((name) => [name, awaited()]));
    let running: Promise<RunResult | undefined> | undefined;
    /** Why nothing can be judged, and whether a test has failed with that. */
    let [trouble, isTold]: [string | undefined, boolean] = [undefined, false];
    const clauses: ClauseResult[] = [];
    /** Of which clause a cause was told in full. */
    const told = new Map<string, string>();

    const failure = (found: ClauseResult) => {
      const says = causeOf(found, neverAnswered({ clauses }));
      const first = told.get(unnumbered(says));
      if (first === undefined) told.set(unnumbered(says), found.name);
      const error = new Error(first === undefined ? failureText(found, { configuration }) : `${says} (as of ${first})`);
      // Where in this file it was thrown tells nobody anything.
      error.stack = error.message;
      return error;
    };

    /** Judges the tests that vitest was asked to run, which are not known before the first one runs. */
    const begin = (tests: readonly { readonly name: string; readonly mode: string }[]) => {
      const asked = new Set(tests.filter(({ mode }) => mode === 'run').map(({ name }) => name));
      const run = start(asked);
      // Who waits for a verdict is told, and so is the end.
      run.catch(() => undefined);
      return run;
    };

    const start = async (asked: ReadonlySet<string>): Promise<RunResult | undefined> => {
      const session = openSession(target);
      const ledger = new LedgerFolder(defaultLedger(url, env), url);
      try {
        ledger.ready();
        trouble = await preflight(session);
        if (trouble !== undefined) return undefined;
        return await runClauses({
          target,
          session,
          ledger,
          names: names.filter((name) => asked.has(name)),
          checks: checks(),
          suite: `giftcard-sandbox ${packageFile.version}`,
          again,
          onResult: (result) => {
            clauses.push(result);
            judged.get(result.name)?.resolve(result);
          },
        });
      } finally {
        await session.client.close();
        ledger.close();
      }
    };

    for (const [name, { result }] of judged) {
      test(name, { timeout: 0 }, async ({ skip, task }) => {
        running ??= begin(task.suite?.tasks ?? [task]);
        const found = await Promise.race([result, running.then(() => undefined)]);
        if (trouble !== undefined && isTold) skip('the target cannot be judged');
        isTold ||= trouble !== undefined;
        if (!found) throw new Error(trouble ?? `The run ended without a verdict on ${name}.`);
        const isUnjudged = found.verdict === 'error' || found.verdict === 'blocked';
        if (isUnjudged || (found.verdict === 'fail' && found.level !== 'robustness')) throw failure(found);
        if (found.verdict !== 'pass') skip(why(found));
      });
    }

    afterAll(async () => {
      const result = await running;
      if (!result) return;
      const [left] = leftBehind(result);
      if (left !== undefined) throw new Error(`Left behind: ${left}`);
      if (exitCode(result) > 1) throw new Error([headline(result), ...exitTold(result)].join('\n'));
    }, 120_000);
  });
}

interface Judged {
  readonly result: Promise<ClauseResult>;
  resolve(result: ClauseResult): void;
}

function awaited(): Judged {
  let resolve: Judged['resolve'] = () => undefined;
  const result = new Promise<ClauseResult>((done) => {
    resolve = done;
  });
  return { result, resolve: (found) => resolve(found) };
}

const why = ({ verdict, reason, detail, observation, got }: ClauseResult) =>
  excerpt([reason ?? verdict, observation?.text ?? detail ?? got].filter(Boolean).join(': '));

function given(value: string | undefined, what: string, variable: string): string {
  if (!value) throw new UsageError(`No ${what} is given. Set the environment variable ${variable}.`);
  return value;
}
