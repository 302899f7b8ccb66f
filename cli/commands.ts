import type { Environment, Io } from './io.ts';
import type { CommandDefinition } from './run-command.ts';

type Load = (environment: Environment, io: Io) => Promise<CommandDefinition>;

/** The commands by name, with a line for the help. Only the code of the command that the user runs is loaded, because loading takes time. */
export const commands: Readonly<Record<string, readonly [summary: string, load: Load]>> = {
  mock: ['Runs a mock of the gift card service', async (env, io) => (await import('./mock/main.ts')).mockCommand(env, io)],
  ready: [
    'Checks that a mock runs and is healthy, or waits until it is',
    async (env, io) => (await import('./mock/ready.ts')).readyCommand(env, io),
  ],
  env: [
    'Prints shell variables with the URL and a key of a running mock',
    async (env, io) => (await import('./mock/env.ts')).envCommand(env, io),
  ],
  init: [
    'Sets up the test runner of a project, and writes an example test',
    async (env, io) => (await import('../mock/client/runners/init.ts')).initCommand(env, io),
  ],
  contract: ["Exports the service's contract", async (_, io) => (await import('./mock/contract.ts')).contractCommand(io)],
  conformance: [
    'Checks a service against the specification, rule by rule',
    async (env, io) => (await import('./conformance/main.ts')).conformanceCommand(env, io),
  ],
  proxy: [
    'Checks the traffic between a client and a service against the specification',
    async (env, io) => (await import('./conformance/proxy.ts')).proxyCommand(env, io),
  ],
  completion: [
    'Prints a script that completes commands, flags and values in your shell',
    async (env, io) => {
      const { completionCommand } = await import('./completion.ts');
      return completionCommand(io, () => programOf(env, io, () => true));
    },
  ],
};

/** Returns the whole program. Only the commands that `isLoaded` selects have flags and inner commands. */
export async function programOf(env: Environment, io: Io, isLoaded: (command: string) => boolean): Promise<CommandDefinition> {
  const definitions = Object.entries(commands).map(async ([usage, [summary, load]]) =>
    isLoaded(usage) ? load(env, io) : { usage, summary },
  );
  return {
    usage: 'giftcard-sandbox',
    summary: 'A sandbox for a gift card service: its contract, a mock with state, and a conformance suite',
    commands: await Promise.all(definitions),
    examples: [
      'giftcard-sandbox mock',
      'eval "$(giftcard-sandbox env)"',
      'giftcard-sandbox conformance run --target http://127.0.0.1:8460',
    ],
  };
}
