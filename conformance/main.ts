import packageFile from '../package.json' with { type: 'json' };
import './clauses/index.ts';
import './probes/index.ts';
import { type Command, type Environment, type Flags, type Io, parsed, say } from './command-line.ts';
import { compare } from './commands/compare.ts';
import { diff } from './commands/diff.ts';
import { doctor } from './commands/doctor.ts';
import { facts } from './commands/facts.ts';
import { ledger } from './commands/ledger.ts';
import { list } from './commands/list.ts';
import { plan } from './commands/plan.ts';
import { replay } from './commands/replay.ts';
import { report } from './commands/report.ts';
import { run } from './commands/run.ts';
import { sweep } from './commands/sweep.ts';
import { walk } from './commands/walk.ts';
import { didYouMean } from './nearest.ts';
import { UsageError } from './target.ts';
import { BrokenOff } from './verdict.ts';

export type { Io } from './command-line.ts';

export const help = `giftcard-sandbox conformance: holds a gift card service against the specification, clause by clause.

  giftcard-sandbox conformance run --target URL [clause or glob …]
  giftcard-sandbox conformance list [clause or glob …]
  giftcard-sandbox conformance plan --target URL        says what a run would send and cost; sends nothing
  giftcard-sandbox conformance doctor --target URL      looks whether a run could begin; changes nothing
  giftcard-sandbox conformance replay --target URL clause …   those alone, with their set-up
  giftcard-sandbox conformance walk --target URL        tells stories made from a seed, and holds each answer against a model
  giftcard-sandbox conformance sweep --target URL       voids and deletes what an earlier run left
  giftcard-sandbox conformance ledger --target URL      shows what is left, with its codes; sends nothing
  giftcard-sandbox conformance report results.json …    any report from result files; of several, side by side
  giftcard-sandbox conformance diff A.json B.json       what two runs found differently; exit 1 when something became worse
  giftcard-sandbox conformance compare --a URL --b URL  runs one plan on two targets, on A twice; says where they differ, the worst first
  giftcard-sandbox conformance facts learn --target URL   asks what the specification leaves open, and writes what it sees as mock --facts takes it
  giftcard-sandbox conformance facts write results.json FILE   the same from what a run observed
  giftcard-sandbox conformance facts show FILE, facts diff FILE FILE   what is known of a deployment, since when and by what; exit 1 when two differ
  giftcard-sandbox conformance facts pin FILE clause=reading …, facts unpin FILE clause …   chosen by hand, whatever is seen later

  --target URL        base URL of the service; nothing is assumed. Elsewhere than on this machine only https
  --key-env NAME      environment variable that holds the API key (default GIFTCARD_API_KEY)
  --a URL, --b URL    of compare: the two services, and for each what --key-env and --profile are elsewhere:
  --a-key-env NAME, --b-key-env NAME   (default GIFTCARD_API_KEY_A and _B, otherwise GIFTCARD_API_KEY), --a-profile FILE, --b-profile FILE
  --profile FILE      what else the target offers, as JSON: secondKey, deletedKey, basicKey, voucherCode, …
  --webhook-listen HOST:PORT   where deliveries are received (default 127.0.0.1 when the target is on this machine)
  --webhook-url URL   under which address the target reaches that (default: where it listens)
  --level LEVEL       only stated, ambiguous, open or robustness clauses
  --skip GLOB         leave clauses out; may be repeated
  --mode MODE         read-only, safe (usual elsewhere than on this machine) or full (usual on it)
  --allow WHAT,…      lets a safe run cause email, webhooks, automation, coupons, rate-limit
  --max-creates N, --max-requests N, --max-face-value AMOUNT
                      budget of the run; a safe run has 5 cards of 6.00 in all and 150 requests. Of compare: for all runs on one target
  --rate N/m          at most N requests a minute; 60/m elsewhere than on this machine
  --inputs, --no-inputs   whether odd input is sent, about four thousand requests of it (usual: in a full run on this machine of a target
                      whose profile says noRateLimit)
  --seed N            from which odd input and stories are made; the same number makes the same again (usual: 1)
  --runs N, --steps N   of a walk: its stories (usual: 100), and the steps of the longest (usual: 20, at most 40)
  --path P            of a walk: the one story that an earlier walk printed this of, with the same seed and steps
  --ledger FILE       where what is created is written down first (usual: one file per target with the user's state)
  --yes               do not ask before a run elsewhere than on this machine
  --reporter NAME     text (default), json, junit, markdown or html, on standard output; may be repeated where there is --out
  --out DIR           write results.json, report.txt, report.html and what --reporter names there; of report, only what --reporter names
                      of facts learn: the file (usual: facts.yaml); one of the same target is added to
  --baseline FILE     violations that are known, with a reason each, as JSON; one that holds now is an error
  --write-baseline FILE   write the baseline that fits what was found, by which this run is then judged
  --facts FILE        what is known of the target: each observation is new, the same, or changed, and what is not seen again stale; it fails nothing
  --old-after DAYS    what was not asked and was seen so long ago is stale, too (usual: 90)
  --force             of facts learn: writes a facts file of another target anew
  --quiet             no progress on standard error
  --list              with run: print what would run, and send nothing
  --help, --version

Exit: 0 all that could be judged passed · 1 a clause is violated, or one of the baseline holds · 2 usage, nothing was sent · 3 target unreachable or key refused
      of compare: 1 they differ in a statement (what is open may differ), 4 something could not be judged on one side
      4 something could not be judged; of doctor: a safe run could create nothing · 5 something is left behind, or the ledger is damaged
      6 the suite itself broke
      130 broken off, everything created is gone
`;

const commands: Readonly<Record<string, Command>> = {
  run,
  list,
  plan,
  doctor,
  replay,
  sweep,
  ledger,
  report,
  diff,
  compare,
  facts,
  walk,
};

/** Runs the command and resolves with its exit code; never throws and never exits by itself. */
export async function main(argv: string[], env: Environment = process.env, io: Io = process): Promise<number> {
  try {
    const { flags, words } = parsed(argv);
    const [name = '', ...rest] = words;
    if (flags.version) return say(io, `${packageFile.version}\n`);
    if (flags.help || argv.length === 0 || name === 'help') return say(io, help);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new UsageError(
        `Unknown command "${name}". Known are ${Object.keys(commands).join(', ')}.${didYouMean(name, Object.keys(commands))} See --help.`,
      );
    const unwanted = (Object.keys(flags) as (keyof Flags)[]).find((flag) => !command.takes.includes(flag));
    if (unwanted) throw new UsageError(`${name} has no flag --${unwanted}. See giftcard-sandbox conformance --help.`);
    return await command.run({ words: rest, flags, env, io });
  } catch (error) {
    if (error instanceof BrokenOff) {
      io.stderr.write('Broken off before anything was sent.\n');
      return 130;
    }
    const usage = error instanceof UsageError;
    io.stderr.write(
      usage ? `${error.message}\n` : `The suite itself broke: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    return usage ? 2 : 6;
  }
}
