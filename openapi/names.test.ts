import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type JsonObject, operationsOf, resolve } from './document.ts';

const contract: JsonObject = JSON.parse(readFileSync(new URL('generated/contract.json', import.meta.url), 'utf8'));
const operations = operationsOf(contract);

/** Returns the names of all properties and query parameters below a node. Follows references. */
function namesBelow(node: unknown, seen = new Set<unknown>(), names = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null || seen.has(node)) return names;
  seen.add(node);
  if (Array.isArray(node)) for (const entry of node) namesBelow(entry, seen, names);
  else {
    const target = resolve(contract, node as JsonObject);
    // The keys of `properties` are names, even if a key is `properties`, too.
    const { properties = {}, ...rest } = target;
    for (const [name, schema] of Object.entries(properties as JsonObject)) namesBelow(schema, seen, names.add(name));
    if (target.in === 'query') names.add(String(target.name));
    for (const [key, value] of Object.entries(rest)) if (!key.startsWith('example')) namesBelow(value, seen, names);
  }
  return names;
}

function misnamed(nodes: unknown[], shape: RegExp): string[] {
  return nodes.flatMap((node) => [...namesBelow(node)].filter((name) => !shape.test(name)));
}

describe('the contract holds the rules about names', () => {
  it('http.paths-under-api', () => {
    expect(operations.filter(({ path }) => !path.startsWith('/api/'))).toEqual([]);
  });

  it('http.paths-carry-no-version', () => {
    expect(operations.filter(({ path }) => path.split('/').some((step) => /^v?\d/.test(step)))).toEqual([]);
  });

  it('http.camel-case-names', () => {
    const others = operations.filter(({ id }) => id !== 'createAutomationTriggerEvent').map(({ node }) => node);
    expect(misnamed(others, /^[a-z]+([A-Z0-9][a-z0-9]*)*$/)).toEqual([]);
  });

  it('automation.uses-snake-case', () => {
    const event = operations.filter(({ id }) => id === 'createAutomationTriggerEvent').map(({ node }) => node);
    expect(event).toHaveLength(1);
    expect(misnamed(event, /^[a-z]+(_[a-z]+)*$/)).toEqual([]);
  });

  it('delivery.payload.pascal-case-names', () => {
    const payload = ((contract.components as JsonObject).schemas as JsonObject).WebhookDelivery;
    expect(namesBelow(payload).size).toBe(31);
    expect(misnamed([payload], /^([A-Z][a-z]+)+$/)).toEqual([]);
  });

  it('http.json-bodies', () => {
    const media = operations.flatMap(({ node }) => {
      const bodies = [node.requestBody, (node.responses as JsonObject)['200']].filter((body) => body !== undefined);
      return bodies.flatMap((body) => Object.keys((resolve(contract, body).content as JsonObject) ?? {}));
    });
    expect(new Set(media)).toEqual(new Set(['application/json']));
  });

  it('authentication.key-is-in-header', () => {
    const schemes = (contract.components as JsonObject).securitySchemes as JsonObject;
    const schemesInUse = operations.flatMap(({ node }) =>
      ((node.security ?? contract.security) as JsonObject[]).map((one) => Object.keys(one).join()),
    );
    expect(new Set(schemesInUse)).toEqual(new Set(Object.keys(schemes)));
    expect(Object.values(schemes)).toMatchObject([{ type: 'apiKey', in: 'header', name: 'x-api-key' }]);
  });
});
