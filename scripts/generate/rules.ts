import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseDocument } from 'yaml';
import { type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { conflictsBetween } from '../../openapi/effective/conflicts.ts';
import type { Override } from '../../openapi/effective/overrides.ts';
import schema from '../../openapi/rules.schema.json' with { type: 'json' };
import { schemaProblems } from '../../openapi/schema-errors.ts';
import type { Rule, Rules } from './rule-names.ts';
import { overrideSchema } from './variant-schema.ts';

/** Reads the rules of a folder, in the order of the file names. Returns every problem as a sentence. */
export function readRules(folder: string, contract: JsonObject): { rules: Rules; problems: string[] } {
  const rules: Rules = {};
  const problems: string[] = [];
  const homes = new Map<string, string>();
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false, strictTypes: false });
  const validFile = ajv.compile(schema);
  const validOverride = ajv.compile(overrideSchema(contract));
  for (const file of readdirSync(folder).sort()) {
    const document = parseDocument(readFileSync(join(folder, file), 'utf8'));
    const syntax = document.errors.map(({ message }) => message.split('\n')[0] ?? '');
    const content = syntax.length === 0 ? ((document.toJS() ?? {}) as Rules) : {};
    const ofFile = [...syntax, ...schemaSentences(validFile, content)];
    problems.push(...ofFile.map((sentence) => `${file}: ${sentence}`));
    if (ofFile.length > 0) continue;
    for (const [name, rule] of Object.entries(content)) {
      for (const each of Object.values(rule.behaviors ?? {})) if (each?.wire) each.wire = expanded(each.wire, contract);
      const home = homes.get(name);
      if (home !== undefined) problems.push(`${file}: ${name} is already a rule of ${home}; use a name once.`);
      homes.set(name, file);
      rules[name] = rule;
      const ofRule = ruleProblems(rule, contract, validOverride);
      problems.push(...ofRule.map((sentence) => `${file}: ${name}: ${sentence}`));
    }
  }
  return { rules, problems };
}

/** Adds the rules to the document, and their names to each operation. */
export function withRules(contract: JsonObject, rules: Rules): JsonObject {
  const document = structuredClone(contract);
  for (const { id, node } of operationsOf(document)) {
    const named = Object.entries(rules).filter(([, rule]) => rule.operations.includes(id));
    if (named.length > 0) node['x-rules'] = named.map(([name]) => name);
  }
  document['x-rules'] = rules as unknown as JsonObject;
  return document;
}

/** Replaces `{ nullable: SCHEMA, to: optional }` or `to: refused` with one override for each nullable property of SCHEMA. */
function expanded(
  wire: readonly (Override | { readonly nullable: string; readonly to: 'optional' | 'refused' })[],
  contract: JsonObject,
): Override[] {
  return wire.flatMap((row) => {
    if (!('nullable' in row)) return [row];
    const schema = resolve(contract, { $ref: `#/components/schemas/${row.nullable}` });
    return Object.entries(schema.properties as Record<string, JsonObject>).flatMap(([name, { type }]): Override[] => {
      if (!Array.isArray(type) || !type.includes('null')) return [];
      const target = `${row.nullable}.${name}`;
      if (row.to === 'optional') return [{ required: target, to: false }];
      return [{ schema: target, to: { type: type.filter((each) => each !== 'null') } }];
    });
  });
}

function ruleProblems(
  { operations, behaviors = {}, default: byDefault }: Rule,
  contract: JsonObject,
  validOverride: ValidateFunction,
) {
  const known = new Set(operationsOf(contract).map(({ id }) => id));
  const problems = operations.filter((id) => !known.has(id)).map((id) => `the contract has no operation ${id}.`);
  if (byDefault !== undefined && !(byDefault in behaviors))
    problems.push(`the default "${byDefault}" is not one of its options (${Object.keys(behaviors).join(', ')}).`);
  for (const [option, each] of Object.entries(behaviors)) {
    const wire = each?.wire ?? [];
    if (option === byDefault && wire.some((override) => !('status' in override)))
      problems.push(`the default "${option}" overrides more than a status; write everything else into the contract.`);
    const invalid = wire.flatMap((override) => schemaSentences(validOverride, override));
    const sourced = wire.map((override) => ({ override, from: JSON.stringify(override) }));
    const conflicts = invalid.length > 0 ? invalid : conflictsBetween(sourced, contract);
    problems.push(...conflicts.map((sentence) => `option "${option}": ${sentence}`));
  }
  return problems;
}

function schemaSentences(validate: ValidateFunction, value: unknown): string[] {
  if (validate(value)) return [];
  return schemaProblems(validate.errors ?? [], value).map(({ path, sentence }) =>
    path.length === 0 ? sentence : `${path.join(' › ')}: ${sentence}`,
  );
}
