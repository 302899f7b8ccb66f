import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts, levelOf, levels } from '../contract.ts';
import type { Exchange } from '../exchange.ts';
import { printable } from '../names.ts';
import type { ClauseResult, RunResult } from '../result.ts';
import { type Finding, type Kind, kinds, type Tally } from './finding.ts';
import { jsonOf, type Seen } from './seen.ts';

/** What was watched, from the first exchange to the last. */
export interface Watched {
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
  /** By number, the exchanges that findings name. */
  readonly evidence: ReadonlyMap<number, Seen>;
}

/** 0 a clause was held and none that is stated violated · 1 one was · 3 the target gave no answer at all · 4 nothing could be judged. */
export function exitCodeOf({ tally, exchanges, lost }: Watched): number {
  if (tally.findings.some(({ kind }) => kind === 'violated')) return 1;
  if (exchanges > 0 && lost === exchanges) return 3;
  return tally.held.size > 0 ? 0 : 4;
}

const called: Readonly<Record<Kind, string>> = {
  violated: 'VIOLATED',
  unexpected: 'UNEXPECTED',
  'cannot-tell': 'CANNOT TELL',
  client: 'CLIENT',
  open: 'OPEN',
};

/** A finding in one line, as it is told while traffic passes. */
export function line({ kind, clause, what, exchanges }: Finding): string {
  const shown = exchanges.map((n) => `#${n}`).join(' ');
  const about = clause === undefined ? '' : ` ${clause} (${levelOf(clause)})`;
  return `${called[kind]}${about} ${shown}: ${printable(what)}\n`;
}

const meant: Readonly<Record<Kind, string>> = {
  violated: 'The specification says otherwise, and nobody else can have caused it.',
  unexpected: 'What we expect beyond the specification.',
  'cannot-tell':
    'Another client, an automation, the dashboard, an expiry or a clock may have acted; with --only-client these are violations.',
  client: 'Requests that are not as the specification has them.',
  open: 'Answers to what the specification leaves open; no fault.',
};

const fewest = 5;

/** The whole as people read it: findings worst first, those of a clause together, what held, and the sum in the last line. */
export function textOf(watched: Watched): string {
  const { tally, exchanges, lost, beside } = watched;
  const parts = kinds.flatMap((kind) => {
    const those = tally.findings.filter((finding) => finding.kind === kind);
    return those.length === 0 ? [] : [`${called[kind]}  ${meant[kind]}\n${grouped(those, tally)}`];
  });
  const held = levels.flatMap((level) => {
    const names = [...tally.held].filter(([name]) => levelOf(name) === level);
    return names.length === 0
      ? []
      : [`HELD  ${level}\n${names.map(([name, times]) => `  ${name.padEnd(60)} ${times}×\n`).join('')}`];
  });
  const unseen = 'NOT SEEN  Webhook deliveries, emails and sales channels do not pass through a proxy.\n';
  const about = [
    `${exchanges} ${exchanges === 1 ? 'exchange' : 'exchanges'}`,
    ...(lost > 0 ? [`${lost} without an answer`] : []),
    ...(beside > 0 ? [`${beside} beside the service`] : []),
  ];
  return `${[...parts, ...held, unseen, `${sums(tally)} · ${about.join(', ')}`].join('\n')}\n`;
}

function grouped(findings: readonly Finding[], tally: Tally): string {
  const byClause = groups(findings);
  return [...byClause]
    .map(([clause, those]) => {
      const text = clause === undefined ? undefined : clauseTexts.get(clause);
      const head =
        clause === undefined ? '' : `  ${clause}  ${levelOf(clause)} · ${text?.from.join('; ') ?? ''}\n    ${text?.text ?? ''}\n`;
      const told = those.slice(0, fewest).map((finding) => {
        const times = tally.timesOf(finding);
        return `    ${finding.exchanges.map((n) => `#${n}`).join(' ')}  ${printable(finding.what)}${times > 1 ? ` (${times} times)` : ''}\n`;
      });
      return head + told.join('') + (those.length > fewest ? `    and ${those.length - fewest} more\n` : '');
    })
    .join('');
}

