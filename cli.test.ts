import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

/** What a command leaves to somebody who closes its standard output before anything is written. */
async function unread(...argv: string[]): Promise<{ code: number; err: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'cli.ts', ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  const ended = new Promise<number>((done) => child.on('exit', (code) => done(code ?? -1)));
  return { err: await text(child.stderr), code: await ended };
}

test('who stops reading gets no stack trace, and the exit code of a command stays', async () => {
  const [contract, list] = await Promise.all([unread('contract', 'export'), unread('conformance', 'list')]);
  expect(contract).toEqual({ code: 0, err: '' });
  expect(list).toEqual({ code: 0, err: '' });
});
