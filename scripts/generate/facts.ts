import { readFileSync } from 'node:fs';
import { isObject, type JsonObject } from '../../openapi/document.ts';
import type { Clauses } from './clauses.ts';

/** The text of generated/facts.schema.json: facts files, with every clause that asks something and its behaviors, so that editors complete them. */
export function factsSchema(clauses: Clauses, clausesSchemaFile: string): string {
  const { $defs } = JSON.parse(readFileSync(clausesSchemaFile, 'utf8')) as { $defs: JsonObject };
  const asked = Object.entries(clauses).flatMap(([name, { question, behaviors, default: usual }]) => {
    if (!behaviors) return [];
    const says = Object.entries(behaviors).flatMap(([reading, each]) => (each?.says ? [`${reading}: ${each.says}`] : []));
    const description = [question, ...says].map((text) => text?.trim().replaceAll(/\s+/g, ' ')).join(' ');
    return [[name, { description, enum: Object.keys(behaviors).flatMap(asYamlReadsIt), default: usual }]];
  });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Facts about a deployment of the gift card service',
    $comment: 'By "npm run generate" from openapi/clauses; do not edit.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      about: {
        description: 'Which deployment it is, when it was seen and by what; nothing follows from it.',
        type: 'object',
        additionalProperties: false,
        properties: {
          target: { description: 'Its URL.', type: 'string' },
          at: { description: 'When it was looked at last, as ISO 8601.', type: 'string' },
          by: { description: 'What looked.', type: 'string' },
        },
      },
      unforeseen: {
        description: 'What was seen and is none of the behaviors, in words; nothing follows from it.',
        type: 'object',
        additionalProperties: { type: 'string' },
      },
      seen: {
        description: 'By clause, when it was seen last and by which exchanges, as shapes; nothing follows from it.',
        type: 'object',
        additionalProperties: {
          type: 'object',
          additionalProperties: false,
          required: ['at'],
          properties: {
            at: { description: 'When it was seen last, as ISO 8601.', type: 'string' },
            as: {
              description: 'What was seen, where something else holds: it is pinned, or could not stand beside others.',
              type: 'string',
            },
            wire: { description: 'The rows of wire that come of it.', type: 'array', items: { type: 'object' } },
            evidence: {
              type: 'array',
              items: {
                type: 'object',
                additionalProperties: false,
                required: ['method', 'path', 'status', 'body'],
                properties: {
                  method: { type: 'string' },
                  path: {
                    description: 'With the names of what stands in it and in its query, and without their values.',
                    type: 'string',
                  },
                  status: { type: 'integer' },
                  body: { description: 'Names and types, and no value.', type: 'string' },
                },
              },
            },
          },
        },
      },
      pinned: {
        description: 'Clauses whose reading was chosen by hand, with the time: what is learned later leaves them as they are.',
        type: 'object',
        additionalProperties: { type: 'string' },
      },
      facts: {
        description: 'Of clauses that the specification leaves open, the reading that the deployment has.',
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(asked),
      },
      wire: {
        description:
          'Rows for names, places, statuses and bodies that no reading foresaw, under the names that the contract has.',
        type: 'array',
        items: { $ref: '#/$defs/row' },
      },
    },
    $defs: { row: isObject($defs.row) ? $defs.row : {} },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** A reading such as 409 or true may stand without quotes. */
function asYamlReadsIt(reading: string): (string | number | boolean)[] {
  if (/^\d+$/.test(reading)) return [reading, Number(reading)];
  return reading === 'true' || reading === 'false' ? [reading, reading === 'true'] : [reading];
}