function groups(findings: readonly Finding[]): Map<ClauseName | undefined, Finding[]> {
  const found = new Map<ClauseName | undefined, Finding[]>();
  for (const finding of findings) found.set(finding.clause, [...(found.get(finding.clause) ?? []), finding]);
  return found;
}

function sums({ held, findings }: Tally): string {
  const violated = new Set(findings.filter(({ kind }) => kind === 'violated').map(({ clause }) => clause));
  const stated = [...held.keys()].filter((name) => levelOf(name) === 'stated' && !violated.has(name)).length;
  const number = (kind: Kind) => findings.filter((finding) => finding.kind === kind).length;
  return `stated ${stated} held, ${violated.size} violated · ${number('cannot-tell')} cannot tell · ${number('client')} of the client · ${number('open')} open`;
}

/** The same as a result of a run, from which every other report is made: a clause that the traffic could show has a verdict. */
export function resultOf(watched: Watched): RunResult & { readonly findings: readonly Finding[] } {
  const { suite, target, startedAt, finishedAt, tally, exchanges } = watched;
  const names = new Set([
    ...tally.held.keys(),
    ...tally.findings.flatMap(({ clause }) => (clause === undefined ? [] : [clause])),
  ]);
  const clauses = [...clauseTexts.keys()].filter((name) => names.has(name)).map((name) => clauseOf(name, watched));
  const nothing = { creates: 0, faceValue: 0, voids: 0, adjustments: 0, emails: 0, webhooks: 0, events: 0, coupons: 0 };
  return {
    suite,
    target,
    startedAt,
    finishedAt,
    clauses,
    cards: { created: 0, voided: 0, left: [] },
    recordsLeft: [],
    requests: exchanges,
    peakPerMinute: 0,
    // A proxy sends nothing of its own.
    mode: 'read-only',
    spent: { requests: 0, ...nothing },
    heldBack: 0,
    configuration: { again: `npx giftcard-sandbox conformance replay --target ${target}`, profile: [] },
    staleBaseline: [],
    findings: tally.findings,
  };
}

function clauseOf(name: ClauseName, { tally, evidence }: Watched): ClauseResult {
  const { from = [], text = '' } = clauseTexts.get(name) ?? {};
  const findings = tally.findings.filter(({ clause }) => clause === name);
  const [worst] = kinds.flatMap((kind) => findings.filter((finding) => finding.kind === kind));
  const times = tally.held.get(name) ?? 0;
  const numbers = [...new Set(findings.flatMap(({ exchanges }) => exchanges))];
  const seen = numbers.flatMap((n) => evidence.get(n) ?? []).slice(0, 8);
  const common = {
    name,
    level: levelOf(name),
    from,
    text,
    did: seen.map(toldOf),
    usedFacts: [],
    ms: 0,
    exchanges: seen.map(exchangeOf),
  };
  if (worst?.kind === 'violated' || worst?.kind === 'unexpected')
    return { ...common, verdict: 'fail', expected: text, got: worst.what, control: `held ${times} times` };
  if (worst?.kind === 'cannot-tell' && times === 0)
    return { ...common, verdict: 'untested', reason: 'untestable', detail: `cannot tell: ${worst.what}` };
  if (worst?.kind === 'open') return { ...common, verdict: 'observed', fact: { reading: null, told: worst.what } };
  return { ...common, verdict: 'pass', ...(worst ? { notJudged: worst.what } : {}) };
}

const toldOf = ({ n, method, path, status = 0 }: Seen) => `#${n} ${method} ${path} → ${status}`;

function exchangeOf({ at, ms, method, path, key, body, status = 0, type = '', answer }: Seen): Exchange {
  const text = (value: Seen['body']) =>
    value.is === 'json' ? JSON.stringify(jsonOf(value)) : value.is === 'empty' ? '' : `(${value.is})`;
  return {
    at: new Date(at).toISOString(),
    ms,
    method,
    path,
    requestHeaders: key === undefined ? {} : { 'x-api-key': `«${key}»` },
    ...(body.is === 'empty' ? {} : { requestBody: text(body) }),
    status,
    contentType: type,
    body: text(answer).slice(0, 4_000),
  };
}
