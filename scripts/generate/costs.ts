import { checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import '../../conformance/probes/index.ts';
import { preflight } from '../../conformance/core/preflight.ts';
import { runClauses } from '../../conformance/core/run.ts';
import { openSession } from '../../conformance/core/session.ts';
import type { Ask } from '../../conformance/http/exchange.ts';
import type { CheckCost, Cost } from '../../conformance/safety/cost.ts';
import { countedEffects, type EffectKind, type Effects, effectKindsOf } from '../../conformance/safety/effects.ts';
import { startMock } from '../../mock/index.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { defaultWorldProfile } from '../default-world-profile.ts';

/** The number of checks that are measured at the same time. Checks mostly wait, so they do not slow each other down. */
const AT_ONCE = 12;

/** Measures each check alone against its own mock. Returns the text of conformance/generated/costs.json. Throws if a check gets no verdict. */
export async function measuredCosts(): Promise<string> {
  const own = new Map<string, CheckCost>();
  const shared = new Map<string, Cost>();
  const worker = async (waiting: Iterable<ClauseName>) => {
    for (const name of waiting) {
      // On a busy machine a check can time out once.
      const measured = (await measure(name)) ?? (await measure(name));
      if (!measured) throw new Error(`${name} got no verdict against the mock. Correct the check, or try again with less load.`);
      own.set(name, measured.own);
      for (const [maker, cost] of measured.shared)
        if ((cost.requests ?? 0) > (shared.get(maker)?.requests ?? -1)) shared.set(maker, cost);
    }
  };
  // Checks that need much processor time run one at a time, because other checks would time out meanwhile.
  for (const isBusy of [false, true]) {
    const waiting = checks().flatMap(({ name, inputs = false }) => (inputs === isBusy ? [name] : []));
    const one = waiting.values();
    await Promise.all(Array.from({ length: isBusy ? 1 : AT_ONCE }, () => worker(one)));
  }
  const lines = (costs: ReadonlyMap<string, Cost>) => {
    const sorted = Array.from(costs).sort(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([name, cost]) => `    ${JSON.stringify(name)}: ${JSON.stringify(cost)}`).join(',\n');
  };
  const marker = '"x-generated": "By \\"npm run generate\\"; do not edit."';
  return `{ ${marker},\n  "checks": {\n${lines(own)}\n  },\n  "shared": {\n${lines(shared)}\n  }\n}\n`;
}

async function measure(name: ClauseName): Promise<{ own: CheckCost; shared: Map<string, Cost> } | undefined> {
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
  const session = openSession({ url: mock.url, key: mock.apiKey, profile, fetch });
  // Every run begins with the preflight.
  await preflight(session);
  const tally = new Tally();
  session.gate.onAnswer = (ask, effects, taken) => tally.note(ask, effects, taken);
  const { clauses } = await runClauses({ target: session.target, session, names: [name], checks: checks(), suite: 'costs' });
  await mock.close();
  await session.client.close();
  const [result] = clauses;
  if (!result || (result.verdict !== 'pass' && result.verdict !== 'observed')) return undefined;
  const { '': own = {}, ...shared } = tally.costs();
  const names = Object.keys(shared);
  // If a check sends several creates at the same time, only one create succeeds.
  const refusedCreates = Math.max(1, mostInFlight - 1);
  const refusedFaceValue = refusedCreates * tally.largestRefused;
  const refused = refusedFaceValue > 0 ? { refusedCreates, refusedFaceValue } : {};
  return { own: { ...own, ...refused, ...(names.length > 0 ? { shared: names } : {}) }, shared: new Map(Object.entries(shared)) };
}

/** Returns the last segment of a path, decoded. If a check has sent an invalid escape on purpose, returns the segment as it is. */
function nameIn({ path }: Ask): string {
  const last = path.split('/').at(-1) ?? '';
  return /%(?![0-9a-f]{2})|%[89a-f]/i.test(last) ? last : decodeURIComponent(last);
}

/** Counts requests and effects by the shared fixture that causes them. Under the empty name, counts those that the check itself causes. */
class Tally {
  readonly #costs = new Map<string, { readonly amounts: Record<string, number>; readonly asks: Set<EffectKind> }>();
  /** The name of the fixture that made each card, by the card's code or marker. */
  readonly #makers = new Map<string, string>();
  /** The largest face value in a create that was refused. */
  largestRefused = 0;

  note(ask: Ask, effects: Effects, taken: boolean): void {
    if (ask.cleaning) {
      this.#cleaned(ask);
      return;
    }
    const maker = ask.makes ?? '';
    this.#add(maker, 'requests', 1);
    for (const kind of effectKindsOf(effects)) this.#of(maker).asks.add(kind);
    const { code, customField1 } = (ask.body ?? {}) as { code?: string; customField1?: string };
    const name = code ?? customField1 ?? '';
    // The maker of a card sent the first create with its code, or the first create that was not rejected.
    if (effects.creates > 0 && (taken || !this.#makers.has(name))) this.#makers.set(name, maker);
    if (!taken) this.largestRefused = Math.max(this.largestRefused, effects.faceValue);
    if (!taken) return;
    for (const each of countedEffects) this.#add(maker, each, effects[each]);
    this.#add(maker, 'cleaning', 3 * effects.webhooks);
    // A card of an automation event has no create request. Its maker sent the event, and is the first to look up the card.
    const named = nameIn(ask);
    if (ask.path.startsWith('/api/GiftCard/GetByCode/') && !this.#makers.has(named)) this.#makers.set(named, maker);
  }

  /** Counts a request that cleans up. The cleanup of a webhook is not counted here, because it is counted with the registration. */
  #cleaned(ask: Ask): void {
    if (/^\/api\/(Webhook|WebStoreCoupon)\//.test(ask.path)) return;
    const { code, mark = '' } = ask.entry?.kind === 'card' ? ask.entry : {};
    this.#add(this.#makers.get(mark) ?? this.#makers.get(code ?? nameIn(ask)) ?? '', 'cleaning', 1);
  }

  #of(maker: string) {
    const known = this.#costs.get(maker) ?? { amounts: {}, asks: new Set() };
    this.#costs.set(maker, known);
    return known;
  }

  #add(maker: string, what: string, amount: number): void {
    const { amounts } = this.#of(maker);
    if (amount !== 0) amounts[what] = Math.round(((amounts[what] ?? 0) + amount) * 100) / 100;
  }

  costs(): Record<string, Cost> {
    const entries = Array.from(this.#costs, ([maker, { amounts, asks }]) => {
      return [maker, { ...amounts, ...(asks.size > 0 ? { asks: [...asks].sort() } : {}) }] as const;
    });
    return Object.fromEntries(entries);
  }
}
