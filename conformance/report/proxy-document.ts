import { levelOf } from '../core/contract.ts';
import { formatCount, printable } from '../core/text.ts';
import type { Finding } from '../oracle/findings.ts';
import { isViolation, type ProxyResult } from '../proxy/result.ts';
import {
  type Content,
  groupBy,
  itemOf,
  type ReportGroup,
  type ReportItem,
  type ReportRow,
  ruleText,
  secondsOf,
} from './document.ts';

export function proxyDocument(result: ProxyResult): Content {
  const { target, held, requests, lost, notService, unread, onlyClient, startedAt } = result;
  const groups = statuses.map((status) => findingGroup(status, result)).filter(({ items }) => items.length > 0);
  const found = groups.map(({ heading, items }) => `${items.length} ${heading}`);
  return {
    heading: `giftcard proxy · ${target}`,
    target,
    summary: [
      [`${formatCount(held.length, 'rule')} held`, ...found].join(', '),
      `${formatCount(requests, 'exchange')}: ${lost} without a response, ${notService} with a path that does not start with /api/, ${unread} with an unreadable body`,
      'Webhook deliveries, emails and sales channels do not pass through the proxy.',
    ],
    notices: [],
    groups: [...groups, heldGroup(result)].filter(({ items }) => items.length > 0),
    setup: [
      ['Target', target],
      ['Watched', `from ${startedAt}, for ${secondsOf(result)}`],
      ['Other clients', onlyClient ? 'none (--only-client)' : 'may act on the account'],
    ],
  };
}

const statuses = ['violated', 'unexpected', 'possible', 'client', 'open'] as const;

/** Returns the kind of the finding. A violated robustness expectation is `unexpected`, because the specification does not state it. */
const statusOf = (finding: Parameters<typeof isViolation>[0]): (typeof statuses)[number] =>
  finding.kind === 'violated' && !isViolation(finding) ? 'unexpected' : finding.kind;

function findingGroup(status: (typeof statuses)[number], { findings, exchanges }: ProxyResult): ReportGroup {
  const own = findings.filter((finding) => statusOf(finding) === status);
  const items = [...groupBy(own, ({ rule, what }) => rule ?? what).values()].map((alike, index): ReportItem => {
    const [{ rule, what: first }] = alike;
    const numbers = new Set(alike.flatMap((finding) => finding.exchanges));
    const passed = exchanges.filter(({ n }) => numbers.has(n));
    return itemOf({
      id: `${status}-${rule ?? index}`,
      name: rule ?? 'requests',
      status,
      outcome: status === 'violated' ? 'failure' : 'skipped',
      display: 'full',
      ...ruleText(rule),
      cause: `${rule ?? ''} ${first}`.trim(),
      details: [
        ...alike.map(
          ({ what, times, exchanges: all }): ReportRow => [
            numbersText(all),
            `${printable(what)} (${formatCount(times, 'time')})`,
          ],
        ),
        ...passed.map(
          ({ n, method, path, status: code }): ReportRow => ['Exchange', printable(`#${n} ${method} ${path} → ${code}`)],
        ),
      ],
      exchanges: passed,
    });
  });
  return { heading: status, items };
}

function heldGroup({ held, findings }: ProxyResult): ReportGroup {
  const violated = new Set(findings.filter(({ kind }) => kind === 'violated').map(({ rule }) => rule));
  const items = held.flatMap(({ rule, times }) => {
    const cause = formatCount(times, 'time');
    const fields = { name: rule, status: 'held', outcome: 'passed', display: 'verbose', cause } as const;
    return violated.has(rule) ? [] : [itemOf({ ...fields, ...ruleText(rule), details: [['Held', cause]] })];
  });
  return { heading: 'held', items };
}

const numbersText = (exchanges: readonly number[]): string => exchanges.map((n) => `#${n}`).join(' ');

export function findingLine(finding: Finding): string {
  const { rule, what, exchanges } = finding;
  const about = rule === undefined ? '' : ` ${rule} (${levelOf(rule)})`;
  return `${statusOf(finding).toUpperCase()}${about} ${numbersText(exchanges)}: ${printable(what)}\n`;
}
