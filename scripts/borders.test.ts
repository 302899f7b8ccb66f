import { describe, expect, it } from 'vitest';
import { breaksIn } from './borders/rules.ts';

const inFile = (path: string, text: string) => breaksIn([{ path, text }]);

describe('the contract imports nothing of ours outside its folder', () => {
  it.each([
    ['a value of the mock', `import { plus } from '../mock/domain/money.ts';`],
    ['a type of the mock', `import type { Minor } from '../mock/domain/money.ts';`],
    ['a type written in place', `export type Minor = import('../mock/domain/money.ts').Minor;`],
    ['what it hands on', `export * from '../conformance/core/clause.ts';`],
    ['a script', `import { x } from './generate/bundle.ts';`],
    ['something loaded later', `const file = await import('../package.json');`],
  ])('%s', (_, text) => {
    expect(inFile('openapi/formats.ts', text)).toEqual([expect.stringMatching(/^openapi\/formats\.ts:1: openapi\/ imports /)]);
  });

  it('but packages, its own files, and anything in its tests', () => {
    expect(inFile('openapi/formats.ts', `import { parse } from 'yaml';\nimport { x } from './date-time.ts';`)).toEqual([]);
    expect(inFile('openapi/prism.test.ts', `import { startMock } from '../mock/index.ts';`)).toEqual([]);
  });
});

describe('mock and suite know nothing of each other', () => {
  it.each([
    ['conformance/http/client.ts', `import { Contract } from '../mock/contract/contract.ts';`],
    ['conformance/clauses/lists.ts', `import type { Card } from '../../mock/state/records.ts';`],
    ['conformance/testing/reference-server/server.ts', `const mock = require('../../mock/index.ts');`],
    ['conformance/core/run.ts', `export { verifySignature } from '../mock/index.ts';`],
    ['mock/pipeline/handle.ts', `import { clause } from '../conformance/core/clause.ts';`],
    ['mock/cli/main.ts', `await import('./bundle.ts');`],
  ])('%s: %s', (path, text) => {
    expect(inFile(path, text)).toEqual([expect.stringMatching(/it may know nothing of (mock|conformance|scripts)\.$/)]);
  });

  it('nothing but tests and fixtures imports a fixture, which may know no more than what stands beside it', () => {
    expect(inFile('conformance/proxy/door.ts', `import { within } from './within-fixture.ts';`)).toEqual([
      expect.stringContaining('within-fixture.ts is imported; it is for tests.'),
    ]);
    expect(inFile('conformance/testing/within-fixture.ts', `import { startMock } from '../../mock/index.ts';`)).toEqual([
      expect.stringContaining('it may know nothing of mock.'),
    ]);
    expect(inFile('conformance/proxy/door.test.ts', `import { within } from './within-fixture.ts';`)).toEqual([]);
  });

  it('but tests, scripts and the command know both', () => {
    const text = `import '../mock/index.ts';\nimport '../conformance/core/run.ts';`;
    expect(inFile('conformance/core/run.test.ts', text)).toEqual([]);
    expect(inFile('scripts/coverage.ts', text)).toEqual([]);
    expect(inFile('cli.ts', `await import('./mock/cli/main.ts'); await import('./conformance/cli/main.ts');`)).toEqual([]);
  });
});

describe('the domain calls only itself, money, refusals and pure functions of records', () => {
  it.each([
    [`import { State } from '../state/state.ts';`, 'State of mock/state/state.ts'],
    [`import { type Tables, State } from '../state/state.ts';`, 'State of mock/state/state.ts'],
    [`import { automationKey, write } from '../state/records.ts';`, 'write of mock/state/records.ts'],
    [`import { Agenda } from '../time/due.ts';`, 'Agenda of mock/account/scheduler.ts'],
    [`import * as due from '../time/due.ts';`, '\\* of mock/account/scheduler.ts'],
    [`import { write as print } from '../answering/written.ts';`, 'write of mock/contract/render/written.ts'],
    [`import '../accounts/account.ts';`, '\\* of mock/account/account.ts'],
    [`import { readFileSync } from 'node:fs';`, 'readFileSync of node:fs'],
    [`import { request } from 'undici';`, 'request of undici'],
    [`export { freshSeed } from '../world.ts';`, 'freshSeed of mock/account/clock.ts'],
    [`const { x } = await import('../accounts/account.ts');`, '\\* of mock/account/account.ts'],
  ])('%s', (text, named) => {
    expect(inFile('mock/domain/issue.ts', text)).toEqual([
      expect.stringMatching(new RegExp(`^mock/domain/issue\\.ts:1: The domain calls ${named};`)),
    ]);
  });

  it('and takes types from anywhere in the mock and the contract', () => {
    const text = `
      import type { ClauseName } from '../../openapi/generated/clauses.ts';
      import type { Change } from '../state/change.ts';
      import type { Due } from '../time/due.ts';
      import { type CardRecord, automationKey, reminderMoment } from '../state/records.ts';
      import { DAY } from '../time/day.ts';
      import { isLoopback } from '../loopback.ts';
      import { plus } from '../money.ts';
      import { refuse } from '../refusal.ts';
      import { suppressed } from './notifications.ts';
      export type { Context } from './outcome.ts';
    `;
    expect(inFile('mock/domain/issue.ts', text)).toEqual([]);
  });
});

