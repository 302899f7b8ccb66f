import type { Json, JsonObject } from '../document.ts';
import { asObject, isObject, operationsOf, parametersIn, responseSchemaOf, schemasOf } from '../document.ts';
import { pathOfPart } from './bodies.ts';
import type { Override, SourcedOverride } from './overrides.ts';
import { groupOverrides, type OverridePlan } from './plan.ts';

/** Returns the reasons why overrides cannot be in one contract. Each override must be valid by the schema of variant files. */
export function conflictsBetween(overrides: readonly SourcedOverride[], document: JsonObject): string[] {
  const plan = groupOverrides(overrides.map(({ override }) => override));
  return [...new Set([...contradictions(overrides), ...sharedPlaces(plan, document), ...missingParts(plan, document)])];
}

/** Returns the parts of the contract that an override sets, with their new values. */
export function aspectsOf(override: Override): (readonly [aspect: string, value: Json])[] {
  if ('rename' in override) return [[`place of ${override.rename}`, override.to]];
  if ('move' in override) return [[`place of ${override.move}`, override.to]];
  if ('wrap' in override) return [[`wrapper of ${override.wrap}`, override.in]];
  if ('schema' in override) return leavesOf(override.to).map(([path, value]) => [`schema of ${override.schema}${path}`, value]);
  const { to, ...named } = override;
  return Object.entries(named).map(([kind, target]) => [`${kind} of ${target}`, to]);
}

/** Returns every value of a merge patch with its path. Leaves out examples and descriptions, which never contradict each other. */
function leavesOf(node: JsonObject, path = ''): [path: string, value: Json][] {
  return Object.entries(node).flatMap(([key, value]): [string, Json][] => {
    if (key === 'examples' || key === 'description') return [];
    return isObject(value) ? leavesOf(value, `${path}/${key}`) : [[`${path}/${key}`, value]];
  });
}

function contradictions(overrides: readonly SourcedOverride[]): string[] {
  const first = new Map<string, { readonly value: string; readonly from: string }>();
  return overrides.flatMap(({ override, from }) =>
    aspectsOf(override).flatMap(([aspect, json]) => {
      const value = JSON.stringify(json);
      const other = first.get(aspect);
      first.set(aspect, { value, from });
      if (other === undefined || other.value === value) return [];
      return [`The ${aspect} is ${other.value} by ${other.from} and ${value} by ${from}; remove one of them.`];
    }),
  );
}

/** Reports two properties or parameters that would be at the same place, or one inside the other. */
function sharedPlaces({ places }: OverridePlan, document: JsonObject): string[] {
  return Array.from(places).flatMap(([owner, moved]) => {
    const all = namesOf(owner, document).map((name) => ({ name, place: (moved.get(name) ?? [name]).join('.') }));
    return all.flatMap(({ name, place }, index) =>
      all
        .slice(0, index)
        .filter((other) => `${place}.`.startsWith(`${other.place}.`) || `${other.place}.`.startsWith(`${place}.`))
        .map((other) => `${owner} would have ${other.name} and ${name} at one place, ${place}; move one of them.`),
    );
  });
}

/** Returns the contract's own names of a schema's properties or an operation's parameters. */
function namesOf(owner: string, document: JsonObject): string[] {
  const schema = schemasOf(document)[owner];
  if (isObject(schema)) return Object.keys(asObject(schema.properties));
  const operation = operationsOf(document).find(({ id }) => id === owner);
  return operation ? parametersIn(document, operation.node).map(({ name }) => String(name)) : [];
}

/** Reports each part that a template of a body names, and that the operation's response does not have. */
function missingParts({ responseOverrides }: OverridePlan, document: JsonObject): string[] {
  return Array.from(responseOverrides).flatMap(([target, { body }]) => {
    const operation = operationsOf(document).find(({ id }) => id === target);
    const response = operation && responseSchemaOf(document, operation.node);
    return partsIn(body)
      .filter(({ schema, isList }) => !pathOfPart(document, response, schema, isList))
      .map(({ schema, isList }) => `The response of ${target} has no part that is ${isList ? 'a list of ' : ''}${schema}.`);
  });
}

/** Returns the schemas that a template names as `{ $schema: NAME }`, or `[{ $schema: NAME }]` for a list. */
function partsIn(template: Json | undefined, isList = false): { readonly schema: string; readonly isList: boolean }[] {
  if (Array.isArray(template)) return template.flatMap((item, index) => partsIn(item, index === 0));
  if (!isObject(template)) return [];
  if (typeof template.$schema === 'string') return [{ schema: template.$schema, isList }];
  return Object.values(template).flatMap((value) => partsIn(value));
}
