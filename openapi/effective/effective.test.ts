import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, operationsOf, resolve } from '../document.ts';
import contractFile from '../generated/contract.json' with { type: 'json' };
import { applyPlan } from './apply.ts';
import { conflictsBetween } from './conflicts.ts';
import type { Override } from './overrides.ts';
import { groupOverrides } from './plan.ts';
import { Translator } from './translate.ts';

const contract = contractFile as unknown as JsonObject;
const effectiveOf = (rows: readonly Override[]): JsonObject => applyPlan(contract, groupOverrides(rows)).effective;

interface OptionRows {
  readonly name: string;
  readonly rows: readonly Override[];
}

const behaviors: OptionRows[] = Object.entries(contract['x-rules'] as JsonObject).flatMap(([rule, node]) =>
  Object.entries((node as { behaviors?: Record<string, { wire?: Override[] } | null> }).behaviors ?? {}).flatMap(
    ([option, each]) => (each?.wire ? [{ name: `${rule}: ${option}`, rows: each.wire }] : []),
  ),
);

/** Sets of options without conflicts, as few sets as possible. Each option is in one set. */
const sets: OptionRows[][] = [];
for (const option of behaviors) {
  const sourced = (all: readonly OptionRows[]) =>
    all.flatMap(({ name, rows }) => rows.map((override) => ({ override, from: name })));
  const home = sets.find((set) => conflictsBetween(sourced([...set, option]), contract).length === 0);
  if (home) home.push(option);
  else sets.push([option]);
}
const documents = sets.map((set) => effectiveOf(set.flatMap(({ rows }) => rows)));

test('without rows the contract is as it is written', () => {
  expect(effectiveOf([])).toEqual(contract);
});

test.each(behaviors)('$name changes the contract, and leaves the one that it was given', ({ rows }) => {
  const before = JSON.stringify(contract);
  expect(JSON.stringify(effectiveOf(rows))).not.toBe(before);
  expect(JSON.stringify(contract)).toBe(before);
});

describe.each(documents.map((document, index) => ({ index, document })))(
  'all behaviors that can go together, $index',
  ({ document }) => {
    test('refer to nothing that is not there', () => {
      const refs: string[] = [];
      walk(document, (node) => typeof node.$ref === 'string' && refs.push(node.$ref));
      for (const ref of new Set(refs)) expect(() => resolve(document, { $ref: ref })).not.toThrow();
    });

    test('have examples that fit', () => {
      const ajv = new Ajv2020({ strict: false, allErrors: true });
      addFormats.default(ajv);
      const { 'x-rules': _, ...wire } = document;
      ajv.addSchema(wire, 'contract.json');
      const wrong: string[] = [];
      walk(wire, (node, pointer) => {
        if (!isObject(node.content)) return;
        for (const [type, media] of Object.entries(node.content) as [string, JsonObject][]) {
          const at = `${pointer}/content/${step(type)}/schema`;
          const fits = ajv.compile({ $ref: `contract.json${encodeURI(at)}` });
          const examples = Object.entries((media.examples ?? {}) as JsonObject);
          if (examples.length === 0) wrong.push(`${at} has no example`);
          for (const [name, example] of examples)
            if (!fits(resolve(wire, example).value)) wrong.push(`${at} ${name}: ${ajv.errorsText(fits.errors)}`);
        }
      });
      for (const { id, node } of operationsOf(wire))
        for (const given of (node.parameters ?? []) as JsonObject[]) {
          const parameter = resolve(wire, given);
          if (!ajv.validate(parameter.schema as JsonObject, parameter.example)) wrong.push(`${id} ${parameter.name}`);
        }
      expect(wrong).toEqual([]);
    });

    test('have the examples of a refusal at its status', () => {
      for (const { id, node } of operationsOf(document))
        for (const response of Object.values(node.responses as JsonObject).map((each) => resolve(document, each))) {
          const codes = response['x-refusals'] as string[] | undefined;
          const named = Object.values((response.content ?? {}) as JsonObject).flatMap((media) =>
            Object.keys(((media as JsonObject).examples ?? {}) as JsonObject),
          );
          if (codes) expect(codes, id).toEqual(expect.arrayContaining(named));
        }
    });

    test('have every refusal that the contract has, once in each operation', () => {
      const refusalsOf = (one: JsonObject) =>
        operationsOf(one).map(({ id, node }) => [
          id,
          Object.values(node.responses as JsonObject)
            .flatMap((response) => (resolve(one, response)['x-refusals'] ?? []) as string[])
            .sort(),
        ]);
      const before = new Map(refusalsOf(contract) as [string, string[]][]);
      for (const [id, codes] of refusalsOf(document) as [string, string[]][]) {
        expect(new Set(codes).size, id).toBe(codes.length);
        expect(codes, id).toEqual(expect.arrayContaining(before.get(id) ?? []));
      }
    });
  },
);

