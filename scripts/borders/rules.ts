import type { IForbiddenRuleType } from 'dependency-cruiser';

const FIXTURES = '(^|/)testing/|-fixture\\.ts$';

/** Forbids imports of files in `to` by files in `from`. Fixtures may import all files. */
function border(name: string, comment: string, from: string, to: string): IForbiddenRuleType {
  return { name, comment, severity: 'error', from: { path: from, pathNot: FIXTURES }, to: { path: to } };
}

/** The program and its commands. The other files directly in cli/ are what all commands use. */
const COMMANDS = 'cli/(main|commands|mock/|conformance/)';

/** The files whose functions the domain may call. The domain may also import types from other files. */
const BELOW_DOMAIN = '^mock/domain/|^mock/pipeline/refusal\\.ts|^mock/state/records\\.ts|^openapi/currency\\.ts';

/** The generated types of the service's contract and of the control API's document, and the types of the data in a report. */
const PAGE_TYPES = '^((mock/control|openapi)/generated/types|conformance/report/page-data)\\.ts$';

/** The borders of the architecture. Type imports count. Rules about globals (process, time, randomness) are in biome.json. */
export const borders: readonly IForbiddenRuleType[] = [
  { name: 'no-cycle', comment: 'Files import each other in a circle.', severity: 'error', from: {}, to: { circular: true } },
  border(
    'openapi-alone',
    'The contract imports neither the mock nor the suite.',
    '^openapi/',
    '^(mock|conformance|scripts|docs/recipes|cli)/',
  ),
  border(
    'program-alone',
    'The code that all commands use imports neither the mock nor the suite. From the contract, it imports only the suggestions for misspelt words and the reasons why a file cannot be read.',
    '^cli/(?!main|commands)[^/]+$',
    `^(openapi/(?!input/(closest|why-not)\\.ts)|mock/|conformance/|scripts/|docs/recipes/|${COMMANDS})`,
  ),
  border('mock-alone', 'The mock does not import the suite.', '^mock/', `^(conformance/|scripts/|${COMMANDS})`),
  border(
    'runners-use-the-package',
    'The entries for test runners import only what the package exports, and what all commands use.',
    '^mock/client/runners/',
    `^(openapi/|mock/(?!(index|client/sandbox)\\.ts|client/runners/)|conformance/|scripts/|docs/recipes/|ui/|${COMMANDS})`,
  ),
  {
    ...border(
      'suite-alone',
      'The suite and its fixtures do not import the mock.',
      '^conformance/',
      `^(mock/|scripts/|${COMMANDS})`,
    ),
    from: { path: '^conformance/', pathNot: '^conformance/vitest\\.ts$' },
  },
  border(
    'recipes-alone',
    'A recipe imports only the installed package.',
    '^docs/recipes/',
    '^(mock|conformance|openapi|scripts|cli)/',
  ),
  {
    ...border(
      'pages-alone',
      'The pages import nothing of the other folders, except types and lists of the two contracts, and types of the data in a report.',
      '^ui/',
      '^(mock|conformance|openapi|cli|scripts|docs/recipes)/',
    ),
    to: {
      path: '^(mock|conformance|openapi|cli|scripts|docs/recipes)/',
      pathNot: [PAGE_TYPES, 'generated/lists\\.ts$'],
    },
  },
  {
    ...border('page-types-only', 'The pages import types only.', '^ui/', PAGE_TYPES),
    to: { path: PAGE_TYPES, dependencyTypesNot: ['type-only'] },
  },
  border(
    'components-alone',
    'The components of pages import neither a page nor the contracts, because all pages use the components.',
    '^ui/components/',
    '^(ui/(dashboard|report)|mock|openapi|conformance)/',
  ),
  border('testing-for-tests', 'Only tests and scripts import fixtures.', '^(mock|conformance|openapi|cli)', FIXTURES),
  {
    ...border(
      'domain-is-pure',
      'The domain calls only domain/, refusal.ts, records.ts and currency.ts. It may import types.',
      '^mock/domain/',
      '.',
    ),
    to: { pathNot: BELOW_DOMAIN, dependencyTypesNot: ['type-only'] },
  },
  border('state-is-low', 'The state imports no other folder of the mock.', '^mock/state/', '^mock/(?!state/)'),
  border(
    'account-is-private',
    'Only account/ and pipeline/ import Account; other files use AccountWith and name the parts that they need.',
    '^mock/(?!account/|pipeline/)',
    '^mock/account/account\\.ts$',
  ),
  border(
    'outbound-below-pipeline',
    'The code that sends emails, channel pushes and deliveries does not import the code that handles requests.',
    '^mock/outbound/',
    '^mock/(pipeline|control|server|cli|client)/',
  ),
  border(
    'products-above-pipeline',
    'The service does not import the control API, the server or the commands.',
    '^mock/(pipeline|operations|contract|account|journal|faults)/',
    '^mock/(control|server|cli|client)/',
  ),
  border('http-is-lowest', 'HTTP imports no other code of the suite.', '^conformance/http/', '^conformance/(?!http/|generated/)'),
  border(
    'safety-below-core',
    'The policy, the ledger and the cleanup do not import the run, which uses them.',
    '^conformance/safety/',
    '^conformance/(?!safety/|http/|generated/)',
  ),
  border(
    'core-is-low',
    'The core of the suite does not import the products that use the core, nor reports and tests. Each product decides its own ending.',
    '^conformance/core/',
    '^conformance/(proxy|report|learn|compare|fuzz|rules|questions|scenarios)/',
  ),
  border(
    'oracle-below-run',
    'The oracle imports only helpers for the contract and for JSON, not the code of a run.',
    '^conformance/oracle/',
    '^conformance/(?!oracle/|core/(contract|operations|text)\\.ts|http/(json-search|account-format|exchange)\\.ts)',
  ),
  border(
    'only-cli-knows-cli',
    'Only cli/ and the vitest plugin import the command line of the suite.',
    '^conformance/(?!vitest)',
    '^cli/conformance/',
  ),
];
