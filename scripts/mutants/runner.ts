import { type Check, checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import { preflight } from '../../conformance/core/preflight.ts';
import type { ClauseResult } from '../../conformance/core/result.ts';
import { runClauses } from '../../conformance/core/run.ts';
import { openSession } from '../../conformance/core/session.ts';
import { silent } from '../../mock/server/log.ts';
import { start } from '../../mock/server/start.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';
import type { Mutant } from './mutants.ts';
import type { Mutation } from './mutation.ts';

export interface MutantResult {
  readonly mutant: Mutant;
  readonly isKilled: boolean;
  /** The report of the clause's test, or the reason why the mutant survives. */
  readonly why: string;
}

/** Runs mutants, each in its own mock, with the test of the violated clause. */
export class MutantRunner {
  readonly #unmutated = new Map<ClauseName, Promise<string | undefined>>();

  /** Runs the test of the clause. Only a reported violation kills a mutant: untested, blocked, error and a 5xx answer do not count. */
  async run(mutant: Mutant): Promise<MutantResult> {
    const survives = (why: string): MutantResult => ({ mutant, isKilled: false, why });
    try {
      const check = checks().find(({ name }) => name === mutant.clause);
      if (!check) return survives('the clause has no test');
      const invalid = await this.#whyInvalid(check);
      if (invalid !== undefined) return survives(invalid);
      const result = await runOne(check, mutant.make());
      if (result.verdict !== 'fail') return survives(described(result));
      const isRobustness = result.level === 'robustness';
      if (!isRobustness && result.exchanges.some(({ status }) => status >= 500))
        return survives(`the mock breaks with 5xx: ${described(result)}`);
      const broken = await brokenUse(mutant.make());
      if (broken !== undefined) return survives(`the mutant breaks what every test needs (${broken}): ${described(result)}`);
      return { mutant, isKilled: true, why: described(result) };
    } catch (error) {
      return survives(`the mutant throws: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Returns the reason why a test cannot kill mutants, such as a failure on the unchanged mock. */
  #whyInvalid(check: Check): Promise<string | undefined> {
    const known = this.#unmutated.get(check.name);
    if (known) return known;
    const result = runOne(check).then((each) =>
      each.verdict === 'pass' ? undefined : `the test of the clause does not pass on the unchanged mock: ${described(each)}`,
    );
    this.#unmutated.set(check.name, result);
    return result;
  }
}

/** Runs one test on its own mock, with or without a mutation. */
async function runOne(check: Check, { options, ...seams }: Mutation = {}): Promise<ClauseResult> {
  const isLimited = check.burst === true;
  const mock = await start({ listen: false, ...(isLimited ? {} : { rateLimit: 'off' }), ...options }, silent, seams);
  try {
    const profile = { ...defaultWorldProfile, mayVoidFixtures: true, noRateLimit: !isLimited };
    const target = { url: mock.url, key: mock.apiKey, profile, fetch: (request: Request) => mock.fetch(request) };
    // Most mocks here have no rate limit, so the suite need not wait between requests.
    const session = openSession(target, { now: () => performance.now(), sleep: async () => {} });
    await preflight(session);
    const { clauses } = await runClauses({ target, names: [check.name], checks: [check], suite: 'mutants', session });
    await session.client.close();
    const [result] = clauses;
    if (!result) throw new Error(`The run has no result for ${check.name}.`);
    return result;
  } finally {
    await mock.close();
  }
}

/** Functions that return a plain request that most tests need. The parameter is the code of a card. */
const PLAIN_USE: readonly ((code: string) => readonly [method: string, path: string, body?: object])[] = [
  (code) => ['GET', `/api/GiftCard/GetByCode/${code}`],
  () => ['GET', '/api/GiftCard/List'],
  (giftCardCode) => [
    'POST',
    '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
    { giftCardCode, adjustmentAmount: 1, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'plain-1', notes: 'plain' },
  ],
  (code) => ['DELETE', `/api/GiftCard/VoidByCode/${code}`],
  () => ['POST', '/api/Webhook/Create', { url: 'https://127.0.0.1:1/', requestHeaderVerificationToken: 'plain' }],
];

/** Returns the first plain request that fails, with its status. */
async function brokenUse({ options: _, ...seams }: Mutation): Promise<string | undefined> {
  const mock = await start({ listen: false }, silent, seams);
  try {
    const headers = { 'x-api-key': mock.apiKey, 'content-type': 'application/json' };
    const send = (method: string, path: string, body?: object) =>
      mock.fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    const created = await send('POST', '/api/GiftCard/Create', { balance: 1 });
    if (!created.ok) return `a creation answers ${created.status}`;
    const { code } = (await created.json()) as { code: string };
    for (const [method, path, body] of PLAIN_USE.map((requestOf) => requestOf(code))) {
      const { ok, status } = await send(method, path, body);
      if (!ok) return `${method} ${path} answers ${status}`;
    }
    return undefined;
  } finally {
    await mock.close();
  }
}

const described = ({ verdict, reason, detail, expected, got }: ClauseResult) =>
  verdict === 'fail' ? `expected ${expected}; got ${got}` : [verdict, reason, detail].filter(Boolean).join(': ');
