import { afterAll, describe, test } from 'vitest';
import type { ClauseName } from '../openapi/generated/clauses.ts';
import { checks } from './core/clause.ts';
import './clauses/index.ts';
import './probes/index.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { readProfile } from './cli/profile-file.ts';
import { neverAnswered } from './core/endpoints.ts';
import { ending, exitWords, failsRun } from './core/exit.ts';
import { preflight } from './core/preflight.ts';
import type { ClauseResult, RunResult } from './core/result.ts';
import { runClauses } from './core/run.ts';
import { select } from './core/select.ts';
import { openSession } from './core/session.ts';
import { baseUrl, isLocal, type Profile } from './core/target.ts';
import { cliName, excerpt, suite } from './core/text.ts';
import { examine } from './core/trust.ts';
import { causeOf } from './report/causes.ts';
import { clauseItem, leftBehind } from './report/run-document.ts';
import { itemText } from './report/text.ts';
import { defaultLedger, LedgerFolder } from './safety/ledger-folder.ts';
import { isCanaryVoided } from './scenarios/cards.ts';

export type { Profile } from './core/target.ts';

export interface ConformanceOptions {
  /** Base URL of a service on this machine. Default: the environment variable GIFTCARD_BASE_URL. */
  readonly target?: string;
  /** API key. Default: the environment variable GIFTCARD_API_KEY. */
  readonly key?: string;
  /** Keys, cards and events that the target offers to the tests. Default: the file in the environment variable GIFTCARD_PROFILE. */
  readonly profile?: Profile;
  /** Clauses by name or glob. Default: all. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Requests per minute. Default: unlimited. */
  readonly ratePerMinute?: number;
  /** A function that answers the requests in this process. Default: requests go over the network. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** With 'full', the suite also tests a server that cannot prove that it is the mock. Use 'full' only for your own server, not for a tunnel to a live account. Default: the environment variable GIFTCARD_MODE. */
  readonly mode?: 'full';
}

/**
 * Declares a vitest test for each clause. The target must be a service on this machine.
 * The test of a violated clause fails. The test of an untested or observed clause is skipped with the reason.
 * If the target cannot be tested, one test fails with the reason, and the other tests are skipped.
 * The target must prove to be the mock, unless `mode` is 'full'.
 * The suite voids the cards that it created. The ledger command lists cards that could not be voided.
 * Throws UsageError if the target or the key is missing.
 * Throws UsageError for a remote target, because only the command limits the cost of a run.
 */
export function conformance(options: ConformanceOptions = {}): void {
  const { env } = process;
  const url = baseUrl(required(options.target ?? env.GIFTCARD_BASE_URL, 'target', 'GIFTCARD_BASE_URL'));
  if (!isLocal(url)) throw new UsageError(`${url} is not on this machine. ${useCommand(url)}`);
  const target = {
    url,
    key: required(options.key ?? env.GIFTCARD_API_KEY, 'key', 'GIFTCARD_API_KEY'),
    profile: options.profile ?? (env.GIFTCARD_PROFILE ? readProfile(env.GIFTCARD_PROFILE) : {}),
    ...(options.ratePerMinute === undefined ? {} : { ratePerMinute: options.ratePerMinute }),
    ...(options.fetch ? { fetch: options.fetch } : {}),
  };
  const names = select({ names: options.only ?? [], skip: options.skip ?? [], level: undefined });

  const run = async (selected: readonly ClauseName[]): Promise<RunResult | string> => {
    const session = openSession(target);
    try {
      const { place, service, because } = await examine(target);
      if (place === 'remote') return `${url}: ${because}. ${useCommand(url)}`;
      const ledger = new LedgerFolder(defaultLedger(service, env), service);
      ledger.ready();
      const trouble = await preflight(session);
      if (trouble !== undefined) return trouble;
      if (place === 'near' && (options.mode ?? env.GIFTCARD_MODE) !== 'full')
        return `${url} did not prove to be the mock: ${because}. For your own server, set GIFTCARD_MODE=full. Nothing was created.`;
      return await runClauses({
        target,
        session,
        ledger,
        names: selected,
        checks: checks(),
        canary: place === 'mock' ? undefined : isCanaryVoided,
        suite,
        again: `${cliName} run --target ${url}`,
      });
    } finally {
      await session.client.close();
    }
  };

  describe(`conformance of ${url}`, () => {
    let running: Promise<RunResult | string> | undefined;
    for (const name of names) {
      test(name, { timeout: 0 }, async ({ skip, task }) => {
        const isFirst = running === undefined;
        // By now, vitest has applied filters such as `test.only`. The run tests only the clauses that remain.
        const selected = (task.suite?.tasks ?? [task]).filter(({ mode }) => mode === 'run');
        running ??= run(names.filter((each) => selected.some((one) => one.name === each)));
        const result = await running;
        if (typeof result === 'string') {
          if (isFirst) throw new Error(result);
          return skip('the target cannot be tested');
        }
        const clause = result.clauses.find((each) => each.name === name);
        if (!clause) throw new Error(`The run ended without a verdict on ${name}.`);
        const { verdict } = clause;
        if (verdict === 'error' || verdict === 'blocked' || failsRun(clause, result)) throw failureOf(clause, result);
        if (verdict !== 'pass') skip(skipReason(clause));
      });
    }

    afterAll(async () => {
      const result = await running;
      if (result === undefined || typeof result === 'string') return;
      const [left] = leftBehind(result);
      if (left !== undefined) throw new Error(`Left behind: ${left}`);
      const { code, because } = ending(result);
      if (code > 1) throw new Error([exitWords[code], ...because].join('\n'));
    });
  });
}

const useCommand = (url: string): string => `For a remote target, use the command: ${cliName} run --target ${url}`;

function failureOf(clause: ClauseResult, result: RunResult): Error {
  const error = new Error(itemText(clauseItem(clause, result, causeOf(clause, neverAnswered(result)))));
  // The stack would show lines of this file, which do not help the user.
  error.stack = error.message;
  return error;
}

const skipReason = ({ verdict, reason, detail, observation, got }: ClauseResult) =>
  excerpt([reason ?? verdict, observation?.text ?? detail ?? got].filter(Boolean).join(': '));

function required(value: string | undefined, what: string, variable: string): string {
  if (!value) throw new UsageError(`No ${what} is given. Set the environment variable ${variable}.`);
  return value;
}
