import type { FuzzFailure, FuzzResult } from '../core/result.ts';
import { describeCards, formatCount } from '../core/text.ts';
import { type Content, itemOf, leftNotices, type ReportItem, type ReportRow, ruleText, secondsOf } from './document.ts';
import { leftBehind } from './run-document.ts';

export function fuzzDocument(result: FuzzResult): Content {
  const { target, seed, cases, shrinks, failures, requests, cards } = result;
  return {
    heading: `giftcard conformance fuzz · ${target}`,
    target,
    summary: [
      `${formatCount(cases, 'case')} from seed ${seed}${shrinks > 0 ? `, then ${formatCount(shrinks, 'shorter case')}` : ''}`,
      `${secondsOf(result)} · ${formatCount(requests, 'request')}`,
      describeCards(cards),
    ],
    notices: leftNotices(leftBehind(result)),
    groups: failures.length > 0 ? [{ heading: 'Failures', items: failures.map(failureItem) }] : [],
    setup: [
      ['Target', target],
      ['Seed', String(seed)],
    ],
  };
}

function failureItem({ rule, did, expected, got, again, exchanges }: FuzzFailure, index: number): ReportItem {
  const steps = did.map((step, at): ReportRow => [at === 0 ? 'Did' : '', `${at + 1}. ${step}`]);
  return itemOf({
    id: `failure-${index + 1}`,
    name: rule ?? `failure ${index + 1}`,
    status: 'fail',
    outcome: 'failure',
    display: 'full',
    ...ruleText(rule),
    cause: `expected ${expected}; got ${got} (${again})`,
    details: [...steps, ['Expected', expected], ['Got', got], ['Again', again]],
    exchanges,
    decidedBy: exchanges.length - 1,
  });
}
