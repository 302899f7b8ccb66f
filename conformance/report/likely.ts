import type { RuleName } from '../../openapi/generated/rules.ts';
import type { RuleResult } from '../core/result.ts';
import { instantOf } from '../http/json-search.ts';

/** Two or three of four parallel requests succeeded. If all four succeeded, the target may never check. */
const someRefused = /^\[200,200,(200,)?400/;
const notAtomic = 'checking and storing are not atomic, so several parallel requests pass the check';

/** Common mistakes of implementations. Each row has a rule, a pattern of the responses that show the mistake, and the mistake. */
const mistakes: readonly (readonly [RuleName, RegExp, string])[] = [
  ['adjustment.by-id.takes-whole-balance', /^(400|409|422)\b/, 'the overdraw check also rejects a new balance of exactly zero'],
  ['adjustment.by-id.tops-up-below-zero', /^(400|409|422)\b/, 'the overdraw check also rejects top-ups'],
  ['gift-card.amounts-exact', /\.\d{6,}/, 'amounts are added as binary fractions; use the smallest unit of the currency'],
  ['idempotency.create.parallel-makes-one', someRefused, notAtomic],
  ['idempotency.adjustment.parallel-counts-once', someRefused, notAtomic],
  ['adjustment.parallel-all-count', /^1\.\d+$/, notAtomic],
  ['adjustment.by-id.parallel-never-overdraws', /^[23]$/, notAtomic],
];

export function likely({ name, verdict, expected = '', got = '' }: RuleResult): string | undefined {
  if (verdict !== 'fail' && verdict !== 'known-fail') return undefined;
  if (/^50[234]\b/.test(got)) return 'the response came from a gateway, or the service was not ready; run the rule again';
  const offset = offsetOf(expected, got);
  if (offset !== undefined) return offset;
  return mistakes.find(([rule, shows]) => rule === name && shows.test(got))?.[2];
}

const dateTime = /\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)?/;

/** Describes a time that differs from the expected time by the offset of a time zone: by full quarters of an hour, and at most 14 hours. */
function offsetOf(expected: string, got: string): string | undefined {
  const [wanted, shown] = [expected, got].map((text) => instantOf(dateTime.exec(text)?.[0]));
  if (wanted === undefined || shown === undefined) return undefined;
  const hours = (shown - wanted) / 3_600_000;
  if (hours === 0 || Math.abs(hours) > 14 || !Number.isInteger(4 * hours)) return undefined;
  return `exactly ${Math.abs(hours)} h ${hours < 0 ? 'early' : 'late'}: the server's time zone?`;
}
