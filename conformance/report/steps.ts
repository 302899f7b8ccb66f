import type { RuleResult } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';

/** The largest numbers of steps, and of their characters, that a report shows of a rule. */
const most = { steps: 12, characters: 850 };

/** Returns the cards and the other values of the run in a text. Each other value contains a number of its own. */
const valuesIn = (text: string): string[] => text.match(/\bcard#\d+|«run»\d+/g) ?? [];

const textOf = ({ path, requestBody = '' }: Exchange): string => `${path} ${requestBody}`;

export const missingDeliveries = ({ deliveries = [] }: RuleResult): string[] =>
  deliveries.filter((each) => each.includes('missing'));

/** Returns the exchange whose response violates the rule. If deliveries violate the rule, returns undefined. */
export function violatingExchange({ exchanges, decidedBy, received, deliveries }: RuleResult): Exchange | undefined {
  if (decidedBy !== undefined) return exchanges[decidedBy];
  return received || deliveries ? undefined : exchanges.at(-1);
}

/**
 * Returns the steps that lead to the verdict. The last one is the violating exchange. If the violation is about values of the run, returns only the steps
 * with one of these values. Counts equal consecutive steps.
 */
export function stepsOf(rule: RuleResult): string[] {
  const { did, exchanges, decidedBy = did.length, expected = '', got = '', received = [] } = rule;
  // Tests of the rate limit record one step for many exchanges.
  const exchangeOf = (index: number) => (did.length < exchanges.length ? undefined : exchanges[index]);
  const decisive = violatingExchange(rule);
  const decisiveStep = decisive ? (did[exchanges.indexOf(decisive)] ?? '') : '';
  const evidence = [...received, ...(decisive ? [decisive] : [])].map(textOf);
  const values = new Set([expected, got, decisiveStep, ...missingDeliveries(rule), ...evidence].flatMap(valuesIn));
  const isChosen = (exchange: Exchange | undefined) =>
    values.size === 0 || !exchange || exchange === decisive || valuesIn(textOf(exchange)).some((each) => values.has(each));
  const chosen: { step: string; times: number }[] = [];
  for (const [index, what] of did.slice(0, decidedBy + 1).entries()) {
    const exchange = exchangeOf(index);
    if (!isChosen(exchange)) continue;
    const { 'x-api-key': key = '«key»' } = exchange?.requestHeaders ?? {};
    const step = key === '«key»' ? what : `${what} with ${key}`;
    const last = chosen.at(-1);
    if (last?.step === step) last.times += 1;
    else chosen.push({ step, times: 1 });
  }
  const texts = chosen.map(({ step, times }) => (times > 1 ? `${step} (${times} times)` : step));
  const isTooLong = (_: string, index: number) => texts.slice(index).join('; ').length > most.characters;
  const first = Math.min(Math.max(texts.length - most.steps, texts.findLastIndex(isTooLong) + 1), texts.length - 1);
  return first > 0 ? [`… ${first} more`, ...texts.slice(first)] : texts;
}
