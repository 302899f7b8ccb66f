import type { ClauseResult } from '../core/result.ts';
import type { Exchange } from '../http/exchange.ts';

/** The largest number of steps that a report shows of a clause. */
const mostSteps = 12;

const cardsIn = (text: string): string[] => text.match(/\bcard#\d+/g) ?? [];

/** Returns the exchange whose answer violates the clause. If deliveries violate the clause, returns undefined. */
export function violatingExchange({ exchanges, decidedBy, received, deliveries }: ClauseResult): Exchange | undefined {
  if (decidedBy !== undefined) return exchanges[decidedBy];
  return received || deliveries ? undefined : exchanges.at(-1);
}

/** Returns the steps that lead to the verdict: those about the cards of the violation. If the violation is about no card, returns the last steps. Shows equal consecutive steps once, with their number. */
export function stepsOf(clause: ClauseResult): string[] {
  const { did, exchanges, expected = '', got = '', received = [], deliveries = [] } = clause;
  const missing = deliveries.filter((each) => each.includes('missing'));
  const decisive = violatingExchange(clause);
  const about = [
    expected,
    got,
    ...missing,
    ...[...received, ...(decisive ? [decisive] : [])].map((each) => `${each.path} ${each.requestBody ?? ''}`),
  ];
  const cards = new Set(about.flatMap(cardsIn));
  const isAbout = ({ path, requestBody = '' }: Exchange) => cardsIn(`${path} ${requestBody}`).some((each) => cards.has(each));
  // Tests of malformed input record one more step than exchanges.
  const isChosen = (_: string, index: number) => {
    const exchange = exchanges[index];
    return cards.size === 0 || !exchange || exchange === decisive || isAbout(exchange);
  };
  const chosen = (exchanges.length >= did.length ? did.filter(isChosen) : did).reduce<{ step: string; times: number }[]>(
    (all, step) => {
      const last = all.at(-1);
      if (last?.step === step) last.times += 1;
      else all.push({ step, times: 1 });
      return all;
    },
    [],
  );
  const texts = chosen.map(({ step, times }) => (times > 1 ? `${step} (${times} times)` : step));
  return texts.length > mostSteps ? [`… ${texts.length - mostSteps} more`, ...texts.slice(-mostSteps)] : texts;
}
