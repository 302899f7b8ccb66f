import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../command-line/usage-error.ts';
import { whyNot } from '../../openapi/input/why-not.ts';
import { factsOf } from '../../openapi/variant/check.ts';
import { mayWrite, readText } from '../core/files.ts';
import { jsonIn } from '../http/json-text.ts';
import { type FactsFile, UnusableFacts } from './file.ts';

/** What everybody who reads facts has to know of them. */
export const whatFactsAre =
  'What was seen of one deployment where the specification leaves something open. It may be a setting of the account that was looked at, or of\nits plan, and no rule of the service; nothing here is stated by anybody.';

/**
 * Writes facts into a file of their own: as JSON where its name says so, else as YAML, in which 409 and true keep the quotes that make them behaviors. The
 * file is there as it was or as it is to be, and never half. Throws UsageError.
 */
export async function writeFacts(file: string, facts: FactsFile): Promise<void> {
  put(file, file.endsWith('.json') ? asJson(facts) : await asYaml(facts));
}

/** The same of a file that may be there already, in which comments, and whatever stays as it is, stay where they are. */
export async function updateFacts(file: string, facts: FactsFile): Promise<void> {
  if (!existsSync(file)) return writeFacts(file, facts);
  const text = readText(file, 'facts file');
  const json = jsonIn(text) as { readonly $schema?: unknown } | undefined;
  if (json !== undefined)
    return put(file, asJson({ ...(json.$schema === undefined ? {} : { $schema: json.$schema }), ...facts }));
  const { fitted } = await import('./fitted.ts');
  const kept = fitted(text, facts);
  // What YAML has besides, such as one part that stands for two, may not let it be changed in its place.
  if (await says(kept, facts)) put(file, kept);
  else await writeFacts(file, facts);
}

/** Throws UsageError where facts could not be written there after a run. */
export function mayWriteFacts(file: string): void {
  mayWrite(file, 'facts file');
  mayWrite(partOf(placeOf(file)), 'facts file');
}

function put(file: string, text: string): void {
  try {
    const place = placeOf(file);
    const part = partOf(place);
    const before = statSync(place, { throwIfNoEntry: false });
    try {
      writeFileSync(part, text, before && { mode: before.mode });
      // What is to be its owner's alone stays so, whatever the umask and an unfinished file of earlier say.
      if (before) chmodSync(part, before.mode);
      renameSync(part, place);
    } catch (error) {
      if (statSync(part, { throwIfNoEntry: false })?.isFile()) rmSync(part);
      throw error;
    }
  } catch (error) {
    throw new UsageError(`The facts file ${file} could not be written: ${whyNot(error, 'written')}.`);
  }
}

/** A link stays one: what it leads to is what changes. */
const placeOf = (file: string): string => (existsSync(file) ? realpathSync(file) : file);

const partOf = (place: string): string => `${place}.part`;

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
