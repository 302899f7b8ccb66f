import { posix } from 'node:path';
import { type Import, type Source, syntaxOf } from './syntax.ts';

/** What may not be mixed (the borders of the design), each as one sentence per place that breaks it. */
export function breaksIn(sources: readonly Source[]): string[] {
  return sources.filter(({ path }) => !path.endsWith('.test.ts')).flatMap(breaksInOne);
}

/** What tests have in common, and nothing else may know. */
const isFixture = (path: string) => /(^|[/-])fixture\.ts$|\/testing\//.test(path);

/** Which parts know which others; what is not named here may be imported by anybody. */
const STRANGERS: Readonly<Record<string, readonly string[]>> = {
  openapi: ['mock', 'conformance', 'scripts', 'cli.ts'],
  mock: ['conformance', 'scripts', 'cli.ts'],
  conformance: ['mock', 'scripts', 'cli.ts'],
  // They stand for code of others, who have the package and nothing else.
  recipes: ['mock', 'conformance', 'openapi', 'scripts', 'cli.ts'],
};
const OWN = new Set(['openapi', 'mock', 'conformance', 'scripts', 'cli.ts']);

/** What the domain may call outside its own folder: arithmetic, refusals, and two pure functions of records. */
const DOMAIN_MAY_CALL: Readonly<Record<string, readonly string[] | 'all'>> = {
  'mock/domain/money.ts': 'all',
  'mock/pipeline/refusal.ts': 'all',
  'mock/domain/day.ts': 'all',
  'mock/server/loopback.ts': 'all',
  'mock/state/records.ts': ['automationKey', 'reminderMoment', 'remindersOf'],
};

const TIME_AND_CHANCE = new Set([
  'Date.now',
  'Date()',
  'new Date()',
  'Math.random',
  'crypto.randomUUID',
  'performance.now',
  'setTimeout',
  'setInterval',
  'setImmediate',
]);
/** The same things under other names, when they are imported. */
const TIME_AND_CHANCE_MODULES: Readonly<Record<string, readonly string[] | 'all'>> = {
  timers: 'all',
  'timers/promises': 'all',
  crypto: ['randomUUID', 'randomInt', 'randomBytes'],
  perf_hooks: 'all',
};

function breaksInOne(source: Source): string[] {
  const { path } = source;
  const { imports, uses } = syntaxOf(source);
  const found: { line: number; sentence: string }[] = [];
  const add = (line: number, sentence: string) => found.push({ line, sentence: `${path}:${line}: ${sentence}` });

  const part = path.split('/', 1)[0] as string;
  for (const one of imports) {
    const target = one.from.startsWith('.') ? posix.join(posix.dirname(path), one.from) : one.from;
    const targetPart = target.split('/', 1)[0] as string;
    if (one.from.startsWith('.') && STRANGERS[part]?.includes(targetPart))
      add(one.line, `${part}/ imports ${target}; it may know nothing of ${targetPart}.`);
    // A fixture may build on another; the behaviors' folder is all tests, and what they walk.
    else if (isFixture(target) && !isFixture(path) && !path.startsWith('mock/behaviors/'))
      add(one.line, `${target} is imported; it is for tests.`);
    else if (part === 'openapi' && one.from.startsWith('.') && targetPart !== 'openapi' && !OWN.has(targetPart))
      add(one.line, `openapi/ imports ${target}; it may import nothing of ours outside its folder.`);
    if (path.startsWith('mock/domain/')) {
      const called = forbiddenToDomain(one, target);
      if (called.length > 0)
        add(
          one.line,
          `The domain calls ${called.join(', ')} of ${target}; of others it may use types, money, refusals, and what is computed from a record.`,
        );
    }
    if (isMockWithoutTime(path)) {
      const borrowed = borrowedTime(one);
      if (borrowed.length > 0) add(one.line, `${borrowed.join(', ')} of ${one.from} is imported; ${DOOR}`);
    }
    if (!mayKnowProcess(path) && /^(node:)?process$/.test(one.from) && one.values.length > 0)
      add(one.line, `${one.from} is imported; ${ONLY_COMMANDS}`);
  }
  for (const { line, name } of uses) {
    if (isMockWithoutTime(path) && TIME_AND_CHANCE.has(name)) add(line, `${name} is used; ${DOOR}`);
    if (!mayKnowProcess(path) && name === 'process') add(line, `process is used; ${ONLY_COMMANDS}`);
  }
  return found.sort((one, other) => one.line - other.line).map(({ sentence }) => sentence);
}

const DOOR = 'in the mock, time and chance come in through account/clock.ts, and pauses belong to outbound/.';
const ONLY_COMMANDS = 'only the main.ts files, cli.ts and scripts/ know the process; hand in what is needed.';

function isMockWithoutTime(path: string): boolean {
  return path.startsWith('mock/') && path !== 'mock/account/clock.ts' && !path.startsWith('mock/outbound/');
}

function mayKnowProcess(path: string): boolean {
  // A command of its own, which vitest starts; and what tells other processes that a state file has its sandbox.
  if (path === 'conformance/vitest.ts' || path === 'mock/snapshot/state-lock.ts') return true;
  return path === 'cli.ts' || path.startsWith('scripts/') || path.endsWith('/main.ts') || path.endsWith('.config.ts');
}

function forbiddenToDomain({ from, values }: Import, target: string): readonly string[] {
  if (from.startsWith('.') && target.startsWith('mock/domain/')) return [];
  const allowed = DOMAIN_MAY_CALL[target];
  return allowed === 'all' ? [] : values.filter((name) => !allowed?.includes(name));
}

function borrowedTime({ from, values }: Import): readonly string[] {
  const module = from.replace(/^node:/, '');
  const names = Object.hasOwn(TIME_AND_CHANCE_MODULES, module) ? TIME_AND_CHANCE_MODULES[module] : [];
  return names === 'all' ? values : values.filter((name) => names?.includes(name));
}
