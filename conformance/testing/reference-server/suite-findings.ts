import '../../rules/index.ts';
import '../../questions/index.ts';
import { levelOf } from '../../core/contract.ts';
import type { RuleResult } from '../../core/result.ts';
import { type Check, checks } from '../../core/rule.ts';
import { runRules } from '../../core/run.ts';
import { endingOfRun } from '../../core/run-ending.ts';
import type { InProcessFetch, Profile, Target } from '../../http/target.ts';
import { referenceServer, type ServerOptions } from './server.ts';

export function referenceTarget(options: ServerOptions = {}, profile: Profile = {}): Target & { readonly fetch: InProcessFetch } {
  const { key, fetch, profile: own } = referenceServer(options);
  return {
    url: 'http://127.0.0.1',
    key,
    fetch,
    profile: { ...own, generatedCodePattern: '^zz-', noRateLimit: true, ...profile },
  };
}

export const isOrdinaryCheck = ({ burst, inputs }: Check): boolean => !burst && !inputs;

/** The reference server has no coupons. */
const alwaysUntested = /^(names\.coupon|coupon\..*)$/;

/**
 * Returns the false findings of the suite on a lawful target: verdicts other than pass and observed, leftovers, and an exit code other than 0. If the name
 * of a rule matches `untested`, the rule may be untested.
 */
export async function suiteFindings(target: Target, isWanted: (check: Check) => boolean, untested = /^$/) {
  const names = checks().flatMap((check) => (isWanted(check) ? [check.name] : []));
  const result = await runRules({ target, names, checks: checks() });
  const isUnexpected = ({ name, verdict }: RuleResult) =>
    verdict === 'untested' ? !untested.test(name) && !alwaysUntested.test(name) : verdict !== 'pass' && verdict !== 'observed';
  const code = endingOfRun(result).code;
  return [
    ...result.rules
      .filter(isUnexpected)
      .map(({ name, verdict, reason, detail, expected, got }) => ({ name, verdict, reason, detail, expected, got })),
    ...names.filter((name) => levelOf(name) === 'stated' && !result.rules.some((rule) => rule.name === name)),
    ...result.cards.left,
    ...result.recordsLeft.map(({ what, value }) => `${what} ${value}`),
    ...(code === 0 ? [] : [`exit code ${code}`]),
  ];
}
