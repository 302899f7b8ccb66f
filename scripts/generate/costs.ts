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

/** Checks wait now and then, during which others are measured. */
const atOnce = 12;

/**
 * The text of conformance/generated/costs.json: what each check costs, measured by making it alone against a mock of its own.
 *
 * @throws {Error} if a check comes to no verdict, so that nobody takes what costs nothing for what is unknown
 */
export async function measuredCosts(): Promise<string> {
  const own = new Map<ClauseName, CheckCost>();
  const shared = new Map<string, Cost>();
  const unknown: ClauseName[] = [];
  const worker = async (waiting: Iterable<ClauseName>) => {
    for (const name of waiting) {
      // What waits for something may have waited too long on a busy machine: twice is no accident.
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
  // By themselves those that keep the machine busy, beside which others would wait in vain for what has to come in time.
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
  // What uses the rate up needs one that is limited.
  const isBurst = checks().some((check) => check.name === name && check.burst);
  const mock = await startMock({ listen: false, ...(isBurst ? {} : { rateLimit: 'off' }) });
  const session = openSession({
    url: mock.url,
    key: mock.apiKey,
    profile: { ...defaultWorldProfile, noRateLimit: !isBurst },
    fetch: (request: Request) => mock.fetch(request),
  });
  // As in every run, and so that the answers of a check that only looks at one thing are not all that was ever answered.
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

/** The last part of a path, which may be no valid escape on purpose. */
function nameIn({ path }: Ask): string {
  const last = path.split('/').at(-1) ?? '';
  return /%(?![0-9a-f]{2})|%[89a-f]/i.test(last) ? last : decodeURIComponent(last);
}

/** Who sent how much: what several checks make together by its name, and the check itself under no name. */
class Tally {
  readonly #asks = new Map<string, Set<EffectKind>>();
  readonly #costs = new Map<string, Record<string, number>>();
  /** Who made the card with a code or, where it had none, with a mark. */
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
    // One that was refused is looked for; one that has a code is not to be taken for who asked for it once more.
    if (effects.creates > 0 && (taken || !this.#makers.has(name))) this.#makers.set(name, maker);
    if (!taken) return;
    for (const each of counted) this.#add(maker, each, effects[each]);
    this.#add(maker, 'cleaning', 3 * effects.webhooks);
    // A card that an event has issued is looked up by whoever sent the event, before anybody else.
    const named = nameIn(ask);
    if (ask.path.startsWith('/api/GiftCard/GetByCode/') && !this.#makers.has(named)) this.#makers.set(named, maker);
  }

  /** The path of a card that is taken away ends in its code; webhooks and coupons are counted where they are made. */
  #cleaned(ask: Ask): void {
    if (/^\/api\/(Webhook|WebStoreCoupon)\//.test(ask.path)) return;
    this.#add(this.#makers.get(nameIn(ask)) ?? '', 'cleaning', 1);
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
