import { writeFileSync } from 'node:fs';
import { whyNot } from '../../openapi/input/why-not.ts';
import { Clock } from '../account/clock.ts';
import { logTo, silent } from '../server/log.ts';
import type { Mock } from '../server/mock.ts';
import { start } from '../server/start.ts';
import { UnusableInput } from '../server/unusable-input.ts';
import { version } from '../server/version.ts';
import { type Environment, type Io, UsageError } from './command-line.ts';
import { type Flags, help, readFlags } from './flags.ts';

/** Runs `giftcard-sandbox mock` until it is told to stop; resolves with the exit code. */
export async function main(argv: readonly string[], env: Environment, { stdout, stderr }: Io): Promise<number> {
  try {
    const flags = readFlags(argv, env);
    if (flags.help) return said(stdout, help);
    if (flags.version) return said(stdout, `${version}\n`);
    const mock = await startWith(flags, stderr);
    await keepProfile(mock, flags);
    stdout.write(greeting(mock, flags));
    await stopped();
    await mock.close();
    return 0;
  } catch (error) {
    if (error instanceof UsageError || error instanceof UnusableInput) {
      stderr.write(`${error instanceof UnusableInput ? error.problems.join('\n') : error.message}\n`);
      return 2;
    }
    stderr.write(`The sandbox failed: ${error instanceof Error ? error.message : String(error)}\n`);
    return 6;
  }
}

async function startWith(flags: Flags, stderr: Io['stderr']): Promise<Mock> {
  const machine = new Clock();
  const { quiet, logFormat, help: _help, version: _version, writeProfile: _file, ...options } = flags;
  const log = quiet
    ? silent
    : logTo(
        (line) => stderr.write(line),
        logFormat,
        () => machine.now(),
      );
  try {
    return await start(options, log);
  } catch (error) {
    throw listenProblem(error, flags) ?? error;
  }
}

/** Where it cannot be written, the mock does not go on: whoever asked for the file would take an older one for it. */
async function keepProfile(mock: Mock, { writeProfile: file }: Flags): Promise<void> {
  if (file === undefined) return;
  try {
    writeFileSync(file, `${JSON.stringify(mock.profile(), null, 2)}\n`);
  } catch (error) {
    await mock.close();
    throw new UsageError(`--write-profile: ${file} cannot be written: ${whyNot(error, 'written')}; name another file.`);
  }
}

function listenProblem(error: unknown, { host, port, controlPort }: Flags): UsageError | undefined {
  const { code, port: refused = port } = error as NodeJS.ErrnoException & { readonly port?: number };
  const flag = refused === controlPort ? '--control-port' : '--port';
  switch (code) {
    case 'EADDRINUSE':
      return new UsageError(`Port ${refused} on ${host} is in use; choose another with ${flag}, or ${flag} 0 for any free one.`);
    case 'EACCES':
      return new UsageError(`Port ${refused} may not be used by this user; choose one above 1023 with ${flag}.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new UsageError(`${host} is no address of this machine; choose another with --host.`);
    default:
      return undefined;
  }
}

function greeting(mock: Mock, flags: Flags): string {
  const accounts = mock.accounts.map(
    ({ id, plan, apiKey }) => `  ${id.padEnd(12)} ${plan.padEnd(10)} x-api-key: ${apiKey ?? '(no usable key)'}`,
  );
  const { controlUrl } = mock;
  const entry = mock.controlToken === undefined ? '' : `?token=${encodeURIComponent(mock.controlToken)}`;
  const token =
    mock.controlToken === undefined || controlUrl === undefined
      ? ''
      : `Control token, for the header x-sandbox-token: ${mock.controlToken}\n`;
  return [
    mock.url,
    'Accounts:',
    ...accounts,
    controlUrl === undefined
      ? 'Control door: closed'
      : `Control door: ${controlUrl}/__mock/ (the API's reference: ${controlUrl}/__mock/reference${entry})`,
    `${token}Seed: ${mock.seed}`,
    ...behaviorsLine(mock),
    ...stateLine(mock, flags),
    '',
  ].join('\n');
}

/** Nothing where everything is as the contract is written. */
function behaviorsLine({ controlUrl, spoken }: Mock): readonly string[] {
  const { differing, ownRows } = spoken;
  if (differing === 0 && ownRows === 0) return [];
  const rows = ownRows === 0 ? '' : `, and ${ownRows} ${ownRows === 1 ? 'row' : 'rows'} of your own`;
  const where = controlUrl === undefined ? '' : ` (see ${controlUrl}/__mock/behaviors)`;
  return [`Behaviors: ${differing} differ from the default${rows}${where}`];
}

/** What the file holds goes before what the flags say, which somebody who has just changed one would not expect. */
function stateLine({ state }: Mock, { world, facts, vary, seed }: Flags): readonly string[] {
  if (!state) return [];
  if (!state.wasThere) return [`State: ${state.path} is new; it is written when the mock is stopped`];
  const given = Object.entries({ world, facts, vary: vary || undefined, seed }).filter(([, value]) => value !== undefined);
  const flags = given.map(([flag]) => `--${flag}`).join(', ');
  const overruled = flags === '' ? '' : `; ${flags} ${given.length === 1 ? 'says' : 'say'} only what a reset goes back to`;
  return [`State: goes on from ${state.path}${overruled}`];
}

function said(stdout: Io['stdout'], text: string): number {
  stdout.write(text);
  return 0;
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
}
