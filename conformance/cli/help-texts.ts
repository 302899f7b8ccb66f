import { usuallyOldAfter } from '../core/defaults.ts';
import { aSafeRunHas, type FlagName, seeded } from './flag-table.ts';

/** What the help says of a command beside its flags. */
export interface Told {
  /** What stands behind its name. */
  readonly usage: string;
  readonly does: string;
  /** Behind its name, too. */
  readonly example: string;
  /** What it ends with, by code; beside these it may end with those that all have. */
  readonly exits: Readonly<Record<number, string>>;
  /** Flags that are something else there. */
  readonly flags?: Readonly<Partial<Record<FlagName, { readonly value?: string; readonly says: string }>>>;
}

/** What every command may end with. */
export const exitsOfAll = {
  2: 'the command cannot be understood, or a file cannot be used',
  6: 'the suite itself broke',
} as const;

/** Of those that ask a target. */
const sending = { 2: 'the command cannot be understood; nothing was sent' } as const;

const asking = { 2: 'the command cannot be understood, or nobody agreed; nothing was sent' } as const;
const unreachable = { 3: 'the target is unreachable, redirects, is not ready, or refuses the key' } as const;
const leaving = {
  5: 'something could not be proven gone, or a line of the ledger cannot be read; this wins over every other code',
} as const;
const creating = { ...asking, ...unreachable, ...leaving, 130: 'broken off; what was created is gone' } as const;
const unwritten = 'the suite itself broke, or what was found could not be written down';
const judging = {
  ...creating,
  0: 'something was judged, all of it holds or is in the baseline, and everything that was created is gone',
  1: 'a clause is violated, or one of the baseline holds',
  4: 'something could not be judged, or --write-baseline had no run to be written from; the last line says what',
  6: unwritten,
} as const;

/** Of commands that create nothing. */
const readLedger = {
  value: 'FILE',
  says: 'where runs have written down what they created (usual: one file per target with the user’s state)',
} as const;

const here = '--target http://127.0.0.1:8460';

