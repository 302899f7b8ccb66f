import { standardDocument } from '../../openapi/effective/behaviors.ts';
import { Reader } from '../../openapi/effective/reader.ts';
import type { Exchange } from '../http/exchange.ts';
import { type Finding, Oracle } from '../oracle/oracle.ts';
import { levelOf } from './contract.ts';
import { emptyResult } from './evaluate.ts';
import type { RuleResult } from './result.ts';
import type { Run } from './trial.ts';

/** Cleanup voids cards, so a run without a test of voids finds violations of these rules, too. */
const voidRules = /^gift-card\.void\.(by-code-voids|by-id-voids|zeroes-balance)$/;

/** Checks all exchanges and deliveries of a run with the oracle, in addition to the tests. The returned function ends these checks, and turns the results of violated rules into failures. */
export function checkStatedRules({ client, receiver, target }: Run): (results: readonly RuleResult[]) => RuleResult[] {
  const oracle = new Oracle({ reader: new Reader(standardDocument, target.overrides ?? []) });
  const findings: Finding[] = [];
  const shown: (Exchange | undefined)[] = [];
  client.observer = {
    begin: () => oracle.begin(),
    observe(exchange, masked) {
      shown.push(masked);
      findings.push(...oracle.observe(exchange));
    },
  };
  /** Only the run knows its cards, so no other client explains a card that is not Voided after a void. Lists may lag behind, so only look-ups count. */
  const isViolation = ({ kind, rule, exchanges }: Finding) =>
    kind === 'violated' ||
    (voidRules.test(rule ?? '') && shown[(exchanges.at(-1) ?? 0) - 1]?.path.startsWith('/api/GiftCard/GetBy'));
  if (receiver) receiver.onDelivery = (payload) => findings.push(...oracle.observeDelivery(payload));
  return (results) => {
    client.observer = undefined;
    findings.push(...oracle.end());
    return results.map((result) => {
      const finding = findings.find((each) => each.rule === result.name && isViolation(each));
      if (!finding || result.verdict === 'fail' || levelOf(result.name) !== 'stated') return result;
      const exchanges = finding.exchanges.flatMap((n) => shown[n - 1] ?? []);
      const did = exchanges.map(({ method, path, status }) => `${method} ${path} → ${status}`);
      // The oracle numbers all exchanges of the run. The result has only some of them.
      const got = finding.what.replace(/(?<=xchange )\d+/g, (n) => String(finding.exchanges.indexOf(Number(n)) + 1));
      return { ...emptyResult(result.name), verdict: 'fail', did, expected: result.text, got, exchanges };
    });
  };
}
