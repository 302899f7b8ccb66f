import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { clauseTexts, levelOf } from '../core/contract.ts';
import { isViolation } from '../core/exit.ts';
import type { FindingKind, ProxyFinding, ProxyResult } from '../core/result.ts';
import { formatCount, printable } from '../core/text.ts';
import { groupBy } from './causes.ts';
import { aboutClause, type Content, type Group, type Item, itemOf, type Row, secondsOf } from './document.ts';
import { bySection } from './sections.ts';

const notSeen = 'Webhook deliveries, emails and sales channels do not pass through the proxy.';

export function proxyDocument(result: ProxyResult): Content {
  const { target, findings, held, requests, lost, notService, unread, onlyClient, startedAt } = result;
  const parts = kinds.flatMap(({ status, includes }) => {
    const number = new Set(findings.filter(includes).map(({ clause, what }) => clause ?? what)).size;
    return number > 0 ? [`${number} ${status}`] : [];
  });
  const some = (number: number, what: string) => (number > 0 ? [`${number} ${what}`] : []);
  const traffic = [
    formatCount(requests, 'exchange'),
    ...some(lost, 'without an answer'),
    ...some(notService, 'outside the service'),
    ...some(unread, 'with an unreadable body'),
  ];
  return {
    summary: [target, [`${formatCount(held.length, 'clause')} held`, ...parts].join(', '), traffic.join(', '), notSeen],
    notices: [],
    groups: [...kinds.flatMap((kind) => findingGroup(kind, result)), ...heldGroups(result)],
    setup: [
      ['Target', target],
      ['Watched', `from ${startedAt}, for ${secondsOf(result)}`],
      ['Other clients', onlyClient ? 'none (--only-client)' : 'may act on the account'],
    ],
    hasDoubts: findings.some(({ kind }) => kind !== 'open'),
  };
}

interface Kind {
  readonly status: string;
  readonly outcome: Item['outcome'];
  readonly note: string;
  readonly includes: (finding: Pick<LiveFinding, 'kind' | 'clause'>) => boolean;
}

const isOfKind = (kind: FindingKind) => (finding: Pick<ProxyFinding, 'kind'>) => finding.kind === kind;

/** The most important first. */
const kinds: readonly Kind[] = [
  { status: 'violated', outcome: 'failure', note: 'The target violates the specification.', includes: isViolation },
  {
    status: 'unexpected',
    outcome: 'skipped',
    note: 'The target violates an expectation of the suite (robustness).',
    includes: (finding) => finding.kind === 'violated' && !isViolation(finding),
  },
  {
    status: 'possible',
    outcome: 'skipped',
    note: 'Violations, unless another client, an automation, the dashboard or an expiry acted. With --only-client they are violations.',
    includes: isOfKind('possible'),
  },
  { status: 'client', outcome: 'skipped', note: 'Requests that do not follow the contract.', includes: isOfKind('client') },
  {
    status: 'open',
    outcome: 'skipped',
    note: 'Behavior of the target that the specification leaves open.',
    includes: isOfKind('open'),
  },
];

/** Findings about one clause are similar; findings without a clause differ. */
const mostListed = (clause: string | undefined): number => (clause === undefined ? 50 : 5);

function findingGroup({ status, outcome, note, includes }: Kind, { findings, exchanges }: ProxyResult): Group[] {
  const byClause = groupBy(findings.filter(includes), ({ clause }) => clause);
  const items = [...byClause].map(([clause, own], index): Item => {
    const listed = own.slice(0, mostListed(clause));
    const numbers = new Set(listed.flatMap((finding) => finding.exchanges));
    const details = listed.map(
      ({ what, times, exchanges: all }): Row => [
        all.map((n) => `#${n}`).join(' '),
        printable(what) + (times > 1 ? ` (${times} times)` : ''),
      ],
    );
    const passed = exchanges.filter(({ n }) => numbers.has(n));
    return itemOf({
      id: `${status}-${clause ?? index}`,
      name: clause ?? 'requests',
      status,
      outcome,
      display: 'full',
      ...clauseText(clause),
      cause: `${clause ?? ''} ${listed[0]?.what ?? ''}`.trim(),
      details: [
        ...details,
        ...(own.length > listed.length
          ? [['More', `${own.length - listed.length} more in results.json (--out FOLDER)`] as const]
          : []),
        ...passed.map(({ n, method, path, status: code }): Row => ['Passed', printable(`#${n} ${method} ${path} → ${code}`)]),
      ],
      exchanges: passed,
    });
  });
  return items.length > 0 ? [{ heading: `${status} (${items.length})`, note, items }] : [];
}

/** Clauses that held each time. */
function heldGroups({ held, findings }: ProxyResult): Group[] {
  const violated = new Set(findings.filter(({ kind }) => kind === 'violated').map(({ clause }) => clause));
  const sound = held
    .filter(({ clause }) => !violated.has(clause))
    .map(({ clause, times }) => ({ clause, times, from: clauseTexts.get(clause)?.from ?? [] }));
  return bySection(sound).map(({ heading, clauses }) => ({
    heading,
    items: clauses.map(({ clause, times }) => {
      const cause = times === 1 ? 'once' : `${times} times`;
      const fields = { name: clause, status: 'held', outcome: 'passed', display: 'verbose', cause } as const;
      return itemOf({ ...fields, ...clauseText(clause), details: [['Held', cause]] });
    }),
  }));
}

function clauseText(clause: ClauseName | undefined): Partial<Item> {
  if (clause === undefined) return {};
  const { from = [], text = '' } = clauseTexts.get(clause) ?? {};
  return { about: aboutClause(levelOf(clause), from), text };
}

interface LiveFinding {
  readonly kind: FindingKind;
  readonly clause?: ClauseName | undefined;
  readonly what: string;
  readonly exchanges: readonly number[];
}

/** One line for a finding while traffic passes. */
export function findingLine(finding: LiveFinding): string {
  const { clause, what, exchanges } = finding;
  const status = kinds.find(({ includes }) => includes(finding))?.status ?? finding.kind;
  const about = clause === undefined ? '' : ` ${clause} (${levelOf(clause)})`;
  return `${status.toUpperCase()}${about} ${exchanges.map((n) => `#${n}`).join(' ')}: ${printable(what)}\n`;
}
