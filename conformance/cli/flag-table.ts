import { gentleRate, usuallyOldAfter, usualRuns, usualSeed, usualSteps } from '../core/defaults.ts';
import { allowances } from '../core/mode.ts';
import { maxSteps } from '../fuzz/steps.ts';
import { safeBudget } from '../safety/policy.ts';

export interface Flag {
  readonly type: 'string' | 'boolean';
  /** May be given more than once. */
  readonly multiple?: boolean;
  /** What stands for its value in the help. */
  readonly value?: string;
  /** What the help says of it, where a command says nothing else. */
  readonly says: string;
}

const text = (value: string, says: string) => ({ type: 'string', value, says }) as const;
const several = (value: string, says: string) => ({ ...text(value, says), multiple: true }) as const;
const yes = (says: string) => ({ type: 'boolean', says }) as const;

/** What stands with the flags of the budget. */
export const aSafeRunHas = {
  creates: `a safe run has ${safeBudget.maxCreates}`,
  requests: `a safe run has ${safeBudget.maxRequests}`,
  faceValue: `a safe run has ${safeBudget.maxFaceValue.toFixed(2)}`,
} as const;

export const seeded = (what: string) => `from which ${what} made; the same number makes the same again (usual: ${usualSeed})`;

/** All flags of all commands, as the parser takes them and the help tells them. */
export const flagTable = {
  target: text('URL', 'base URL of the service; nothing is assumed. Elsewhere than on this machine only https'),
  a: text('URL', 'one of the two services, which is asked twice'),
  b: text('URL', 'the other'),
  'key-env': text('NAME', 'environment variable that holds the API key (usual: GIFTCARD_API_KEY)'),
  'a-key-env': text('NAME', 'environment variable with the key of A (usual: GIFTCARD_API_KEY_A, and else GIFTCARD_API_KEY)'),
  'b-key-env': text('NAME', 'the same of B (usual: GIFTCARD_API_KEY_B, and else GIFTCARD_API_KEY)'),
  profile: text('FILE', 'what else the target offers, as JSON: secondKey, deletedKey, basicKey, voucherCode, …'),
  'a-profile': text('FILE', 'what else A offers, as JSON'),
  'b-profile': text('FILE', 'what else B offers, as JSON'),
  'webhook-listen': text('HOST:PORT', 'where deliveries are received (usual: 127.0.0.1 when the target is on this machine)'),
  'webhook-url': text('URL', 'under which address the target reaches that (usual: where it listens)'),
  level: text('LEVEL', 'only stated, ambiguous, open or robustness clauses'),
  skip: several('GLOB', 'leave clauses out; may be repeated'),
  mode: text('MODE', 'read-only, safe (usual elsewhere than on this machine) or full (usual on it)'),
  allow: several('WHAT,…', `lets a safe run cause ${allowances.join(', ')}`),
  'max-creates': text('N', `at most so many cards; ${aSafeRunHas.creates}`),
  'max-requests': text('N', `at most so many requests; ${aSafeRunHas.requests}`),
  'max-face-value': text('AMOUNT', `at most so much on all cards together; ${aSafeRunHas.faceValue}`),
  rate: text('N/m', `at most N requests a minute (usual: ${gentleRate}/m elsewhere than on this machine)`),
  inputs: yes(
    'sends odd input, about four thousand requests of it (usual: in a full run on this machine of a target whose profile says noRateLimit)',
  ),
  'no-inputs': yes('sends no odd input'),
  seed: text('N', seeded('odd input is')),
  runs: text('N', `at most N sequences (default: ${usualRuns})`),
  steps: text('N', `steps of the longest sequence (default: ${usualSteps}, at most ${maxSteps})`),
  path: text('P', 'runs only the sequence for which an earlier run with the same seed and steps printed this path'),
  ledger: text('FILE', 'where what is created is written down first (usual: one file per target with the user’s state)'),
  forget: several(
    'NAME',
    'enters that something is gone, for no sweep to look for it again: a code or URL as the ledger tells it, or "Run …" for all that one has left; may be repeated',
  ),
  yes: yes('does not ask before a run elsewhere than on this machine'),
  reporter: several(
    'NAME',
    'text (usual), json, junit, markdown or html, on standard output; with --out written there, beside the text that is printed, and may be repeated',
  ),
  out: text('DIR', 'writes results.json, report.txt, report.html and what --reporter names there, and prints the text'),
  baseline: text(
    'FILE',
    'violations that are known, with a reason each, as JSON: { "clause": "reason" }; one that holds now is an error',
  ),
  'write-baseline': text(
    'FILE',
    'writes the baseline that fits what was found, by which this run is then judged; none where the run could not judge',
  ),
  facts: text(
    'FILE',
    'what is known of the target, by whose names (wire) it is asked; an observation of a run is new, the same, or changed, and what is not seen again stale; it fails nothing',
  ),
  'old-after': text('DAYS', `what was not asked and was seen so long ago is stale, too (usual: ${usuallyOldAfter})`),
  force: yes('writes a facts file that would be left alone otherwise'),
  quiet: yes('no progress on standard error'),
  list: yes('prints the clauses that would be judged, and sends nothing'),
  help: yes('this text'),
  version: yes('the version of giftcard-sandbox'),
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flagTable;
