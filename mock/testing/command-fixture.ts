import { type AddressInfo, createServer } from 'node:net';
import type { Environment, Io } from '../../cli/io.ts';
import { type CommandDefinition, runCommand } from '../../cli/run-command.ts';

/** Runs a command and resolves with its exit code and everything it wrote. */
export async function runCaptured(
  define: (environment: Environment, io: Io) => CommandDefinition,
  argv: readonly string[],
  environment: Environment = {},
) {
  const written = { stdout: '', stderr: '' };
  const into = (stream: keyof typeof written) => ({
    write: (text: string) => {
      written[stream] += text;
    },
  });
  const io = { stdout: into('stdout'), stderr: into('stderr') };
  const code = await runCommand(define(environment, io), argv, io, '1.2.3');
  return { code, ...written };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
