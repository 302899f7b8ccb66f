import { checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import '../../conformance/probes/index.ts';
import { preflight } from '../../conformance/core/preflight.ts';
import { runClauses } from '../../conformance/core/run.ts';
import { openSession } from '../../conformance/core/session.ts';
import type { Ask } from '../../conformance/http/exchange.ts';
import type { CheckCost, Cost } from '../../conformance/safety/cost.ts';
import { type EffectKind, type Effects, effectKindsOf } from '../../conformance/safety/effects.ts';
import { startMock } from '../../mock/index.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** Checks often wait, so several are measured at once. */
const atOnce = 12;

/** The text of conformance/generated/costs.json: the cost of each check, measured alone against its own mock. Throws if a check gets no verdict. */
export async function measuredCosts(): Promise<string> {
  const own = new Map<ClauseName, CheckCost>();
  const shared = new Map<string, Cost>();
  const unknown: ClauseName[] = [];
  const worker = async (waiting: Iterable<ClauseName>) => {
    for (const name of waiting) {
      // On a busy machine a check can time out once.
      const measured = (await measure(name)) ?? (await measure(name));
      if (!measured) {
        unknown.push(name);
        continue;
      }
      own.set(name, measured.own);
      for (const [made, cost] of measured.shared) {
        const known = shared.get(made);
        if (!known || (cost.requests ?? 0) > (known.requests ?? 0)) shared.set(made, cost);
      }
    }
  };
  // Checks that use the CPU run one at a time: next to them, others would time out.
  for (const busy of [false, true]) {
    const waiting = checks().flatMap(({ name, inputs = false }) => (inputs === busy ? [name] : []));
    const one = waiting.values();
    await Promise.all(Array.from({ length: busy ? 1 : atOnce }, () => worker(one)));
  }
  if (unknown.length > 0)
    throw new Error(
      `Without a verdict against the mock, and therefore without a cost: ${unknown.join(', ')}. Mend them, or try again on a quieter machine.`,
    );
  const line = ([name, cost]: [string, Cost]) => `    ${JSON.stringify(name)}: ${JSON.stringify(cost)}`;
  const block = (entries: Iterable<[string, Cost]>) =>
    `{\n${[...entries]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(line)
      .join(',\n')}\n  }`;
  return `{ "x-generated": "By \\"npm run generate\\"; do not edit.",\n  "checks": ${block(own)},\n  "shared": ${block(shared)}\n}\n`;
}

async function measure(name: ClauseName): Promise<{ own: CheckCost; shared: Map<string, Cost> } | undefined> {
  // A check of the rate limit needs a limit.
  const isBurst = checks().some((check) => check.name === name && check.burst);
  const mock = await startMock({ listen: false, ...(isBurst ? {} : { rateLimit: 'off' }) });
  const session = openSession({
    url: mock.url,
    key: mock.apiKey,
    profile: { ...defaultWorldProfile, noRateLimit: !isBurst },
    fetch: (request: Request) => mock.fetch(request),
  });
  // Every run begins with it.
  await preflight(session);
  const tally = new Tally();
  session.gate.onAnswer = (ask, effects, taken) => tally.note(ask, effects, taken);
  const { clauses, spent } = await runClauses({
    target: session.target,
    session,
    names: [name],
    checks: checks(),
    suite: 'costs',
  });
  await mock.close();
  await session.client.close();
  const [result] = clauses;
  if (!result || (result.verdict !== 'pass' && result.verdict !== 'observed')) return undefined;
  const { '': own = {}, ...shared } = tally.costs();
  const names = Object.keys(shared);
  const refusedCreates = session.gate.peak.creates - spent.creates;
  const refusedFaceValue = Math.round((session.gate.peak.faceValue - spent.faceValue) * 100) / 100;
  return {
    own: {
      ...own,
      ...(refusedCreates > 0 ? { refusedCreates, refusedFaceValue } : {}),
      ...(names.length > 0 ? { shared: names } : {}),
    },
    shared: new Map(Object.entries(shared)),
  };
}

const counted = ['creates', 'faceValue', 'voids', 'adjustments', 'emails', 'webhooks', 'events'] as const;

/** The last segment of a path. A check may send an invalid escape on purpose. */
function nameIn({ path }: Ask): string {
  const last = path.split('/').at(-1) ?? '';
  return /%(?![0-9a-f]{2})|%[89a-f]/i.test(last) ? last : decodeURIComponent(last);
}

/** Counts requests and effects: of shared fixtures by their name, of the check itself under the empty name. */
class Tally {
  readonly #asks = new Map<string, Set<EffectKind>>();
  readonly #costs = new Map<string, Record<string, number>>();
  /** The maker of each card, by the card's code or marker. */
  readonly #makers = new Map<string, string>();

  note(ask: Ask, effects: Effects, taken: boolean): void {
    if (ask.cleaning) {
      this.#cleaned(ask);
      return;
    }
    const maker = ask.makes ?? '';
    this.#add(maker, 'requests', 1);
    const asks = effectKindsOf(effects);
    if (asks.length > 0) this.#asks.set(maker, new Set([...(this.#asks.get(maker) ?? []), ...asks]));
    const { code, customField1 } = (ask.body ?? {}) as { code?: string; customField1?: string };
    const name = code ?? customField1 ?? '';
    // The first request with a code is its maker, unless it was rejected.
    if (effects.creates > 0 && (taken || !this.#makers.has(name))) this.#makers.set(name, maker);
    if (!taken) return;
    for (const each of counted) this.#add(maker, each, effects[each]);
    this.#add(maker, 'cleaning', 3 * effects.webhooks);
    // The sender of an event is the first to look up the card that the event issued.
    const named = nameIn(ask);
    if (ask.path.startsWith('/api/GiftCard/GetByCode/') && !this.#makers.has(named)) this.#makers.set(named, maker);
  }

  /** Cleanup of webhooks is counted when they are registered. */
  #cleaned(ask: Ask): void {
    if (/^\/api\/(Webhook|WebStoreCoupon)\//.test(ask.path)) return;
    const { code, mark = '' } = ask.entry?.kind === 'card' ? ask.entry : {};
    this.#add(this.#makers.get(mark) ?? this.#makers.get(code ?? nameIn(ask)) ?? '', 'cleaning', 1);
  }

  #add(maker: string, what: string, amount: number): void {
    if (amount === 0) return;
    const cost = this.#costs.get(maker) ?? {};
    this.#costs.set(maker, cost);
    cost[what] = Math.round(((cost[what] ?? 0) + amount) * 100) / 100;
  }

  costs(): Record<string, Cost> {
    const asked = (maker: string) => (this.#asks.has(maker) ? { asks: [...(this.#asks.get(maker) ?? [])].sort() } : {});
    const spent = (cost: Record<string, number>) => Object.fromEntries(Object.entries(cost).filter(([, amount]) => amount !== 0));
    return Object.fromEntries([...this.#costs].map(([maker, cost]) => [maker, { ...spent(cost), ...asked(maker) }]));
  }
}
