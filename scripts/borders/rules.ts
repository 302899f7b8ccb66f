import type { IForbiddenRuleType } from 'dependency-cruiser';

const FIXTURES = '(^|/)testing/|-fixture\\.ts$';

/** Forbids imports of files in `to` by files in `from`. Fixtures may import all files. */
function border(name: string, comment: string, from: string, to: string): IForbiddenRuleType {
  return { name, comment, severity: 'error', from: { path: from, pathNot: FIXTURES }, to: { path: to } };
}

/** The files that the domain may call. The domain may import types from anywhere in the mock. */
const BELOW_DOMAIN = '^mock/domain/|^mock/pipeline/refusal\\.ts|^mock/state/records\\.ts';

/** The borders of the architecture. The globals (process, time, randomness) are in biome.json. Types count as imports. */
export const borders: readonly IForbiddenRuleType[] = [
  { name: 'no-cycle', comment: 'Files import each other in a circle.', severity: 'error', from: {}, to: { circular: true } },
  border('openapi-alone', 'The contract knows neither product.', '^openapi/', '^(mock|conformance|scripts|recipes|cli\\.ts)'),
  border(
    'command-line-alone',
    'The code that all commands share knows no product.',
    '^command-line/',
    '^(openapi|mock|conformance|scripts|recipes|cli\\.ts)',
  ),
  border('mock-alone', 'The mock does not know the suite.', '^mock/', '^(conformance|scripts|cli\\.ts)'),
  {
    ...border('suite-alone', 'The suite and its fixtures do not know the mock.', '^conformance/', '^(mock|scripts|cli\\.ts)'),
    from: { path: '^conformance/' },
  },
  border(
    'recipes-alone',
    'A recipe has only the installed package.',
    '^recipes/',
    '^(mock|conformance|openapi|scripts|cli\\.ts)',
  ),
  border('testing-for-tests', 'Only tests and scripts import fixtures.', '^(mock|conformance|openapi|cli)', FIXTURES),
  {
    ...border('domain-is-pure', 'The domain calls money, the calendar, record functions and the refusal.', '^mock/domain/', '.'),
    to: { pathNot: BELOW_DOMAIN, dependencyTypesNot: ['type-only'] },
  },
  border('state-is-low', 'The records know no layer above them.', '^mock/state/', '^mock/(?!state/)'),
  border(
    'account-is-private',
    'Only account/ and pipeline/ see a whole Account; others declare the parts that they need.',
    '^mock/(?!account/|pipeline/)',
    '^mock/account/account\\.ts$',
  ),
  border(
    'outbound-below-pipeline',
    'Effects do not know the request path.',
    '^mock/outbound/',
    '^mock/(pipeline|control|server|cli|client)/',
  ),
  border(
    'products-above-pipeline',
    'The service does not know the products that use it.',
    '^mock/(pipeline|operations|contract|account|journal|faults)/',
    '^mock/(control|server|cli|client)/',
  ),
  border(
    'core-is-low',
    'The core of the suite does not know the products built on it.',
    '^conformance/(core|http)/',
    '^conformance/(proxy|report|learn|compare|fuzz|clauses|probes|scenarios)/',
  ),
  border(
    'oracle-below-run',
    'The oracle knows the contract and JSON, and nothing of a run.',
    '^conformance/oracle/',
    '^conformance/(?!oracle/|core/(contract|operations|result|text)\\.ts|http/(json-search|account-format|exchange)\\.ts)',
  ),
  border('only-cli-knows-cli', 'A product does not know its command line.', '^conformance/(?!cli/|vitest)', '^conformance/cli/'),
];
