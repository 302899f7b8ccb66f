import { UsageError } from '../../command-line/usage-error.ts';
import packageFile from '../../package.json' with { type: 'json' };
import type { Environment, Io } from '../cli/command-line.ts';
import { outputOf, rendered, writeReports, written } from '../cli/output.ts';
import { checkVariable, fitsHeader } from '../cli/variable.ts';
import { exitCode } from '../core/exit.ts';
import { baseUrl, isLoopback } from '../core/target.ts';
import { findingLine } from '../report/proxy-document.ts';
import { OWN_ANSWER, TOKEN_HEADER } from './door.ts';
import { type Flags, flagsIn } from './flags.ts';
import { readingBy } from './reading-facts.ts';
import { readRecord } from './record.ts';
import { Recorder } from './recorder.ts';
import { type Gathered, resultOf } from './result.ts';
import { isOwnEar } from './self-target-check.ts';
import { type Judging, replayed, watching } from './watching.ts';

export const help = `giftcard-sandbox proxy: stands between any client and any deployment of the service, passes everything on as it is, and holds what passes
against the specification. It sends nothing of its own.

  giftcard-sandbox proxy --target URL --port N       watches until it is stopped, then says what it has seen
  giftcard-sandbox proxy --replay FILE               judges again what was recorded; no traffic

  --target URL        the deployment; elsewhere than on this machine only https
  --port N            where clients find it (default: any that is free)
  --host HOST         address to listen at (default 127.0.0.1); another than this machine's own only with --token-env
  --token-env NAME    environment variable with a token of the proxy's own, which clients then send in ${TOKEN_HEADER};
                      it is not passed on
  --only-client       nobody else acts on the account: no other client or key, automation, dashboard, order; and the client uses no unique value
                      again that it used before the proxy began. What would otherwise be "cannot tell" is then a violation
  --facts FILE        what is known of the deployment, by whose names and wrappers it is then read; those that nothing showed are told at the end
  --record FILE       keep what passes at the end of this file, a line an exchange; keys, codes, links, addresses and other texts by names only
  --replay FILE       such a file
  --reporter NAME     text (default), json, junit, markdown or html, on standard output at the end; with --out written there, beside the text that is printed, and may be repeated
  --out DIR           write results.json, report.txt, report.html and what --reporter names there, and print the text
  --quiet             no line for each finding on standard error
  --help, --version

The client's x-api-key is passed on as it is; the proxy has no key. Webhook deliveries do not pass through it, and so it says nothing of them.
Answers of the proxy itself carry the header ${OWN_ANSWER}: 502 where the target gives no answer, 403 where its token is missing,
501 where the target changes the protocol, 400 or 431 for what cannot be read as HTTP.

Exit: 0 at least one stated clause was held, and none was violated · 1 a stated clause is violated · 2 usage, nothing was listened to
      3 the target gave no whole answer to any request · 4 nothing that is stated could be judged · 6 the proxy itself broke
`;

/** Runs the command until it is told to stop, and resolves with its exit code; never throws and never exits by itself. */
export async function main(argv: readonly string[], env: Environment = process.env, io: Io = process): Promise<number> {
  try {
    const flags = flagsIn(argv);
    if (flags.version) return said(io, `${packageFile.version}\n`);
    if (flags.help) return said(io, help);
    return await (flags.replay === undefined ? live(flags, env, io) : again(flags, flags.replay, io));
  } catch (error) {
    const usage = error instanceof UsageError;
    io.stderr.write(
      usage ? `${error.message}\n` : `The proxy itself broke: ${error instanceof Error ? error.stack : String(error)}\n`,
    );
    return usage ? 2 : 6;
  }
}

