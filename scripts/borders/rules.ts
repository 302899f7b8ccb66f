import type { IForbiddenRuleType } from 'dependency-cruiser';

const OUTSIDE_TESTS = '\\.test\\.ts$|(^|/)testing/|-fixture\\.ts$';

/** `from` may not import `to`; types count as imports. */
const border = (name: string, comment: string, from: string, to: string, except: { from?: string; to?: string } = {}) =>
  ({
    name,
    comment,
    severity: 'error',
    from: { path: from, pathNot: [OUTSIDE_TESTS, ...(except.from ? [except.from] : [])] },
    to: { path: to, ...(except.to ? { pathNot: except.to } : {}) },
  }) satisfies IForbiddenRuleType;

/** The borders of the architecture. The globals (process, time, randomness) are in biome.json. */
export const borders: readonly IForbiddenRuleType[] = [
  { name: 'no-cycle', comment: 'Files import each other in a circle.', severity: 'error', from: {}, to: { circular: true } },
  border('openapi-alone', 'The contract knows neither product.', '^openapi/', '^(mock|conformance|scripts|recipes|cli\\.ts)'),
  border(
    'command-line-alone',
    'What all commands share knows no product.',
    '^command-line/',
    '^(openapi|mock|conformance|scripts|recipes|cli\\.ts)',
  ),
  border('mock-alone', 'The mock does not know the suite.', '^mock/', '^(conformance|scripts|cli\\.ts)'),
  border('suite-alone', 'The suite does not know the mock.', '^conformance/', '^(mock|scripts|cli\\.ts)'),
  {
    name: 'recipes-alone',
    comment: 'A recipe has the installed package and nothing else.',
    severity: 'error',
    from: { path: '^recipes/' },
    to: { path: '^(mock|conformance|openapi|scripts|cli\\.ts)' },
  },
  border(
    'testing-for-tests',
    'Only tests and scripts import fixtures.',
    '^(mock|conformance|openapi|cli)',
    '(^|/)testing/|-fixture\\.ts$',
    {
      from: '^mock/behaviors/',
    },
  ),
  {
    name: 'suite-fixtures-alone',
    comment: 'A fixture of the suite does not know the mock.',
    severity: 'error',
    from: { path: '^conformance/.*(testing/|-fixture\\.ts$)', pathNot: '\\.test\\.ts$' },
    to: { path: '^(mock|scripts)' },
  },
  {
    ...border(
      'domain-is-pure',
      'The domain calls money, the calendar, record functions and the refusal; types it takes from anywhere in the mock.',
      '^mock/domain/',
      '.',
      { to: '^mock/domain/|^mock/pipeline/refusal\\.ts|^mock/state/records\\.ts' },
    ),
    to: { pathNot: '^mock/domain/|^mock/pipeline/refusal\\.ts|^mock/state/records\\.ts', dependencyTypesNot: ['type-only'] },
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
    'The service does not know what drives it.',
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
    'A run checks its exchanges with the oracle; the oracle knows the contract and JSON, and nothing of a run.',
    '^conformance/oracle/',
    '^conformance/(?!oracle/|core/(contract|operations|result|text)\\.ts|http/(json-search|account-format|exchange)\\.ts)',
  ),
  border('only-cli-knows-cli', 'A product does not know its command line.', '^conformance/(?!cli/|vitest)', '^conformance/cli/'),
];
