import { type CommandDefinition, runCommand } from './command-line/run-command.ts';
import { version } from './mock/server/version.ts';

const { env } = process;

/** Each command's line in the help, and how its definition is loaded. Only the named command is loaded, since loading costs start time. */
const commands: Readonly<Record<string, readonly [summary: string, load?: () => Promise<CommandDefinition>]>> = {
  mock: ['Runs a mock of the gift card service', async () => (await import('./mock/cli/main.ts')).mockCommand(env, process)],
  ready: [
    'Checks that a mock runs and is healthy, or waits for one',
    async () => (await import('./mock/cli/ready.ts')).readyCommand(env, process),
  ],
  env: [
    'Prints the lines that point a shell at a running mock',
    async () => (await import('./mock/cli/env.ts')).envCommand(env, process),
  ],
  contract: ["Exports the service's contract", async () => (await import('./mock/cli/contract.ts')).contractCommand(process)],
  conformance: ['Checks a service against the specification, clause by clause', loadConformance],
  proxy: [
    'Checks the traffic between a client and a service against the specification',
    async () => (await import('./conformance/cli/proxy.ts')).proxyCommand(env, process),
  ],
};

async function run(argv: string[]): Promise<number> {
  const [first = '', second = ''] = argv;
  const named = first === 'help' ? second : first;
  const definitions = Object.entries(commands).map(async ([usage, [summary, load]]) =>
    named === usage && load ? load() : { usage, summary },
  );
  const root = {
    usage: 'giftcard-sandbox',
    summary: 'A sandbox for a gift card service: its contract, a mock with state, and a conformance suite',
    commands: await Promise.all(definitions),
  };
  return runCommand(root, argv, process, version);
}

/** An interrupt while the suite is loading ends it, since nothing was sent yet. */
async function loadConformance(): Promise<CommandDefinition> {
  const stop = () => {
    process.stderr.write('Interrupted before anything was sent.\n');
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const { conformanceCommand } = await import('./conformance/cli/main.ts');
  process.off('SIGINT', stop).off('SIGTERM', stop);
  return conformanceCommand(env, process);
}

// A reader such as head may close the pipe early; the command still does its work, and its exit code stays.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

// process.exit would cut off output that is still being written.
process.exitCode = await run(process.argv.slice(2));