async function live(flags: Flags, env: Environment, io: Io): Promise<number> {
  if (flags.target === undefined)
    throw new UsageError(
      'No target is given. Say which service to pass on to: --target http://127.0.0.1:8460, or --replay FILE.',
    );
  const target = baseUrl(flags.target);
  const [host, port, token] = [flags.host ?? '127.0.0.1', portOf(flags.port), tokenOf(flags, env)];
  if (token === undefined && !isLoopback(host.includes(':') ? `[${host}]` : host))
    throw new UsageError(
      `With --host ${host} everybody who reaches this machine could use the target through the proxy. Give it a token of its own: --token-env NAME.`,
    );
  if (await isOwnEar(target, host, port))
    throw new UsageError(
      `The target ${target} is where this proxy would listen itself, so that every request would come back to it for ever. Give the service's own URL to --target, or another --port.`,
    );
  const output = outputOf(flags, 'text');
  const judging = await judgingBy(flags, io);
  const recorder =
    flags.record === undefined ? undefined : new Recorder(flags.record, target, new Date().toISOString(), judging.trouble);
  const record = recorder && ((seen: Parameters<Recorder['add']>[0]) => recorder.add(seen));
  const running = await watching({ ...judging, target, host, port, token, record }).catch((error: NodeJS.ErrnoException) => {
    throw unlistenable(error, host, port) ?? error;
  });
  io.stderr.write(`Watching: ${running.url} → ${target}\n`);
  const isHurried = await stopped(io);
  const gathered = await running.stop(isHurried);
  recorder?.close();
  return told(gathered, output, io);
}

async function again(flags: Flags, file: string, io: Io): Promise<number> {
  const unwanted = (['target', 'port', 'host', 'token-env', 'record'] as const).find((name) => flags[name] !== undefined);
  if (unwanted)
    throw new UsageError(
      `--replay reads a record and passes nothing on, so that --${unwanted} says nothing. Leave out one of the two.`,
    );
  const { sections, cut } = readRecord(file);
  const output = outputOf(flags, 'text');
  if (cut > 0) io.stderr.write(`The last line of ${file} was cut, and is left aside.\n`);
  return told(replayed(sections, await judgingBy(flags, io)), output, io);
}

async function judgingBy(flags: Flags, io: Io): Promise<Judging> {
  return {
    ...(await readingBy(flags.facts)),
    onlyClient: flags['only-client'] === true,
    suite: `giftcard-sandbox ${packageFile.version}`,
    say: (finding) => flags.quiet !== true && io.stderr.write(findingLine(finding)),
    trouble: (sentence) => io.stderr.write(`${sentence}\n`),
    notice: (sentence) => io.stderr.write(`${sentence}\n`),
  };
}

function told(gathered: Gathered, { named, out, printed }: ReturnType<typeof outputOf>, io: Io): number {
  const result = resultOf(gathered);
  io.stdout.write(rendered([result], printed, out));
  const isWritten = written(io, () => {
    if (out !== undefined) writeReports([result], ['json', 'text', 'html', ...named], out);
  });
  return isWritten ? exitCode(result) : 6;
}

function portOf(text = '0'): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port "${text}" is no port. Give one from 0 to 65535; 0 is any that is free.`);
}

function tokenOf({ 'token-env': name }: Flags, env: Environment): string | undefined {
  if (name === undefined) return undefined;
  checkVariable(name, '--token-env', 'PROXY_TOKEN');
  const token = env[name];
  if (!token || !fitsHeader(token))
    throw new UsageError(
      `The environment variable ${name} holds no token: some letters and figures without blanks. Set it, or leave --token-env out.`,
    );
  return token;
}

function unlistenable({ code }: NodeJS.ErrnoException, host: string, port: number): UsageError | undefined {
  if (code === 'EADDRINUSE')
    return new UsageError(`Port ${port} on ${host} is in use. Choose another with --port, or --port 0 for any that is free.`);
  if (code === 'EACCES') return new UsageError(`Port ${port} may not be used by this user. Choose one above 1023 with --port.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new UsageError(`${host} is no address of this machine. Choose another with --host.`);
  return undefined;
}

function said({ stdout }: Io, text: string): number {
  stdout.write(text);
  return 0;
}

/** Resolves when somebody stops it, with a signal that is given when they do so once more. */
function stopped(io: Io): Promise<AbortSignal> {
  const hurried = new AbortController();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  return new Promise((done) => {
    const stop = () => {
      for (const name of signals) io.off?.(name, stop);
      for (const name of signals) io.once?.(name, () => hurried.abort());
      done(hurried.signal);
    };
    for (const name of signals) io.once?.(name, stop);
  });
}
