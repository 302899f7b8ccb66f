import { type JsonObject, operationsOf, resolve } from '../../openapi/document.ts';
import { refusalCodes } from '../../openapi/effective/responses.ts';
import type { Rules } from './rule-names.ts';

/** Returns the JSON Schema of variant files. The schema lists all options and all targets of overrides, so editors can complete the names. */
export function variantSchema(rules: Rules, contract: JsonObject): JsonObject {
  const withOptions = Object.entries(rules).flatMap(([name, { question, behaviors, default: byDefault = '' }]) => {
    if (!behaviors) return [];
    const says = Object.entries(behaviors).flatMap(([option, each]) => (each?.says ? [`${option}: ${each.says}`] : []));
    const description = [question, ...says].map((text) => text?.trim().replaceAll(/\s+/g, ' ')).join(' ');
    return [[name, { description, enum: Object.keys(behaviors).flatMap(yamlValues), default: byDefault }]];
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A variant of the gift card service',
    $comment: 'By "npm run generate" from openapi/; do not edit.',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      behaviors: {
        description: 'Options of rules that the specification leaves open.',
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(withOptions),
      },
      overrides: {
        description: 'Names, places, statuses and bodies on the wire that differ from the contract.',
        type: 'array',
        items: { $ref: '#/$defs/override' },
      },
    },
    $defs: { override: overrideSchema(contract) },
  };
}

/** Returns the values that mean this option in YAML. Without quotes, YAML reads 409 as a number and true as a boolean. */
function yamlValues(option: string): (string | number | boolean)[] {
  if (/^\d+$/.test(option)) return [option, Number(option)];
  return option === 'true' || option === 'false' ? [option, option === 'true'] : [option];
}

// A name must not begin with two underscores, because every JavaScript object has properties such as __proto__.
const NAME = '(?!__)[A-Za-z_][A-Za-z0-9_-]*';
const name = { type: 'string', maxLength: 200, pattern: `^${NAME}$` };
const path = { type: 'string', maxLength: 200, pattern: `^${NAME}(\\.${NAME})*$` };

/** Returns the schema of an override. For each kind of override, the schema lists the targets in this contract and describes the new value. */
export function overrideSchema(contract: JsonObject): JsonObject {
  const schemas = Object.entries((contract.components as JsonObject).schemas as Record<string, JsonObject>);
  const operations = operationsOf(contract);
  const parameters = operations.flatMap(({ id, node }) =>
    ((node.parameters ?? []) as JsonObject[]).map((shared) => {
      const { name, in: place } = resolve(contract, shared);
      return { target: `${id}.${name}`, place };
    }),
  );
  const properties = schemas.flatMap(([owner, { properties: its }]) => Object.keys(its ?? {}).map((each) => `${owner}.${each}`));
  const ids = operations.map(({ id }) => id);
  const responses = [...refusalCodes(contract).all, ...ids];
  const places = [...properties, ...parameters.map(({ target }) => target)];
  const optional = [...properties, ...parameters.flatMap(({ place, target }) => (place === 'path' ? [] : [target]))];
  const kinds: Record<string, JsonObject> = {
    rename: kind(places, { to: name }),
    move: kind(properties, { to: path }),
    wrap: kind(ids, { in: path }),
    status: {
      ...kind(responses, { to: { type: 'integer', minimum: 200, maximum: 599 } }),
      if: { properties: { status: { enum: ids } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: { to: { maximum: 299 } } },
      else: { properties: { to: { minimum: 400 } } },
    },
    media: kind(responses, { to: { type: 'string', maxLength: 200, pattern: '^[a-z]+/[a-z0-9.+-]+$' } }),
    body: kind(responses, { to: true }),
    schema: kind([...schemas.map(([owner]) => owner), ...places], { to: { type: 'object', minProperties: 1 } }),
    required: kind(optional, { to: { type: 'boolean' } }),
  };
  const targets = Object.entries(kinds).map(([key, { enum: values }]) => [key, { enum: values }]);
  const values = Object.entries(kinds).map(([key, { enum: _, ...value }]) => [key, value]);
  return {
    type: 'object',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 2,
    properties: { ...Object.fromEntries(targets), to: true, in: true },
    dependentSchemas: { ...Object.fromEntries(values), to: { minProperties: 2 } },
    dependentRequired: { in: ['wrap'] },
  } as JsonObject;
}

function kind(targets: string[], value: JsonObject): JsonObject {
  return { enum: targets, required: Object.keys(value), properties: value };
}
