import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import packageFile from '../package.json' with { type: 'json' };
import { checks } from './clause.ts';
import './clauses/index.ts';
import './probes/index.ts';
import { realTime, type Waiting } from './client.ts';
import { clauseTexts, type ShownLevel, shownLevel } from './contract.ts';
import { preflight } from './preflight.ts';
import { jsonReport } from './report/json.ts';
import { textReport } from './report/text.ts';
import { exitCode } from './result.ts';
import { runClauses } from './run.ts';
import { select } from './select.ts';
import { type InProcessFetch, loopbackUrl, readProfile, type Target, UsageError } from './target.ts';

export const help = `giftcard-sandbox conformance: holds a gift card service against the specification, clause by clause.

  giftcard-sandbox conformance run --target URL [clause or glob …]
  giftcard-sandbox conformance list [clause or glob …]

  --target URL        base URL of the service, on this machine; nothing is assumed
  --key-env NAME      environment variable that holds the API key (default GIFTCARD_API_KEY)
  --profile FILE      what else the target offers, as JSON: secondKey, deletedKey, basicKey, voucherCode, …
  --level LEVEL       only stated, ambiguous, open or robustness clauses
  --skip GLOB         leave clauses out; may be repeated
  --rate N            at most N requests a minute
  --reporter NAME     text (default) or json, on standard output
  --out DIR           also write results.json and report.txt there
  --list              with run: print what would run, and send nothing
  --help, --version

Exit: 0 all that could be judged passed · 1 a clause is violated · 2 usage, nothing was sent · 3 target unreachable or key refused
      4 something could not be judged · 5 cards or webhooks are left behind · 6 the suite itself broke
`;

export interface Io {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  /** Answers the requests of the run instead of a socket. */
  fetch?: InProcessFetch;
}

const options = {
  target: { type: 'string' },
  'key-env': { type: 'string' },
  profile: { type: 'string' },
  level: { type: 'string' },
  skip: { type: 'string', multiple: true },
  rate: { type: 'string' },
  reporter: { type: 'string' },
  out: { type: 'string' },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

type Flags = ReturnType<typeof parse>['values'];
const parse = (argv: string[]) => parseArgs({ args: argv, options, allowPositionals: true, strict: true });

/** Runs the command and resolves with its exit code; never throws and never exits by itself. */
export async function main(
  argv: string[],
  env: Record<string, string | undefined> = process.env,
  io: Io = process,
): Promise<number> {
  try {
    const { values: flags, positionals } = parsed(argv);
    const [command, ...names] = positionals;
    if (flags.version) return say(io, `${packageFile.version}\n`);
    if (flags.help || argv.length === 0) return say(io, help);
    const selected = () => select({ names, skip: flags.skip ?? [], level: levelOf(flags.level) });
    if (command === 'list' || (command === 'run' && flags.list)) return say(io, listing(selected()));
    if (command === 'run') return await run(selected(), flags, env, io);
    throw new UsageError(`Unknown command "${command ?? ''}". Known are run and list; see --help.`);
  } catch (error) {
    const usage = error instanceof UsageError;
    io.stderr.write(
      usage ? `${error.message}\n` : `The suite itself broke: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    return usage ? 2 : 6;
  }
}

async function run(
  names: ReturnType<typeof select>,
  flags: Flags,
  env: Record<string, string | undefined>,
  io: Io,
): Promise<number> {
  const reporter = flags.reporter ?? 'text';
  if (reporter !== 'text' && reporter !== 'json')
    throw new UsageError(`Unknown reporter "${reporter}". Known are text and json.`);
  const target = targetOf(flags, env, io.fetch);
  const time = toldWaiting(io);
  const trouble = await preflight(target, time);
  if (trouble !== undefined) {
    io.stderr.write(`${trouble}\n`);
    return 3;
  }
  const result = await runClauses({ target, names, checks: checks(), time, suite: `giftcard-sandbox ${packageFile.version}` });
  const text = textReport(result, (name) => `giftcard-sandbox conformance run --target ${target.url} ${name}`);
  if (flags.out !== undefined) {
    mkdirSync(flags.out, { recursive: true });
    writeFileSync(join(flags.out, 'results.json'), jsonReport(result));
    writeFileSync(join(flags.out, 'report.txt'), text);
  }
  io.stdout.write(reporter === 'json' ? jsonReport(result) : text);
  return exitCode(result);
}

/** Nobody should wonder why nothing happens for half a minute. */
function toldWaiting(io: Io): Waiting {
  const sleep = (ms: number) => {
    if (ms >= 4_000) io.stderr.write(`The rate limit is reached; going on in ${Math.ceil(ms / 1_000)} s.\n`);
    return realTime.sleep(ms);
  };
  return { now: realTime.now, sleep };
}

function targetOf(flags: Flags, env: Record<string, string | undefined>, fetch: InProcessFetch | undefined): Target {
  if (flags.target === undefined)
    throw new UsageError('No target is given. Say which service to judge: --target http://127.0.0.1:8460');
  const url = loopbackUrl(flags.target);
  const variable = flags['key-env'] ?? 'GIFTCARD_API_KEY';
  const key = env[variable];
  if (!key)
    throw new UsageError(`The environment variable ${variable} holds no API key. Set it, or name another with --key-env.`);
  const rate = flags.rate === undefined ? undefined : Number(/^\d+/.exec(flags.rate)?.[0]);
  if (rate !== undefined && !(rate >= 1))
    throw new UsageError(`--rate "${flags.rate}" is no number of requests per minute. Give one such as 60.`);
  return {
    url,
    key,
    profile: flags.profile === undefined ? {} : readProfile(flags.profile),
    ...(fetch ? { fetch } : {}),
    ...(rate === undefined ? {} : { ratePerMinute: rate }),
  };
}

function parsed(argv: string[]) {
  try {
    return parse(argv);
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ', 1);
    throw new UsageError(`${sentence.replace(/\.$/, '')}. See giftcard-sandbox conformance --help.`);
  }
}

function levelOf(text: string | undefined): ShownLevel | undefined {
  if (text === undefined || text === 'stated' || text === 'ambiguous' || text === 'open' || text === 'robustness') return text;
  throw new UsageError(`Unknown level "${text}". Known are stated, ambiguous, open and robustness.`);
}

function listing(names: ReturnType<typeof select>): string {
  const written = new Map(checks().map((check) => [check.name, check]));
  const lines = names.map((name) => {
    const clause = clauseTexts.get(name);
    const check = written.get(name);
    const state = check
      ? check.needs.length > 0
        ? `needs ${check.needs.join(', ')}`
        : 'tested'
      : `no test; seen: ${clause?.seen}`;
    return `${(clause ? shownLevel(clause) : '').padEnd(12)}${name.padEnd(62)}${state}`;
  });
  return `${lines.join('\n')}\n`;
}

function say(io: Io, text: string): number {
  io.stdout.write(text);
  return 0;
}
