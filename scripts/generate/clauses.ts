import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { type JsonObject, operationsOf } from '../../openapi/document.ts';
import { complaintsAbout as complaintsAboutRow } from '../../openapi/effective/complaints.ts';
import { contradictions } from '../../openapi/effective/contradictions.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import { schemaProblems } from '../../openapi/schema-errors.ts';

export interface Clause {
  level: 'stated' | 'ambiguous' | 'open';
  from: string | string[];
  text?: string;
  question?: string;
  default?: string;
  behaviors?: Record<string, { says?: string; wire?: Override[] } | null>;
  operations: string[];
  value?: number;
  seen: string;
  reason?: string;
  robustness?: true;
  enforced?: 'schema';
}

export type Clauses = Record<string, Clause>;

/** Every file of a folder of clauses, in the order of the file names, with everything that is wrong with them as sentences. */
export function readClauses(
  folder: string,
  schemaFile: string,
  contract: JsonObject,
): { clauses: Clauses; complaints: string[] } {
  const clauses: Clauses = {};
  const complaints: string[] = [];
  const homes = new Map<string, string>();
  const fits = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false }).compile(
    JSON.parse(readFileSync(schemaFile, 'utf8')),
  );
  for (const file of readdirSync(folder).sort()) {
    if (!file.endsWith('.yaml')) continue;
    const document = parseDocument(readFileSync(join(folder, file), 'utf8'));
    if (document.errors.length > 0) {
      complaints.push(...document.errors.map((error) => `${file}: ${error.message.split('\n')[0]}`));
      continue;
    }
    const content: unknown = document.toJS() ?? {};
    if (!fits(content)) {
      complaints.push(...sentences(fits.errors ?? [], content).map((sentence) => `${file}: ${sentence}`));
      continue;
    }
    for (const [name, clause] of Object.entries(content as Clauses)) {
      const home = homes.get(name);
      if (home !== undefined) complaints.push(`${file}: ${name} is already a clause of ${home}; a name is used once.`);
      homes.set(name, file);
      clauses[name] = clause;
      complaints.push(...complaintsAbout(clause, contract).map((sentence) => `${file}: ${name}: ${sentence}`));
    }
  }
  return { clauses, complaints };
}

function complaintsAbout(clause: Clause, contract: JsonObject): string[] {
  const known = new Set(operationsOf(contract).map((operation) => operation.id));
  const complaints = clause.operations
    .filter((id) => !known.has(id))
    .map((id) => `the contract has no operation ${id}; take an operationId of openapi.yaml.`);
  const behaviors = clause.behaviors ?? {};
  if (clause.default !== undefined && !(clause.default in behaviors)) {
    complaints.push(`the default "${clause.default}" is not among its behaviors (${Object.keys(behaviors).join(', ')}).`);
  }
  for (const [key, reading] of Object.entries(behaviors)) {
    if (key === clause.default && reading?.wire)
      complaints.push(`the default "${key}" changes the wire; the contract is written as the default has it.`);
    const rows = reading?.wire ?? [];
    const about = rows.flatMap((row) => complaintsAboutRow(row, contract));
    if (about.length === 0)
      about.push(
        ...contradictions(
          rows.map((row) => ({ row, from: JSON.stringify(row) })),
          contract,
        ),
      );
    complaints.push(...about.map((sentence) => `reading "${key}": ${sentence}`));
  }
  return complaints;
}

/** Ajv's errors with their places; those of an alternative that was not meant are left out if there is a plainer one. */
function sentences(errors: ErrorObject[], content: unknown): string[] {
  const badNames = errors.filter(({ keyword }) => keyword === 'propertyNames');
  if (badNames.length > 0)
    return badNames.map(
      ({ params }) => `"${params.propertyName}" is not a clause name: words in lower case, groups joined by dots.`,
    );
  const plain = errors.filter((error) => !['if', 'anyOf', 'oneOf', 'false schema'].includes(error.keyword));
  const problems = schemaProblems(plain.length > 0 ? plain : errors, content);
  return [...new Set(problems.map(({ path, sentence }) => `${path.join(' › ')}: ${sentence}`))];
}
