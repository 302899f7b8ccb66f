import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { effectiveDocument } from '../../mock/control/behaviors.ts';
import { asYaml } from '../../mock/control/documents.ts';
import { startingVariant } from '../../mock/variant/start.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { choice, files, text, toggle } from '../flags.ts';
import type { Io } from '../io.ts';
import { type CommandDefinition, defineCommand } from '../run-command.ts';
import { UsageError } from '../usage-error.ts';

export function contractCommand(io: Io): CommandDefinition {
  return {
    usage: 'contract',
    summary: "Exports the service's contract",
    commands: [exportCommand(io)],
  };
}

function exportCommand(io: Io): CommandDefinition {
  return defineCommand({
    usage: 'export',
    summary: 'Prints the contract as one OpenAPI 3.1 document, as written or with the changes of a variant',
    flags: {
      variant: files('behaviors and overrides of the contract'),
      format: choice(['yaml', 'json'], 'default: json, or the extension of --out'),
      out: text('FILE', 'writes this file'),
      'with-rules': toggle('adds the rules to descriptions, and the table of all rules'),
    },
    notes: 'Exit codes: 0 exported; 2 a flag or a file is wrong, and nothing was written.',
    examples: [
      'giftcard-sandbox contract export --out contract.yaml',
      'giftcard-sandbox contract export --with-rules > contract.json',
      'giftcard-sandbox contract export --variant variant.yaml --format yaml',
    ],
    run: async ({ variant, format, out = '', 'with-rules': rules }) => {
      const chosen = format ?? (/\.ya?ml$/i.test(out) ? 'yaml' : 'json');
      const contractVariant = await startingVariant(variant);
      const document = effectiveDocument(contractVariant, rules);
      const exported = chosen === 'yaml' ? await asYaml(document) : `${JSON.stringify(document, null, 2)}\n`;
      if (out !== '') write(out, exported);
      io.stdout.write(out === '' ? exported : `Wrote the contract to ${out}.\n`);
      return 0;
    },
  });
}

/** Writes the document. Overwrites only an OpenAPI document. Throws UsageError. */
function write(file: string, content: string): void {
  let mayReplace: boolean;
  try {
    mayReplace = !existsSync(file) || /^(\{\s*)?"?openapi"?:/.test(readFileSync(file, 'utf8'));
    if (mayReplace) writeFileSync(file, content);
  } catch (error) {
    throw new UsageError(`The contract cannot be written to ${file}: ${whyNot(error, 'written')}. Name another file with --out.`);
  }
  if (!mayReplace)
    throw new UsageError(
      `The file ${file} is not an OpenAPI document, so export does not overwrite it. Name another file with --out.`,
    );
}
