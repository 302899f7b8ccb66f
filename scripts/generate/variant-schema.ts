import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import type { Clauses } from './clauses.ts';

/** The text of generated/variant.schema.json: variant files with every clause and its options, so that editors complete them. */
export function variantSchema(clauses: Clauses, clausesSchemaFile: string): string {
  const { $defs } = JSON.parse(readFileSync(clausesSchemaFile, 'utf8')) as { $defs: JsonObject };
  const withOptions = Object.entries(clauses).flatMap(([name, { question, behaviors, default: usual }]) => {
    if (!behaviors) return [];
    const says = Object.entries(behaviors).flatMap(([option, each]) => (each?.says ? [`${option}: ${each.says}`] : []));
    const description = [question, ...says].map((text) => text?.trim().replaceAll(/\s+/g, ' ')).join(' ');
    return [[name, { description, enum: Object.keys(behaviors).flatMap(asYamlReadsIt), default: usual }]];
  });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A variant of the gift card service',
    $comment: 'By "npm run generate" from openapi/clauses; do not edit.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      behaviors: {
        description: 'Options of clauses that the specification leaves open.',
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(withOptions),
      },
      overrides: {
        description: 'Names, places, statuses and bodies on the wire, under the names of the contract.',
        type: 'array',
        items: { $ref: '#/$defs/override' },
      },
    },
    $defs: { override: isObject($defs.override) ? $defs.override : {} },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** An option such as 409 or true needs no quotes in YAML. */
function asYamlReadsIt(option: string): (string | number | boolean)[] {
  if (/^\d+$/.test(option)) return [option, Number(option)];
  return option === 'true' || option === 'false' ? [option, option === 'true'] : [option];
}
