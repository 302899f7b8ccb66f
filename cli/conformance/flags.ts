import { levels } from '../../conformance/core/contract.ts';
import { type ExitCode, exitCodes } from '../../conformance/core/exit.ts';
import { cliName } from '../../conformance/core/text.ts';
import { baseUrl } from '../../conformance/http/target.ts';
import { shellWord } from '../../conformance/report/escape.ts';
import { type FormatName, reportFormats } from '../../conformance/report/formats.ts';
import { allowances, modes, remoteRate, safeBudget } from '../../conformance/safety/policy.ts';
import { choice, choices, type Flag, files, text, texts, toggle, type Values, wholeNumber } from '../flags.ts';
import { UsageError } from '../usage-error.ts';

const formatNames = Object.keys(reportFormats) as FormatName[];

const amount = (help: string): Flag<number> => ({
  placeholder: 'AMOUNT',
  help,
  read(value, name) {
    if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
    throw new UsageError(`${name} must be an amount such as 5.00, got "${value}".`);
  },
});

export const ledgerFlags = {
  target: { ...text('URL', 'base URL of the service; https for a remote target'), read: (value: string) => baseUrl(value) },
  ledger: text('FOLDER', "folder of the ledgers (default: in the user's state folder)"),
};

export const targetFlags = {
  ...ledgerFlags,
  'key-env': text('NAME', 'environment variable with the API key (default: GIFTCARD_API_KEY)'),
  profile: text('FILE', 'file with the keys, cards and events that the target offers (JSON)'),
  rate: wholeNumber('N', `requests per minute (default: ${remoteRate}; unlimited locally in mode full)`, [1, 1_000_000]),
};

export const webhookFlags = {
  'webhook-listen': text('HOST:PORT', 'address that receives deliveries (default: 127.0.0.1 in full mode)'),
  'webhook-url': text('URL', 'URL at which the target reaches --webhook-listen'),
  'delivery-timeout': wholeNumber('SECONDS', 'time for a delivery (default: 10 times the first, at least 5)', [1, 600]),
};

export const policyFlags = {
  mode: choice(modes, `${modes.join(', ')} (default: full for the mock, else safe)`, 'MODE'),
  allow: choices(allowances, `safe mode: ${allowances.join(', ')}`, 'EFFECT'),
  'max-creates': wholeNumber('N', `maximum number of cards (safe-mode default: ${safeBudget.maxCreates})`, [0, 1_000_000]),
  'max-requests': wholeNumber('N', `maximum number of requests (safe-mode default: ${safeBudget.maxRequests})`, [1, 10_000_000]),
  'max-face-value': amount(`maximum sum of face values (safe-mode default: ${safeBudget.maxFaceValue.toFixed(2)})`),
  yes: toggle('does not ask before a run on a remote target'),
};

export const selectionFlags = {
  level: choice(levels, `selects rules of one level: ${levels.join(', ')}`, 'LEVEL'),
  skip: texts('GLOB', 'excludes the rules that match GLOB'),
};

export const reportFlags = {
  reporter: choices(formatNames, `${formatNames.join(', ')}; with --out, more files`, 'FORMAT'),
  out: text('FOLDER', 'writes results.json, report.txt, report.html and --reporter'),
  verbose: toggle('lists observed, untested and known-fail rules by name'),
};

export const testFlags = {
  ...policyFlags,
  'leave-cards': wholeNumber('N', 'cards that may stay on a target that cannot void cards', [1, 100_000]),
  quiet: toggle('prints no progress'),
};

export const inputFlags = {
  variant: files('known differences of the target, from learn'),
  seed: wholeNumber('N', 'seed of generated input (default: 1)', [0, 2 ** 31 - 1]),
};

export type TargetValues = Values<typeof targetFlags> & Partial<Values<typeof webhookFlags>>;
export type PolicyValues = Values<typeof policyFlags>;
export type TestValues = Partial<Values<typeof testFlags> & Values<typeof inputFlags>>;
export type SelectionValues = Values<typeof selectionFlags>;
export type ReportValues = Values<typeof reportFlags>;

type ExitTexts = Readonly<Partial<Record<ExitCode, string>>>;

/** Returns the help about exit codes. `own` replaces the general text of a code. */
export function exitNotes(codes: readonly ExitCode[], own: ExitTexts = {}): string {
  return `Exit codes: ${codes.map((code) => `${code} ${own[code] ?? exitCodes[code].means}`).join('; ')}.`;
}

/** Returns the help about exit codes for commands that test a target. */
export const testNotes = (own: ExitTexts = {}): string => exitNotes([0, 1, 2, 3, 4, 5, 6, 130], own);

/** Returns the examples of a command of the suite. */
export const examplesOf = (command: string, ...arguments_: readonly string[]): string[] =>
  arguments_.map((each) => `giftcard-sandbox conformance ${command} ${each}`.trimEnd());

/** Returns the command line that repeats a command. Omits the flags in `without`, and `--yes`, because the user must confirm again. */
export function rerunCommand(
  command: string,
  values: Readonly<Record<string, unknown>>,
  without: readonly string[],
  words: readonly string[] = [],
): string {
  const flags = Object.entries(values).flatMap(([flag, value]) => {
    if (value === undefined || value === false || flag === 'yes' || without.includes(flag)) return [];
    return value === true ? [`--${flag}`] : [`--${flag}`, String(value)];
  });
  return [cliName, command, ...[...flags, ...words].map(shellWord)].join(' ');
}

const noKeyFlag = (flag: string) =>
  `There is no --${flag}, because other users of this machine could read the key; set GIFTCARD_API_KEY, or use --key-env NAME.`;

/** Secrets have no flag of their own. */
export const refusedFlags: Readonly<Record<string, string>> = {
  key: noKeyFlag('key'),
  'api-key': noKeyFlag('api-key'),
  token: 'There is no --token, because other users of this machine could read the token; use --token-env NAME.',
};
