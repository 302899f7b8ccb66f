const help = `giftcard-sandbox: the sandbox a gift card service does not have.

  giftcard-sandbox mock          starts the service's stand-in, with state, on this machine
  giftcard-sandbox ready         says whether a mock is there and healthy, or waits for one
  giftcard-sandbox env           prints the lines that point a shell at a running mock
  giftcard-sandbox contract      exports the service's contract, as it is written or as a deployment speaks it
  giftcard-sandbox conformance   holds a service against the specification, clause by clause
  giftcard-sandbox proxy         watches what passes between a client and a service, and holds that against the specification

  giftcard-sandbox <command> --help says what each one takes.
  --help, --version

  It, contract and conformance print their help to standard error and end with 2 where no command is given.
`;

/** Loads the one command that is asked for and nothing else, since what is not loaded does not delay the first answer. */
async function run([command, ...rest]: string[]): Promise<number | undefined> {
  switch (command) {
    case 'mock':
      return (await import('./mock/cli/main.ts')).main(rest, process.env, process);
    case 'ready':
      return (await import('./mock/cli/ready.ts')).ready(rest, process.env, process);
    case 'env':
      return (await import('./mock/cli/env.ts')).env(rest, process.env, process);
    case 'contract':
      return (await import('./mock/cli/contract.ts')).contract(rest, process.env, process);
    case 'conformance': {
      // Loading takes a moment, in which nobody else would say so.
      const stop = () => {
        process.stderr.write('Broken off before anything was sent.\n');
        process.exit(130);
      };
      process.once('SIGINT', stop).once('SIGTERM', stop);
      const { main } = await import('./conformance/cli/main.ts');
      process.off('SIGINT', stop).off('SIGTERM', stop);
      return main(rest, process.env, process);
    }
    case 'proxy':
      return (await import('./conformance/proxy/main.ts')).main(rest, process.env, process);
    case '--version': {
      const { default: packageFile } = await import('./package.json', { with: { type: 'json' } });
      process.stdout.write(`${packageFile.version}\n`);
      return 0;
    }
    case undefined:
      process.stderr.write(`${help}\nNo command is given.\n`);
      return 2;
    case 'help':
    case '--help':
    case '-h':
      process.stdout.write(help);
      return 0;
    default:
      process.stderr.write(
        `Unknown command "${command}". Known are mock, ready, env, contract, conformance and proxy; see giftcard-sandbox --help.\n`,
      );
      return 2;
  }
}

// Whoever reads may have seen enough (head); what the command does is done to its end all the same, and its exit code stays.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });

// The code is left behind rather than exited with, so that whatever is still being written gets out.
const code = await run(process.argv.slice(2));
if (code !== undefined) process.exitCode = code;
