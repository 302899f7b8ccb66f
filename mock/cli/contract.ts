import { writeFileSync } from 'node:fs';
import { whyNot } from '../../openapi/input/why-not.ts';
import { asYaml, contract as documentOf } from '../control/documents.ts';
import { UnusableInput } from '../server/unusable-input.ts';
import { startingDialect } from '../variant/start.ts';
import { command } from './asking.ts';
import { type Environment, type Io, parseFlags, UsageError } from './command-line.ts';

const help = `Usage: giftcard-sandbox contract export [flags]

Prints the service's contract as one OpenAPI 3.1 document: as it is written, or as the deployment speaks that a facts file tells of, with its names,
wrappers, statuses and bodies. For generators of types and clients.

  --facts FILE           what is known of the deployment, as conformance facts writes it and mock --facts takes it
  --format yaml|json     (json, or what the name of --out ends in)
  --out FILE             writes it there instead
  --help                 this text

Exit codes: 0 exported; 2 no command is given, or a flag or a file cannot be used, and nothing was written.
`;

const flags = {
  facts: { type: 'string' },
  format: { type: 'string' },
  out: { type: 'string' },
  help: { type: 'boolean' },
} as const;

/** Runs `giftcard-sandbox contract`; resolves with the exit code. */
export function contract([does, ...rest]: readonly string[], _: Environment, io: Io): Promise<number> {
  return command(io, async () => {
    if (does === undefined) throw new UsageError(`${help}\nNo command is given.`);
    const isExport = does === 'export';
    if (!isExport && !does.startsWith('-')) throw new UsageError(`contract takes export, not "${does}". ${seeHelp}`);
    const given = parseFlags('contract', flags, isExport ? rest : [does, ...rest]) as Given;
    if (given.help) return help;
    if (!isExport) throw new UsageError(`contract takes export before its flags: giftcard-sandbox contract export ${does}.`);
    const format = formatOf(given);
    const dialect = await startingDialect(given.facts).catch(unusable);
    // Who exports it may change it; the mark is for the file that is generated here.
    const { 'x-generated': _, ...document } = documentOf(dialect);
    const text = format === 'yaml' ? await asYaml(document) : `${JSON.stringify(document, null, 2)}\n`;
    return given.out === undefined ? text : written(given.out, text);
  });
}

interface Given {
  readonly facts?: string;
  readonly format?: string;
  readonly out?: string;
  readonly help?: boolean;
}

const seeHelp = 'See giftcard-sandbox contract --help.';

function formatOf({ format, out = '' }: Given): 'yaml' | 'json' {
  const ofName = /\.ya?ml$/i.test(out) ? 'yaml' : /\.json$/i.test(out) ? 'json' : undefined;
  if (format === undefined) return ofName ?? 'json';
  if (format !== 'yaml' && format !== 'json') throw new UsageError(`--format takes yaml or json, not "${format}". ${seeHelp}`);
  if (ofName !== undefined && ofName !== format)
    throw new UsageError(
      `--format ${format} does not go with ${out}, whose name says ${ofName}. Leave one out, or name another file.`,
    );
  return format;
}

function unusable(error: unknown): never {
  throw error instanceof UnusableInput ? new UsageError(error.problems.join('\n')) : error;
}

function written(file: string, text: string): string {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new UsageError(
      `The contract could not be written to ${file}: ${whyNot(error, 'written')}. Name another file with --out.`,
    );
  }
  return `${file} has the contract.\n`;
}