describe('time and chance come into the mock through one door', () => {
  it.each([
    'const now = Date.now();',
    'const now = Date.now;',
    `const now = Date['now']();`,
    'const now = globalThis.Date.now();',
    'const now = new Date();',
    'const now = new Date;',
    'const now = Date();',
    'const one = Math.random();',
    'const id = crypto.randomUUID();',
    'setTimeout(() => {}, 10);',
    'globalThis.setTimeout(() => {}, 10);',
    'const timers = { setTimeout };',
    'setInterval(tick, 10);',
    'setImmediate(tick);',
    'const started = performance.now();',
    `import { setTimeout as pause } from 'node:timers/promises';`,
    `import { randomUUID } from 'node:crypto';`,
    `import { createHmac, randomBytes } from 'crypto';`,
  ])('%s', (text) => {
    expect(inFile('mock/pipeline/commit.ts', `// first line\n${text}`)).toEqual([
      expect.stringMatching(/^mock\/settle\.ts:2: .*come in through world\.ts/),
    ]);
    expect(inFile('mock/account/clock.ts', text)).toEqual([]);
    expect(inFile('mock/outbound/post.ts', text)).toEqual([]);
    expect(inFile('mock/settle.test.ts', text)).toEqual([]);
    expect(inFile('conformance/core/run.ts', text)).toEqual([]);
  });

  it.each([
    'const text = new Date(at).toISOString();',
    'const at = Date.UTC(2026, 0, 1) + Date.parse(text);',
    'const most = Math.max(1, 2);',
    'server.setTimeout(0);',
    'const options = { setTimeout: 1, random: Math.floor(2) };',
    'clock.now(); chance.random();',
    'function read(value: Date): Date { return value; }',
    'class Timers { setTimeout() {} }',
    `import { createHmac, timingSafeEqual } from 'node:crypto';`,
    '// Date.now() is not for here',
    `const text = 'Math.random()';`,
  ])('not: %s', (text) => {
    expect(inFile('mock/pipeline/commit.ts', text)).toEqual([]);
  });
});

describe('only the commands know the process', () => {
  it.each([
    ['mock/account/sandbox.ts', `const port = process.env.PORT;`],
    ['mock/cli/flags.ts', `process.exit(2);`],
    ['mock/account/clock.ts', `const [seconds] = process.hrtime();`],
    ['mock/outbound/effects.ts', `globalThis.process.on('exit', stop);`],
    ['openapi/formats.ts', `export const strict = process.argv.includes('--strict');`],
    ['conformance/core/run.ts', `import { exit } from 'node:process';`],
    ['conformance/core/run.ts', `function run(env = process.env) {}`],
  ])('%s: %s', (path, text) => {
    expect(inFile(path, text)).toEqual([
      expect.stringMatching(/only the main\.ts files, cli\.ts and scripts\/ know the process/),
    ]);
  });

  it.each([
    'cli.ts',
    'mock/cli/main.ts',
    'conformance/cli/main.ts',
    'conformance/vitest.ts',
    'scripts/bench/main.ts',
    'mock/account/sandbox.test.ts',
  ])('but %s', (path) => {
    expect(inFile(path, 'process.exitCode = 1;')).toEqual([]);
  });

  it('and what is only called so', () => {
    const text = `interface Run { process: number }\nconst run: Run = { process: 1 };\nexport const one = run.process;\nexport type Env = NodeJS.ProcessEnv;`;
    expect(inFile('mock/cli/flags.ts', text)).toEqual([]);
  });
});

it('says every break of a file, in the order of its lines', () => {
  const text = `import { run } from '../conformance/core/run.ts';\nsetTimeout(run, Date.now());\nprocess.exit(1);`;
  const lines = inFile('mock/pipeline/commit.ts', text).map((sentence) => sentence.split(':')[1]);
  expect(lines).toEqual(['1', '2', '2', '3']);
});
