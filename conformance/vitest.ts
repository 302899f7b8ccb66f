import { afterAll, describe, test } from 'vitest';
import type { RuleName } from '../openapi/generated/rules.ts';
import './rules/index.ts';
import './questions/index.ts';
import { withConnection } from '../cli/conformance/connection.ts';
import { UsageError } from '../cli/usage-error.ts';
import { select } from './core/contract.ts';
import { exitCodes } from './core/exit.ts';
import type { RunResult } from './core/result.ts';
import { endingOfRun } from './core/run-ending.ts';
import { cliName } from './core/text.ts';
import { examine } from './core/trust.ts';
import { baseUrl, isLocal, type Profile, readProfile } from './http/target.ts';
import type { ReportItem } from './report/document.ts';
import { leftBehind, runDocument } from './report/run-document.ts';
import { itemText } from './report/text.ts';
import { defaultLedger, LedgerFolder } from './safety/ledger-folder.ts';
import { policyOf } from './safety/policy.ts';

export type { AutomationEvent, ClockControl, ClockRequest, Profile } from './http/target.ts';

export interface ConformanceOptions {
  /** Base URL of a service on this machine. Default: the environment variable GIFTCARD_BASE_URL. */
  readonly target?: string;
  /** API key. Default: the environment variable GIFTCARD_API_KEY. */
  readonly key?: string;
  /** Keys, cards and events that the target offers to the tests. Default: the file in the environment variable GIFTCARD_PROFILE. */
  readonly profile?: Profile;
  /** Rules by name or glob. Default: all. */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** Requests per minute. Default: unlimited. */
  readonly ratePerMinute?: number;
  /** A function that responds to the requests in this process. Default: requests go over the network. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** With 'full', the suite also tests a server that cannot prove that it is the mock. Use 'full' only for your own server, not for a tunnel to a live account. Default: the environment variable GIFTCARD_MODE. */
  readonly mode?: 'full';
}

/**
 * Declares a vitest test for each rule. The target must be on this machine, and must prove to be the mock, unless `mode` is 'full'.
 * The test of a violated rule fails. The test of an untested or observed rule is skipped with the reason.
 * If the target cannot be tested, one test fails with the reason, and the other tests are skipped.
 * Throws UsageError if the target or the key is missing, and for a remote target, because only the command limits the cost of a run.
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

  /** Rejects if the target cannot be tested. */
  const run = async (selected: readonly RuleName[]): Promise<RunResult> => {
    const trust = await examine(target);
    const { place, service, because } = trust;
    if (place === 'remote') throw new Error(`${url}: ${because}. ${useCommand(url)}`);
    const isAllowed = place === 'mock' || (options.mode ?? env.GIFTCARD_MODE) === 'full';
    const policy = { ...policyOf(isAllowed ? 'full' : 'read-only', [], {}), canary: place !== 'mock' };
    const ledger = new LedgerFolder(defaultLedger(service, env), service);
    ledger.ready();
    const messages: string[] = [];
    const io = { stdout: process.stdout, stderr: { write: (text: string) => messages.push(text) } };
    const result = await withConnection({ io, target, trust, policy, ledger, quiet: true }, (connection, signal) => {
      const again = `${cliName} run --target ${url}${place === 'mock' ? '' : ' --mode full'}`;
      if (isAllowed) return connection.run(selected, signal, { again });
      throw new Error(
        `${url} did not prove to be the mock: ${because}. For your own server, set GIFTCARD_MODE=full. Nothing was created.`,
      );
    });
    if (typeof result === 'number') throw new Error(messages.join(''));
    return result;
  };

  describe(`conformance of ${url}`, () => {
    let running: Promise<RunResult> | undefined;
    let items: Promise<readonly ReportItem[]> | undefined;
    for (const name of names) {
      test(name, { timeout: 0 }, async ({ skip, task }) => {
        const isFirst = running === undefined;
        // By now, vitest has applied filters such as `test.only`. The run tests only the rules that remain.
        const selected = (task.suite?.tasks ?? [task]).filter(({ mode }) => mode === 'run');
        running ??= run(names.filter((each) => selected.some((one) => one.name === each)));
        items ??= running.then((result) => runDocument(result).groups.flatMap((group) => group.items));
        const reported = await items.catch((error: unknown) => {
          if (isFirst) throw error;
          return skip('the target cannot be tested');
        });
        const item = reported.find(({ id }) => id === name);
        if (!item) throw new Error(`The run ended without a verdict on ${name}.`);
        if (item.outcome === 'failure' || item.outcome === 'error') throw failureOf(item);
        if (item.status !== 'pass') skip(`${item.status}: ${item.cause}`);
      });
    }

    afterAll(async () => {
      const result = await running?.catch(() => undefined);
      if (!result) return;
      const [left] = leftBehind(result);
      if (left !== undefined) throw new Error(`Left behind: ${left}`);
      const { code, because } = endingOfRun(result);
      if (code > 1) throw new Error([exitCodes[code].word, ...because].join('\n'));
    });
  });
}

const useCommand = (url: string): string => `For a remote target, use the command: ${cliName} run --target ${url}`;

function failureOf(item: ReportItem): Error {
  const error = new Error(itemText(item));
  // The stack would show lines of this file, which do not help the user.
  error.stack = error.message;
  return error;
}

function required(value: string | undefined, what: string, variable: string): string {
  if (!value) throw new UsageError(`No ${what} is given. Set the environment variable ${variable}.`);
  return value;
}