/** In the order of the overview. */
export const toldOf = {
  run: {
    usage: '--target URL [clause or glob …]',
    does: 'holds the target against the specification, clause by clause',
    example: `${here} 'adjustment.*' --out found`,
    exits: judging,
  },
  list: {
    usage: '[clause or glob …]',
    does: 'the clauses with level, cost and what each needs; sends nothing',
    example: `'webhook.*' --level stated`,
    exits: { 0: 'listed' },
  },
  plan: {
    usage: '--target URL [clause or glob …]',
    does: 'says what a run would send, cost and judge; sends nothing',
    example: '--target https://staging.example.com --mode safe',
    exits: { 0: 'told' },
    // Whoever asks for the plan of a run has its flags at hand.
    flags: { yes: { says: 'as for a run; plan asks nobody' } },
  },
  doctor: {
    usage: '--target URL',
    does: 'looks whether a run could begin: key, keys and cards of the profile, clock, rate, webhooks, leftovers; changes nothing',
    example: `${here} --profile profile.json`,
    exits: {
      ...sending,
      0: 'a run can begin',
      ...unreachable,
      4: 'a safe run could create nothing, the list of cards is none, or a key or card of the profile is not what it says of it',
      5: 'an earlier run has left something, or a line of the ledger cannot be read',
    },
    flags: {
      ledger: readLedger,
      'webhook-listen': {
        value: 'HOST:PORT',
        says: 'as for a run; doctor receives nothing, and only sees whether it is an address',
      },
      'webhook-url': { value: 'URL', says: 'the same of the address under which the target reaches that' },
    },
  },
  replay: {
    usage: '--target URL clause …',
    does: 'judges the clauses that are named alone, with their set-up',
    example: `${here} adjustment.by-id.refuses-overdraw`,
    exits: judging,
  },
  fuzz: {
    usage: '--target URL [inputs] [sequences]',
    does: 'sends odd input to every operation, and random sequences of requests that are checked against the specification',
    example: `${here} --seed 7 --runs 200`,
    exits: {
      ...creating,
      0: 'nothing contradicts the specification',
      1: 'a sequence contradicts it, or odd input causes a server error or a change; the shortest one is shown',
      4: 'the budget was used up, a request was not allowed, or --path leads to no sequence',
    },
    flags: {
      mode: { value: 'MODE', says: 'must be full; that is the default for a target on this machine' },
      profile: { value: 'FILE', says: 'what else the target offers, as JSON; secondKey is the key of another account' },
      seed: { value: 'N', says: seeded('input and sequences are') },
      'max-creates': { value: 'N', says: 'at most so many cards' },
      'max-requests': { value: 'N', says: 'at most so many requests' },
      'max-face-value': { value: 'AMOUNT', says: 'at most so much on all cards together' },
    },
  },
  sweep: {
    usage: '--target URL',
    does: 'voids and deletes what earlier runs left',
    example: here,
    exits: { ...sending, 0: 'nothing is left', ...leaving },
    flags: { ledger: readLedger },
  },
  ledger: {
    usage: '--target URL',
    does: 'shows what is left, with its codes, and forgets what somebody has seen to be gone; sends nothing',
    example: here,
    exits: {
      0: 'nothing is left',
      2: 'the command cannot be understood, or nothing is left under a name that --forget gives; nothing was forgotten',
      5: 'something is left, or a line of the ledger cannot be read',
    },
    flags: { ledger: readLedger },
  },
  report: {
    usage: 'results.json …',
    does: 'makes any report from result files; of several, with a table of what differs',
    example: 'a/results.json b/results.json --out both',
    exits: { 0: 'reported', 6: unwritten },
    flags: {
      out: { value: 'DIR', says: 'writes the files that run writes there, and prints their paths in place of a report' },
    },
  },
  diff: {
    usage: 'A.json B.json',
    does: 'what two runs found differently, the worst first',
    example: 'before/results.json after/results.json',
    exits: { 0: 'no verdict became worse', 1: 'one did' },
  },
  compare: {
    usage: '--a URL --b URL [clause or glob …]',
    does: 'runs one plan on two targets, on A twice; says where they differ, the worst first',
    example: '--a http://127.0.0.1:8460 --b https://staging.example.com --out differences',
    exits: {
      ...creating,
      0: 'they do not differ in a statement; what is open may differ',
      1: 'they differ in a statement, or one alone answers a question against every reading',
      3: 'either is unreachable or refuses its key',
      4: 'something could not be judged on one side',
      6: unwritten,
    },
    flags: {
      reporter: {
        value: 'NAME',
        says: 'text (usual), json or html, on standard output; with --out, which has all three, the text is printed',
      },
      out: {
        value: 'DIR',
        says: 'writes comparison.json, comparison.txt, comparison.html, and a.json and b.json as run writes results.json',
      },
      'max-creates': { value: 'N', says: `at most so many cards on each target, in all its runs; ${aSafeRunHas.creates}` },
      'max-requests': { value: 'N', says: `at most so many requests to each target, in all its runs; ${aSafeRunHas.requests}` },
      'max-face-value': {
        value: 'AMOUNT',
        says: `at most so much on all cards of a target, in all its runs; ${aSafeRunHas.faceValue}`,
      },
    },
  },
  'facts learn': {
    usage: '--target URL [clause or glob …]',
    does: 'asks what the specification leaves open, and writes what it sees as mock --facts takes it',
    example: '--target https://staging.example.com --mode read-only --out staging.yaml',
    exits: {
      ...creating,
      0: 'something was learned',
      1: 'what was seen is excluded under every reading of a clause',
      4: 'nothing could be learned',
      6: unwritten,
    },
    flags: {
      out: { value: 'FILE', says: 'the facts file (usual: facts.yaml); one of the same target is added to' },
      force: {
        says: 'writes a facts file of another target anew, and lets what one says by hand give way to what is seen',
      },
    },
  },
  'facts write': {
    usage: 'results.json FILE',
    does: 'writes a facts file from what a run observed',
    example: 'out/results.json facts.yaml',
    exits: { 0: 'written' },
    flags: {
      force: { says: 'writes over a facts file that is there already, with whatever was pinned or learned in it' },
    },
  },
  'facts show': {
    usage: 'FILE',
    does: 'what is known of a deployment, since when and by what',
    example: 'facts.yaml',
    exits: { 0: 'shown' },
    flags: { 'old-after': { value: 'DAYS', says: `what was seen longer ago is called stale (usual: ${usuallyOldAfter})` } },
  },
  'facts diff': {
    usage: 'FILE FILE',
    does: 'where two facts files differ',
    example: 'before.yaml facts.yaml',
    exits: { 0: 'they do not differ', 1: 'they do' },
  },
  'facts pin': {
    usage: 'FILE clause=reading …',
    does: 'chooses behaviors by hand, which hold whatever is seen later',
    example: 'facts.yaml http.head=like-get',
    exits: { 0: 'pinned' },
  },
  'facts unpin': {
    usage: 'FILE clause …',
    does: 'takes such a choice back, so that what is seen holds',
    example: 'facts.yaml http.head',
    exits: { 0: 'done' },
  },
} as const satisfies Readonly<Record<string, Told>>;
