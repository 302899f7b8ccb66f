import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { REPLAY } from '../core/cli-name.ts';
import { clauseTexts, levelOf } from '../core/contract.ts';
import type { ClauseResult, RunResult } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';
import { kinds, type Tally } from './finding.ts';
import { alike, mostTold } from './report/told.ts';
import { jsonOf, type Seen } from './seen.ts';
import type { WatchedExchange, WatchedRow } from './watched.ts';

/** What was gathered, from the first exchange to the last. */
export interface Gathered {
  readonly suite: string;
  readonly target: string;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly tally: Tally;
  readonly exchanges: number;
  /** Requests that got no answer of the target. */
  readonly lost: number;
  /** Requests that are none of the service. */
  readonly beside: number;
  /** Exchanges of the service with a body that was too large or too deep, or packed in a way that is not known here, or that could not be judged. */
  readonly unread: number;
  /** Exchanges that could not be judged, by a fault of the proxy itself. */
  readonly faults: number;
  /** By number, the exchanges that findings name. */
  readonly evidence: ReadonlyMap<number, Exchange>;
  readonly facts: WatchedRow[] | undefined;
}

/** As a result of a run, from which every report is made: a clause that the traffic could show has a verdict. */
export function resultOf(gathered: Gathered): RunResult {
  const { suite, target, startedAt, finishedAt, tally, exchanges, lost, beside, unread, facts } = gathered;
  const names = new Set([
    ...tally.held.keys(),
    ...tally.findings.flatMap(({ clause }) => (clause === undefined ? [] : [clause])),
  ]);
  const inOrder = [...clauseTexts.keys()].filter((name) => names.has(name));
  const nothing = { creates: 0, faceValue: 0, voids: 0, adjustments: 0, emails: 0, webhooks: 0, events: 0, coupons: 0 };
  return {
    kind: 'run',
    suite,
    target,
    startedAt,
    finishedAt,
    clauses: inOrder.map((name) => clauseOf(name, gathered)),
    cards: { created: 0, voided: 0, left: [] },
    recordsLeft: [],
    requests: exchanges,
    peakPerMinute: 0,
    // A proxy sends nothing of its own.
    mode: 'read-only',
    spent: { requests: 0, ...nothing },
    heldBack: 0,
    configuration: { again: `${REPLAY} --target ${target}`, profile: [] },
    staleBaseline: [],
    watched: {
      onlyClient: tally.onlyClient,
      held: inOrder.flatMap((clause) => ({ clause, times: tally.held.get(clause) ?? 0 })).filter(({ times }) => times > 0),
      findings: tally.findings.map((finding) => ({
        kind: finding.kind,
        ...(finding.clause === undefined ? {} : { clause: finding.clause }),
        what: finding.what,
        times: tally.timesOf(finding),
        exchanges: [...finding.exchanges],
      })),
      exchanges: shownOf(gathered),
      lost,
      beside,
      ...(unread > 0 ? { unread } : {}),
      ...(facts === undefined ? {} : { facts }),
    },
  };
}

function clauseOf(name: ClauseName, { tally, evidence }: Gathered): ClauseResult {
  const { from = [], text = '' } = clauseTexts.get(name) ?? {};
  const findings = tally.findings.filter(({ clause }) => clause === name);
  const [worst] = kinds.flatMap((kind) => findings.filter((finding) => finding.kind === kind));
  const times = tally.held.get(name) ?? 0;
  const numbers = [...new Set(findings.flatMap(({ exchanges }) => exchanges))];
  const shown = numbers.filter((n) => evidence.has(n)).slice(0, 8);
  const exchanges = shown.flatMap((n) => evidence.get(n) ?? []);
  const common = {
    name,
    level: levelOf(name),
    from,
    text,
    did: exchanges.map(({ method, path, status }, index) => `#${shown[index]} ${method} ${path} → ${status}`),
    controls: [`held ${times === 1 ? 'once' : `${times} times`}`],
    assumptions: [],
    ms: 0,
    exchanges,
  };
  if (worst?.kind === 'violated' || worst?.kind === 'unexpected')
    return { ...common, verdict: 'fail', expected: text, got: worst.what };
  const doubt = worst?.kind === 'cannot-tell' ? `cannot tell: ${worst.what}` : undefined;
  if (doubt !== undefined && times === 0) return { ...common, verdict: 'untested', reason: 'untestable', detail: doubt };
  if (worst?.kind === 'open') return { ...common, verdict: 'observed', observation: { option: null, text: worst.what } };
  return { ...common, verdict: 'pass', ...(doubt === undefined ? {} : { notChecked: doubt }) };
}

/** What the first findings of each kind and clause name; the rest stands in no report. */
function shownOf({ tally, evidence }: Gathered): WatchedExchange[] {
  const byClause = alike(tally.findings, ({ kind, clause }) => `${kind} ${clause}`);
  const shown = [...byClause.values()].flatMap((findings) => findings.slice(0, mostTold(findings[0]?.clause)));
  const numbers = new Set(shown.flatMap(({ exchanges }) => exchanges));
  return [...numbers]
    .toSorted((a, b) => a - b)
    .flatMap((n) => {
      const exchange = evidence.get(n);
      return exchange ? [{ n, ...exchange }] : [];
    });
}

/** As reports show it, which is no more of a body than people read. */
export function exchangeOf({ at, ms, method, path, key, body, status = 0, type = '', answer }: Seen): Exchange {
  const text = (value: Seen['body']) =>
    value.is === 'json' ? JSON.stringify(jsonOf(value)) : value.is === 'empty' ? '' : `(${value.is})`;
  return {
    at: new Date(at).toISOString(),
    ms,
    method,
    path,
    requestHeaders: key === undefined ? {} : { 'x-api-key': `«${key}»` },
    ...(body.is === 'empty' ? {} : { requestBody: text(body).slice(0, 4_000) }),
    status,
    contentType: type,
    body: text(answer).slice(0, 4_000),
  };
}
