import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { factsOf } from '../../openapi/facts/check.ts';
import { jsonIn } from '../json-text.ts';
import { UsageError } from '../target.ts';
import { type FactsFile, UnusableFacts } from './file.ts';

/** What everybody who reads facts has to know of them. */
export const whatFactsAre =
  'What was seen of one deployment where the specification leaves something open. It may be a setting of the account that was looked at, or of\nits plan, and no rule of the service; nothing here is stated by anybody.';

/**
 * Writes facts into a file of their own: as JSON where its name says so, else as YAML, in which 409 and true keep the quotes that make them readings. The
 * file is there as it was or as it is to be, and never half. Throws UsageError.
 */
export async function writeFacts(file: string, facts: FactsFile): Promise<void> {
  put(file, file.endsWith('.json') ? asJson(facts) : await asYaml(facts));
}

/** The same of a file that may be there already, in which comments, and whatever stays as it is, stay where they are. */
export async function updateFacts(file: string, facts: FactsFile): Promise<void> {
  if (!existsSync(file)) return writeFacts(file, facts);
  const text = readFileSync(file, 'utf8');
  const json = jsonIn(text) as { readonly $schema?: unknown } | undefined;
  if (json !== undefined)
    return put(file, asJson({ ...(json.$schema === undefined ? {} : { $schema: json.$schema }), ...facts }));
  const { fitted } = await import('./fitted.ts');
  const kept = fitted(text, facts);
  // What YAML has besides, such as one part that stands for two, may not let it be changed in its place.
  if (await says(kept, facts)) put(file, kept);
  else await writeFacts(file, facts);
}

function put(file: string, text: string): void {
  try {
    writeFileSync(`${file}.part`, text);
    renameSync(`${file}.part`, file);
  } catch (error) {
    throw new UsageError(`The facts file ${file} could not be written: ${(error as Error).message}`);
  }
}

const asJson = (facts: object): string => `${JSON.stringify(facts, null, 2)}\n`;

async function asYaml(facts: FactsFile): Promise<string> {
  const { Document } = await import('yaml');
  const { inLines } = await import('./fitted.ts');
  const document = new Document(facts, { aliasDuplicateObjects: false });
  document.commentBefore = whatFactsAre.replaceAll(/^/gm, ' ');
  inLines(document.contents);
  return document.toString({ lineWidth: 0 });
}

async function says(text: string, facts: FactsFile): Promise<boolean> {
  const { parse } = await import('yaml');
  const [one, other] = [parse(text, { merge: true }), structuredClone(facts)].map(checked);
  return isDeepStrictEqual(one, other);
}

/** As it is read again, in which 409 is a text. */
const checked = (given: unknown) => factsOf(given, 'the facts', UnusableFacts);