test('every effective contract is valid OpenAPI, as the linter of the contract has it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'effective-'));
  const files = documents.map(({ 'x-rules': _, ...wire }, index) => {
    const file = join(folder, `${index}.json`);
    writeFileSync(file, JSON.stringify(wire));
    return file;
  });
  const cli = fileURLToPath(new URL('../../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
  const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [cli, 'lint', `--config=${config}`, ...files], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(status, stderr).toBe(0);
}, 60_000);

describe('types', () => {
  let complaints: string[];
  let texts: string[];
  beforeAll(async () => {
    texts = await Promise.all(
      documents.map(async (document) => astToString(await openapiTS(structuredClone(document) as unknown as OpenAPI3))),
    );
    complaints = compiled(texts);
  }, 60_000);

  test('are generated of every effective contract, and compile', () => {
    expect(complaints).toEqual([]);
  });

  test('would not compile with something wrong in them', () => {
    expect(compiled([`${texts[0]}\nexport const wrong: components['schemas']['GiftCard'] = {};`])).not.toEqual([]);
  });
});

/** Returns the compiler's errors about these modules. */
function compiled(modules: readonly string[]): string[] {
  const files = new Map(modules.map((text, index) => [`/${index}.ts`, text]));
  const options: ts.CompilerOptions = { strict: true, noEmit: true, noLib: false, lib: ['lib.es2022.d.ts'], types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.getSourceFile = (name, target, ...rest) => {
    const text = files.get(name);
    return text === undefined ? getSourceFile(name, target, ...rest) : ts.createSourceFile(name, text, target);
  };
  host.fileExists = (name) => files.has(name) || fileExists(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}

describe('values', () => {
  const names = Object.keys((contract.components as JsonObject).schemas as JsonObject);
  const rowsFor = (schema: JsonObject, owner: string, places: readonly string[]) =>
    Object.keys(schema.properties as JsonObject).flatMap((name, index): Override[] => {
      const to = places[index];
      return to === undefined || to === '' ? [] : [{ move: `${owner}.${name}`, to }];
    });

  test('survive a round trip through any renames and moves', () => {
    const objects = names.filter((name) =>
      isObject((((contract.components as JsonObject).schemas as JsonObject)[name] as JsonObject).properties),
    );
    const place = fc.constantFrom('', 'aa', 'bb', 'cc.dd', 'cc.ee', 'cc.ff.gg', 'hh', 'ii.jj');
    fc.assert(
      fc.property(
        fc.constantFrom(...objects),
        fc.uniqueArray(place, { minLength: 1, maxLength: 8 }),
        fc.infiniteStream(fc.jsonValue()),
        (name, places, values) => {
          const schema = ((contract.components as JsonObject).schemas as JsonObject)[name] as JsonObject;
          const rows = rowsFor(schema, name, places);
          if (
            conflictsBetween(
              rows.map((override) => ({ override, from: '' })),
              contract,
            ).length > 0
          )
            return;
          const plan = groupOverrides(rows);
          const translator = new Translator(applyPlan(contract, plan).patched, plan);
          const reference = { $ref: `#/components/schemas/${name}` };
          const value = Object.fromEntries(
            Object.keys(schema.properties as JsonObject).map((key) => [key, values.next().value as Json]),
          );
          const out = translator.outward(reference)?.(value) ?? value;
          for (const row of rows)
            if ('move' in row)
              expect(row.to.split('.').reduce<unknown>((node, key) => (node as JsonObject)[key], out)).toBeDefined();
          expect(translator.inward(reference)?.(out) ?? out).toEqual(value);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('under a replaced name are ignored', () => {
    const plan = groupOverrides([{ rename: 'AddAdjustmentByGiftCardIdRequest.giftCardId', to: 'id' }]);
    const translator = new Translator(contract, plan);
    const inward = translator.inward({ $ref: '#/components/schemas/AddAdjustmentByGiftCardIdRequest' });
    expect(inward?.({ id: 'a', giftCardId: 'b', notes: 'c', more: 1 })).toEqual({ giftCardId: 'a', notes: 'c' });
  });
});

function step(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1');
}

function walk(node: unknown, visit: (node: JsonObject, pointer: string) => void, pointer = '#'): void {
  if (Array.isArray(node)) for (const [index, each] of node.entries()) walk(each, visit, `${pointer}/${index}`);
  if (!isObject(node)) return;
  visit(node, pointer);
  for (const [key, value] of Object.entries(node)) if (key !== 'x-rules') walk(value, visit, `${pointer}/${step(key)}`);
}
