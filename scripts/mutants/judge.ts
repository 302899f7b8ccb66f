import { type Check, checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import { preflight } from '../../conformance/core/preflight.ts';
import type { ClauseResult } from '../../conformance/core/result.ts';
import { runClauses } from '../../conformance/core/run.ts';
import { openSession } from '../../conformance/core/session.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { NamedMutant } from './mutant.ts';
import { defaultWorldProfile } from './profile.ts';
import { type MutatedMock, Stale, Workshop } from './workshop.ts';

/** What became of a mutant. Only one that its own clause's test called a violation is noticed. */
export interface Judgement {
  readonly mutant: NamedMutant;
  readonly outcome: 'noticed' | 'survived' | 'stale';
  /** What the test saw of it, or why that is no notice. */
  readonly why: string;
}

/** Judges mutants, each by the test of its own clause in a mock of its own; several at a time, since most of what a test does is to wait. */
export class Judge {
  readonly #workshop: Workshop;
  readonly #asItIs = new Map<ClauseName, Promise<string | undefined>>();
  readonly #refusing = new Map<ClauseName, Promise<ClauseResult>>();
  #unmutated: Promise<MutatedMock> | undefined;

  constructor(mutants: readonly NamedMutant[]) {
    this.#workshop = new Workshop(mutants);
  }

  async judge(mutant: NamedMutant): Promise<Judgement> {
    try {
      const mock = await this.#workshop.made(mutant);
      return { mutant, ...((await this.#excuse(mutant.clause)) ?? (await this.#seen(mutant, mock))) };
    } catch (error) {
      if (error instanceof Stale) return { mutant, outcome: 'stale', why: error.message };
      return survived(mutant, `the mock breaks under it: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Runs these checks and no others against the mock with the mutant, or against the mock as it is. */
  async run(all: readonly Check[], mutant?: NamedMutant): Promise<ClauseResult[]> {
    return tried(mutant ? await this.#workshop.made(mutant) : await this.#plain(), all);
  }

  close(): Promise<void> {
    return this.#workshop.close();
  }

  #plain(): Promise<MutatedMock> {
    this.#unmutated ??= this.#workshop.made();
    return this.#unmutated;
  }

  /** A test that does not even pass on the mock as it is notices nothing by failing. */
  async #excuse(clause: ClauseName): Promise<Omit<Judgement, 'mutant'> | undefined> {
    const found = this.#asItIs.get(clause) ?? this.#plain().then((mock) => plainly(mock, clause));
    this.#asItIs.set(clause, found);
    const why = await found;
    return why === undefined ? undefined : { outcome: 'survived', why };
  }

  async #seen(mutant: NamedMutant, mock: MutatedMock): Promise<Judgement> {
    const check = checkOf(mutant.clause);
    const result = check && (await one(mock, check));
    if (!check || !result) return survived(mutant, 'its clause has no test');
    if (result.verdict !== 'fail') return survived(mutant, told(result));
    const isOfFaults = result.level === 'robustness';
    if (!isOfFaults && result.exchanges.some(({ status }) => status >= 500))
      return survived(mutant, `the mock breaks under it, instead of doing otherwise: ${told(result)}`);
    const refused = (await this.#couldBeSetUp(check, result)) ? await plainlyRefused(mock) : undefined;
    if (refused) return survived(mutant, `it merely breaks what every test needs (${refused}): ${told(result)}`);
    return { mutant, outcome: 'noticed', why: told(result) };
  }

  /** Whether the test says the same of a mock in which everything is refused. */
  async #couldBeSetUp(check: Check, { expected, got = '' }: ClauseResult): Promise<boolean> {
    const found = this.#refusing.get(check.name) ?? this.#plain().then((mock) => one(mock, check, refusal));
    this.#refusing.set(check.name, found);
    const refused = await found;
    return refused.verdict === 'fail' && refused.expected === expected && /^4\d\d\b/.test(got);
  }
}

/** Why the test of a clause says nothing against a mutant: on the mock as it is, it does not pass. */
async function plainly(mock: MutatedMock, clause: ClauseName): Promise<string | undefined> {
  const check = checkOf(clause);
  if (!check) return 'its clause has no test';
  const result = await one(mock, check);
  return result.verdict === 'pass' ? undefined : `on the mock as it is, its clause's test ends otherwise, too: ${told(result)}`;
}

/** What every set-up leans on, in as few words as the contract has for it: where it works, a mutant has broken something else. */
const plainUse: readonly [method: string, path: string, body?: object][] = [
  ['POST', '/api/GiftCard/Create', { balance: 1, code: 'PLAIN-1' }],
  ['GET', '/api/GiftCard/GetByCode/PLAIN-1'],
  ['GET', '/api/GiftCard/List'],
  [
    'POST',
    '/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode',
    { giftCardCode: 'PLAIN-1', adjustmentAmount: 1, actionedAtUtc: '2026-01-15T11:00:00Z', uniqueAdjustmentId: 'plain-1' },
  ],
  ['DELETE', '/api/GiftCard/VoidByCode/PLAIN-1'],
  ['POST', '/api/Webhook/Create', { url: 'https://127.0.0.1:1/' }],
];

/** The first of these that is not answered with 200, and how it is. */
async function plainlyRefused({ startMock }: MutatedMock): Promise<string | undefined> {
  const mock = await startMock({ listen: false });
  try {
    for (const [method, path, body] of plainUse) {
      const headers = { 'x-api-key': mock.apiKey, 'content-type': 'application/json' };
      const { status } = await mock.fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      if (status !== 200) return `${method} ${path} answers ${status}`;
    }
    return undefined;
  } finally {
    await mock.close();
  }
}

const checkOf = (clause: ClauseName) => checks().find(({ name }) => name === clause);

async function one(mock: MutatedMock, check: Check, instead?: typeof refusal): Promise<ClauseResult> {
  const [result] = await tried(mock, [check], instead);
  if (!result) throw new Error(`The run said nothing of ${check.name}.`);
  return result;
}

const refusal = async () => new Response('Refused.', { status: 400, headers: { 'content-type': 'text/plain' } });

/** The checks' results on a fresh mock; one that limits the rate where the checks use it up. `instead` answers what is asked of the service. */
async function tried({ startMock }: MutatedMock, all: readonly Check[], instead?: typeof refusal): Promise<ClauseResult[]> {
  const isLimited = all.some(({ burst }) => burst);
  const mock = await startMock({ listen: false, ...(isLimited ? {} : { rateLimit: 'off' }) });
  try {
    const profile = { ...defaultWorldProfile, mayVoidFixtures: all.length === 1, noRateLimit: !isLimited };
    const fetch = (request: Request) =>
      instead && new URL(request.url).pathname.startsWith('/api/') ? instead() : mock.fetch(request);
    const target = { url: mock.url, key: mock.apiKey, profile, fetch };
    // A mock that lets nobody in any more is not waited for.
    const time = { now: () => performance.now(), sleep: async () => {} };
    // As before every run, so that no test is alone with an answer that nothing else was compared with.
    const session = openSession(target, time);
    await preflight(session);
    const names = all.map(({ name }) => name);
    const { clauses } = await runClauses({ target, names, checks: all, suite: 'mutants', session });
    await session.client.close();
    return clauses;
  } finally {
    await mock.close();
  }
}

const survived = (mutant: NamedMutant, why: string): Judgement => ({ mutant, outcome: 'survived', why });

const told = ({ verdict, reason, detail, expected, got }: ClauseResult) =>
  verdict === 'fail' ? `expected ${expected}; got ${got}` : [verdict, reason, detail].filter(Boolean).join(': ');
