import { checks } from '../../conformance/core/rule.ts';
import '../../conformance/rules/index.ts';
import '../../conformance/questions/index.ts';
import type { CheckCost, Cost } from '../../conformance/core/planner.ts';
import { preflight } from '../../conformance/core/preflight.ts';
import { runRules } from '../../conformance/core/run.ts';
import { openSession } from '../../conformance/core/session.ts';
import {
  countedEffects,
  type EffectKind,
  type Effects,
  effectKindsOf,
  type TargetRequest,
} from '../../conformance/safety/effects.ts';
import type { LedgerEntry } from '../../conformance/safety/entries.ts';
import { type Policy, policyOf } from '../../conformance/safety/policy.ts';
import { startMock } from '../../mock/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** The number of checks that are measured at the same time. Checks mostly wait, so they do not slow each other down. */
const AT_ONCE = 12;

/** Measures each check alone against its own mock. Returns the text of conformance/generated/costs.json. Throws if a check gets no verdict. */
export async function measuredCosts(): Promise<string> {
  const own = { checks: new Map<string, CheckCost>(), reading: new Map<string, CheckCost>() };
  const shared = new Map<string, Cost>();
  const worker = async (waiting: Iterable<readonly [RuleName, keyof typeof policies]>) => {
    for (const [name, kind] of waiting) {
      // On a busy machine a check can time out once.
      const measured = (await measure(name, policies[kind])) ?? (await measure(name, policies[kind]));
      if (!measured && kind === 'reading') continue;
      if (!measured) throw new Error(`${name} got no verdict against the mock. Correct the check, or try again with less load.`);
      own[kind].set(name, measured.own);
      for (const [maker, cost] of measured.shared)
        if ((cost.requests ?? 0) > (shared.get(maker)?.requests ?? -1)) shared.set(maker, cost);
    }
  };
  // Checks that need much processor time run one at a time, because other checks would time out meanwhile.
  for (const isBusy of [false, true]) {
    const names = checks().flatMap(({ name, inputs = false }) => (inputs === isBusy ? [name] : []));
    const one = names.flatMap((name) => [[name, 'checks'] as const, [name, 'reading'] as const]).values();
    await Promise.all(Array.from({ length: isBusy ? 1 : AT_ONCE }, () => worker(one)));
  }
  const sections = Object.entries({ ...own, shared }).map(([section, costs]) => {
    const sorted = Array.from<[string, Cost]>(costs).sort(([a], [b]) => (a < b ? -1 : 1));
    const lines = sorted.map(([name, cost]) => `    ${JSON.stringify(name)}: ${JSON.stringify(cost)}`);
    return `  "${section}": {\n${lines.join(',\n')}\n  }`;
  });
  return `{ "x-generated": "By \\"npm run generate\\"; do not edit.",\n${sections.join(',\n')}\n}\n`;
}

/** Runs with a limit of cards, and runs that change nothing. */
const policies = { checks: policyOf('full', [], { maxCreates: 1e6 }), reading: policyOf('read-only', [], { maxRequests: 1e6 }) };

async function measure(name: RuleName, policy: Policy): Promise<{ own: CheckCost; shared: Map<string, Cost> } | undefined> {
  // The mock has a rate limit only for a check of the rate limit.
  const isBurst = checks().some((check) => check.name === name && check.burst);
  const mock = await startMock({ listen: false, ...(isBurst ? {} : { rateLimit: 'off' }) });
  let inFlight = 0;
  let mostInFlight = 0;
  const fetch = async (request: Request) => {
    const creates = request.url.endsWith('/GiftCard/Create') ? 1 : 0;
    inFlight += creates;
    mostInFlight = Math.max(mostInFlight, inFlight);
    return mock.fetch(request).finally(() => {
      inFlight -= creates;
    });
  };
  const profile = { ...defaultWorldProfile, noRateLimit: !isBurst };
  const session = openSession({ url: mock.url, key: mock.apiKey, profile, fetch }, undefined, policy);
  // Every run begins with the preflight.
  await preflight(session);
  const tally = new Tally();
  session.gate.onResponse = (request, effects, taken) => tally.note(request, effects, taken);
  const { rules } = await runRules({ target: session.target, session, names: [name], checks: checks() });
  await mock.close();
  await session.client.close();
  const [result] = rules;
  if (!result || (result.verdict !== 'pass' && result.verdict !== 'observed')) return undefined;
  const { '': own = {}, ...shared } = tally.costs();
  const names = Object.keys(shared);
  // If a check sends several creates at the same time, only one create succeeds.
  const refusedCreates = Math.max(1, mostInFlight - 1);
  const refusedFaceValue = refusedCreates * tally.largestRefused;
  const refused = refusedFaceValue > 0 ? { refusedCreates, refusedFaceValue } : {};
  return { own: { ...own, ...refused, ...(names.length > 0 ? { shared: names } : {}) }, shared: new Map(Object.entries(shared)) };
}

/** Counts requests and effects by the shared fixture that causes them. Under the empty name, counts those that the check itself causes. */
class Tally {
  readonly #costs = new Map<string, { readonly amounts: Record<string, number>; readonly effectKinds: Set<EffectKind> }>();
  /** The name of the fixture that sent the create or the event of each entry in the ledger. */
  readonly #makers = new Map<LedgerEntry, string>();
  /** The largest face value in a create that was refused. */
  largestRefused = 0;

  note(request: TargetRequest, effects: Effects, taken: boolean): void {
    if (request.cleaning) {
      this.#cleaned(request);
      return;
    }
    const maker = request.makes ?? '';
    this.#add(maker, 'requests', 1);
    for (const kind of request.optional ? [] : effectKindsOf(effects)) this.#of(maker).effectKinds.add(kind);
    if (request.entry) this.#makers.set(request.entry, maker);
    if (!taken) this.largestRefused = Math.max(this.largestRefused, effects.faceValue);
    if (!taken) return;
    for (const each of countedEffects) this.#add(maker, each, effects[each]);
    this.#add(maker, 'cleaning', 3 * effects.webhooks);
  }

  /** Counts a request that cleans up. The cleanup of a webhook is not counted here, because it is counted with the registration. */
  #cleaned(request: TargetRequest): void {
    if (/^\/api\/(Webhook|WebStoreCoupon)\//.test(request.path)) return;
    this.#add((request.entry && this.#makers.get(request.entry)) ?? '', 'cleaning', 1);
  }

  #of(maker: string) {
    const known = this.#costs.get(maker) ?? { amounts: {}, effectKinds: new Set() };
    this.#costs.set(maker, known);
    return known;
  }

  #add(maker: string, what: string, amount: number): void {
    const { amounts } = this.#of(maker);
    if (amount !== 0) amounts[what] = Math.round(((amounts[what] ?? 0) + amount) * 100) / 100;
  }

  costs(): Record<string, Cost> {
    const entries = Array.from(this.#costs, ([maker, { amounts, effectKinds }]) => {
      return [maker, { ...amounts, ...(effectKinds.size > 0 ? { effectKinds: [...effectKinds].sort() } : {}) }] as const;
    });
    return Object.fromEntries(entries);
  }
}
