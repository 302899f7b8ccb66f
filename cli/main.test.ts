import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** Returns the exit code and errors of a command. Closes the command's standard output before the command writes. */
async function unread(...argv: string[]): Promise<{ code: number; err: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const ended = new Promise<number>((done) => child.on('exit', (code) => done(code ?? -1)));
  return { err: await text(child.stderr), code: await ended };
}

test('a closed standard output causes no stack trace and does not change the exit code', async () => {
  const [contract, list] = await Promise.all([unread('contract', 'export'), unread('conformance', 'list')]);
  expect(contract).toEqual({ code: 0, err: '' });
  expect(list).toEqual({ code: 0, err: '' });
});
