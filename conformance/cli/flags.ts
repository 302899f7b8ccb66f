import { choice, type Flag, text, toggle, type Values, wholeNumber } from '../../command-line/flags.ts';
import { UsageError } from '../../command-line/usage-error.ts';
import { levels } from '../core/contract.ts';
import { exitCodes } from '../core/exit.ts';
import { allowances, modes, remoteRate } from '../core/settings.ts';
import { baseUrl } from '../core/target.ts';
import { type FormatName, formats } from '../report/formats.ts';
import { safeBudget } from '../safety/policy.ts';

function listOf<const T extends string>(known: readonly T[], help: string): Flag<readonly T[]> {
  return {
    placeholder: `${known.join('|')}`,
    help,
    repeated: 'listed',
    read: (value, name) => value.split(',').map((each) => oneOf(known, each, name)),
  };
}

export function oneOf<const T extends string>(known: readonly T[], value: string, name: string): T {
  const found = known.find((each) => each === value);
  if (found === undefined) throw new UsageError(`${name} must be ${known.join(' or ')}, got "${value}".`);
  return found;
}

const texts = (placeholder: string, help: string): Flag<readonly string[]> => ({
  placeholder,
  help,
  repeated: 'listed',
  read: (value) => value.split(','),
});

const rate: Flag<number> = {
  placeholder: 'N',
  help: `requests per minute (default: ${remoteRate} for a remote target, else unlimited)`,
  read: (value, name) => {
    const number = Number(/^(\d+)(\/m)?$/.exec(value)?.[1]);
    if (number >= 1) return number;
    throw new UsageError(`${name} must be a number of requests per minute such as 60, got "${value}".`);
  },
};

const amount: Flag<number> = {
  placeholder: 'AMOUNT',
  help: `largest sum of face values (safe mode: ${safeBudget.maxFaceValue.toFixed(2)})`,
  read: (value, name) => {
    if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
    throw new UsageError(`${name} must be an amount such as 5.00, got "${value}".`);
  },
};

const target: Flag<string> = {
  placeholder: 'URL',
  help: 'base URL of the service; https for a remote target',
  read: (value) => baseUrl(value),
};

export const ledgerFlags = {
  target,
  ledger: text('FOLDER', "folder of the ledgers (default: one per target in the user's state folder)"),
};

/** For commands that send requests. */
export const targetFlags = {
  ...ledgerFlags,
  'key-env': text('NAME', 'environment variable with the API key (default: GIFTCARD_API_KEY)'),
  profile: text('FILE', 'what else the target offers, as JSON'),
  rate,
};

export const webhookFlags = {
  'webhook-listen': text('HOST:PORT', 'where the suite receives webhook deliveries (default: 127.0.0.1 for a local target)'),
  'webhook-url': text('URL', 'the address under which the target reaches --webhook-listen'),
};

export const policyFlags = {
  mode: choice(modes, 'default: full for a local target, else safe'),
  allow: listOf(allowances, 'effects that safe mode may cause'),
  'max-creates': wholeNumber('N', `largest number of cards (safe mode: ${safeBudget.maxCreates})`, [0, 1_000_000]),
  'max-requests': wholeNumber('N', `largest number of requests (safe mode: ${safeBudget.maxRequests})`, [1, 10_000_000]),
  'max-face-value': amount,
  yes: toggle('runs on a remote target without a question'),
};

export const selectionFlags = {
  level: choice(levels, 'selects clauses of one level'),
  skip: texts('GLOB', 'leaves clauses out'),
};

export const reportFlags = {
  reporter: listOf(Object.keys(formats) as FormatName[], 'format on standard output, or in --out (default: text)'),
  out: text('FOLDER', 'writes results.json, report.txt, report.html and the formats of --reporter'),
  verbose: toggle('lists observed, untested and known clauses by name'),
};

export const variantFlag = {
  ...text('FILE', 'how the deployment is known to differ from the contract (YAML, from learn); a later file wins'),
  repeated: 'listed' as const,
};
export const quietFlag = toggle('prints no progress');
export const seedFlag = wholeNumber('N', 'seed of generated input (default: 1)', [0, 2 ** 31 - 1]);

export type TargetValues = Values<typeof targetFlags> & Partial<Values<typeof webhookFlags>>;
export type PolicyValues = Values<typeof policyFlags>;
export type SelectionValues = Values<typeof selectionFlags>;
export type ReportValues = Values<typeof reportFlags>;

/** For the help of each command: the exit codes that it can have. */
export function exitNotes(...codes: readonly (keyof typeof exitCodes)[]): string {
  return `Exit codes:\n${codes.map((code) => `  ${String(code).padEnd(4)} ${exitCodes[code]}`).join('\n')}`;
}

/** Flags of version 0.1, with what to use instead. */
export const removedFlags: Readonly<Record<string, string>> = {
  facts: '--facts is gone; use --variant FILE.',
  'old-after': '--old-after is gone; delete the variant file and run learn again.',
  force: '--force is gone; learn overwrites only files that it wrote itself.',
  list: 'run --list is gone; use list.',
  a: '--a is gone; use compare A B, each a URL or a results.json.',
  b: '--b is gone; use compare A B, each a URL or a results.json.',
  'a-key-env': '--a-key-env is gone; set keyEnv in the profile of A, or GIFTCARD_API_KEY_A.',
  'b-key-env': '--b-key-env is gone; set keyEnv in the profile of B, or GIFTCARD_API_KEY_B.',
  'a-profile': '--a-profile is gone; use --profile A.json,B.json.',
  'b-profile': '--b-profile is gone; use --profile A.json,B.json.',
  key: 'There is no --key, because other users of this machine could read it; set GIFTCARD_API_KEY, or use --key-env NAME.',
  'api-key':
    'There is no --api-key, because other users of this machine could read it; set GIFTCARD_API_KEY, or use --key-env NAME.',
  inputs: '--inputs is gone; use fuzz inputs.',
  'no-inputs': "--no-inputs is gone; use --skip 'robustness.*'.",
  token: 'There is no --token, because other users of this machine could read it; use --token-env NAME.',
};
