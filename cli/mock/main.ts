import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { systemTime } from '../../mock/account/clock.ts';
import { logTo, silent } from '../../mock/server/log.ts';
import type { Mock } from '../../mock/server/mock.ts';
import { start } from '../../mock/server/start.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { hasColor, painter } from '../color.ts';
import { misspeltVariables, variableOf } from '../flags.ts';
import type { Environment, Io } from '../io.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';
import { banner } from './banner.ts';
import { type MockSettings, mockFlags, settingsFrom } from './flags.ts';

/** `giftcard-sandbox mock`, which runs until a signal stops it. */
export function mockCommand(environment: Environment, io: Io): CommandDefinition {
  return defineCommand({
    usage: 'mock',
    summary: 'Runs a mock of the gift card service; in a pipe, the first line on stdout is its base URL',
    flags: mockFlags,
    environment,
    notes: `Every flag has a variable: ${variableOf('rate-limit')}=off is --rate-limit off. A flag wins over its variable.
The content of --state wins over --world, --variant, --vary and --seed, which then only have an effect on a reset. A folder needs the package classic-level, PostgreSQL the package pg.
Exit codes: 0 stopped by Ctrl-C or SIGTERM; 2 a flag or a file is wrong, or the address is not available; 6 a defect of the mock.`,
    examples: [
      'giftcard-sandbox mock',
      'giftcard-sandbox mock --port 0 --world accounts.yaml --rate-limit off',
      'giftcard-sandbox mock --host 0.0.0.0 --state ./data --log-format json',
    ],
    run: async (values) => {
      const settings = settingsFrom(values);
      const mock = await startWith(settings, io.stderr, environment);
      await writeProfile(mock, settings);
      const stopped = firstSignal((sentence) => io.stderr.write(sentence));
      io.stdout.write(banner(mock, io.stdout.isTTY === true, painter(hasColor(io.stdout, environment))));
      await stopped;
      await mock.close();
      return 0;
    },
  });
}

/** Waits for a signal to stop. Later signals are ignored, because the last changes may not be stored yet. */
function firstSignal(write: (sentence: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: string) => {
      if (isStopping) write(`${signal} is ignored: the mock is already stopping.\n`);
      isStopping = true;
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop);
  });
}

async function startWith(settings: MockSettings, stderr: Io['stderr'], environment: Environment): Promise<Mock> {
  const { quiet, logFormat, writeProfile: _file, ...options } = settings;
  const style = { isTerminal: stderr.isTTY === true, paint: painter(hasColor(stderr, environment)) };
  const log = logTo(
    inBatches((lines) => stderr.write(lines)),
    logFormat === 'json' ? 'json' : style,
    systemTime,
  );
  const flags = [...Object.keys(mockFlags), 'url', 'control-url', 'account']; // The last three are flags of other commands.
  for (const sentence of misspeltVariables(environment, flags)) log.notice(sentence);
  try {
    return await start(options, quiet ? { ...silent, notice: log.notice, defect: log.defect } : log);
  } catch (error) {
    throw listenProblem(error, settings) ?? error;
  }
}

/** Returns a function that writes all lines of a turn of the event loop at once. Without it, half of the time of a request is for its line. */
function inBatches(write: (lines: string) => void): (line: string) => void {
  let lines = '';
  const flush = () => {
    if (lines !== '') write(lines);
    lines = '';
  };
  process.once('exit', flush);
  return (line) => {
    if (lines === '') setImmediate(flush);
    lines += line;
  };
}

/** If the profile cannot be written, stops the mock, because the next command would use an older file. */
async function writeProfile(mock: Mock, { writeProfile: file }: MockSettings): Promise<void> {
  if (file === undefined) return;
  try {
    // The profile has keys and the control token. A file that others can read is closed to them before it gets these.
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) chmodSync(file, 0o600);
    writeFileSync(file, `${JSON.stringify(mock.profile(), null, 2)}\n`, { mode: 0o600 });
  } catch (error) {
    await mock.close();
    throw new UsageError(`--write-profile: ${file} cannot be written: ${whyNot(error, 'written')}; name another file.`);
  }
}

/** Returns the usage error if the mock cannot listen on the address; undefined for any other error. */
function listenProblem(error: unknown, { host, port, controlPort }: MockSettings): UsageError | undefined {
  const { code, syscall, port: refused = port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined;
  const flag = refused === controlPort ? '--control-port' : '--port';
  if (code === 'EADDRINUSE')
    return new UsageError(`Port ${refused} on ${host} is in use; choose another with ${flag}, or ${flag} 0 for a free port.`);
  return new UsageError(`The mock cannot listen on port ${refused} of ${host} (${code}); change --host or ${flag}.`);
}
