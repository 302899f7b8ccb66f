import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks } from '../../conformance/core/clause.ts';
import '../../conformance/clauses/index.ts';
import { clauseNames } from '../../openapi/generated/clauses.ts';
import { mutantsCommand } from './command.ts';
import { mutants } from './list.ts';
import { mutant, named } from './mutant.ts';
import { scoreTold, unwatched } from './score.ts';
import { staleness } from './workshop.ts';

async function command(argv: readonly string[], all = mutants) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { stdout: { write: (part: string) => out.push(part) }, stderr: { write: (part: string) => err.push(part) } };
  const code = await mutantsCommand(argv, all, io);
  return { code, out: out.join(''), err: err.join('') };
}

const adjustments = 'mock/domain/adjustments.ts';
const overdraw = 'return amount < 0 && -amount > balance ?';
const untested = clauseNames.stated.find((name) => !checks().some((check) => check.name === name)) ?? 'adjustment.answers-true';
const judged = async (clause: Parameters<typeof mutant>[0], file: string, find: string, replace: string) =>
  command([clause], named([mutant(clause, file, find, replace)]));

test('every mutant replaces what stands once where it is looked for, under a name of its own', () => {
  expect(mutants.flatMap((each) => staleness(each) ?? [])).toEqual([]);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

test('every statement with a test has a mutant', () => {
  expect(unwatched(mutants)).toEqual([]);
  const rest = mutants.filter(({ clause }) => clause !== 'adjustment.answers-true');
  expect(unwatched(rest)).toEqual(['adjustment.answers-true']);
  const judgements = rest.slice(0, 1).map((each) => ({ mutant: each, outcome: 'noticed' as const, why: '' }));
  expect(scoreTold(judgements, unwatched(rest))).toContain(
    'NO MUTANT  of 1 statements that have a test:\n  adjustment.answers-true\n',
  );
});

test('mutants that are noticed are counted, and end well', async () => {
  const { code, out } = await command(['adjustment.by-id.refuses-overdraw#1', 'gift-card.amounts-exact#2']);
  expect(out).toMatch(/^Adjustment rules +1 +1 of 1$/m);
  expect(out).toContain("2 of 2 mutants noticed by their own clause's test; 1 stated clauses, 1 of robustness\n");
  expect(code).toBe(0);
});

test('one that changes nothing survives, and is told with what its test said', async () => {
  const { code, out } = await judged('adjustment.by-id.refuses-overdraw', adjustments, overdraw, `${overdraw} `);
  expect(out).toContain(`SURVIVED  adjustment.by-id.refuses-overdraw#1  (${adjustments})`);
  expect(out).toContain('  because   pass\n');
  expect(out).toContain("0 of 1 mutants noticed by their own clause's test");
  expect(code).toBe(1);
});

test.each<[string, Parameters<typeof judged>, string]>([
  [
    'refuses every create',
    [
      'gift-card.create.starts-active',
      'mock/domain/gift-cards.ts',
      'if (refusal) return refusal;',
      "return refuse('request.invalid', 'x');",
    ],
    'it merely breaks what every test needs (POST /api/GiftCard/Create answers 400): ',
  ],
  [
    'keeps the test from its subject',
    ['adjustment.by-id.refuses-overdraw', adjustments, overdraw, 'return true ?'],
    'untested: fact-missing: ',
  ],
  [
    'makes the mock fail',
    [
      'adjustment.answers-true',
      adjustments,
      'const objected = objection(adjustment, context);\n  if (objected) return objected;\n  const adjustable = checked(card, adjustment, context);',
      'throw new Error("oh");',
    ],
    'the mock breaks under it, instead of doing otherwise: ',
  ],
  ['is of a clause without a test', [untested, adjustments, overdraw, 'return true ?'], 'its clause has no test'],
])('one that %s is not noticed by that', async (_, given, why) => {
  const { code, out } = await judged(...given);
  expect(out).toContain(`  because   ${why}`);
  expect(code).toBe(1);
});

test.each([
  ['stands nowhere', 'no such text', 'x', '"no such text" stands 0 times in mock/domain/adjustments.ts'],
  ['stands more than once', 'adjustment', 'x', 'times in mock/domain/adjustments.ts'],
  ['becomes no program', overdraw, 'return ((', 'what it puts in is no program: '],
])('one whose text %s is stale', async (_, find, replace, why) => {
  const { code, out } = await judged('adjustment.answers-true', adjustments, find, replace);
  expect(out).toContain('STALE  adjustment.answers-true#1');
  expect(out).toContain(why);
  expect(code).toBe(1);
});

test('--all tells which other clauses fail under a mutant', async () => {
  const { code, out } = await command(['--all', 'list.page-size-limits']);
  expect(out).toMatch(/ [1-9]\d* {2}list\.page-size-limits#1\n +list\./);
  expect(code).toBe(0);
}, 60_000);

test('list names them, those of one file if that is asked for', async () => {
  const { out } = await command(['list', '--file', 'mock/pipeline/precedence.ts']);
  expect(out.split('\n').filter((line) => line.startsWith('limits.rate-covers-every-endpoint#'))).toHaveLength(2);
  expect(out).not.toContain('mock/domain');
});

test.each([
  [['adjustment.is-relativ'], 'There is no mutant adjustment.is-relativ. Did you mean "adjustment.is-relative"?'],
  [['--file', 'mock/ordre.ts'], 'No mutant is of the file mock/ordre.ts. Did you mean "mock/pipeline/precedence.ts"?'],
  [['serve'], 'Say which to serve'],
  [['serve', 'delivery.gifted.on-gift'], 'has several mutants: delivery.gifted.on-gift#1, delivery.gifted.on-gift#2. Name one.'],
  [['--every'], "Unknown option '--every'"],
])('%j cannot be understood', async (argv, sentence) => {
  expect(await command(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
});

test('serve runs a mock with the mutant until it is told to stop', async () => {
  let greeting = '';
  const listening = new Promise<void>((done) => {
    const write = (text: string) => {
      greeting += text;
      done();
    };
    const io = { stdout: { write }, stderr: { write: () => 0 } };
    void mutantsCommand(['serve', 'adjustment.answers-200', '--port', '0', '--quiet'], mutants, io).then(ended);
  });
  let code: number | undefined;
  function ended(result: number) {
    code = result;
  }
  await listening;
  const url = greeting.split('\n', 1)[0];
  const headers = { 'x-api-key': /x-api-key: (\S+)/.exec(greeting)?.[1] ?? '', 'content-type': 'application/json' };
  const body = JSON.stringify({
    giftCardCode: 'ACTIVE-0001',
    adjustmentAmount: 1,
    actionedAtUtc: '2026-01-15T11:00:00Z',
    uniqueAdjustmentId: 'one',
  });
  const { status } = await fetch(`${url}/api/GiftCardAdjustment/AddAdjustmentByGiftCardCode`, { method: 'POST', headers, body });
  expect(status).toBe(201);
  process.emit('SIGTERM');
  await expect.poll(() => code).toBe(0);
});

test('what is said of how many there are is true', () => {
  const text = readFileSync(new URL('../../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, told, clauses] = /more than (\d+) mutants of more than (\d+) clauses/.exec(text.replaceAll('\n', ' ')) ?? [];
  const counted = [mutants.length, new Set(mutants.map(({ clause }) => clause)).size];
  for (const [index, number] of [told, clauses].entries()) {
    expect(Number(number)).toBeLessThan(counted[index] as number);
    expect(Number(number)).toBeGreaterThan((counted[index] as number) - 100);
  }
});

test('the score that the README tells is that of all there are', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replaceAll('\n', ' ');
  const [, ways, noticed] = /breaks the mock in (\d+) ways, .* notices (\d+) of them/.exec(text) ?? [];
  expect([ways, noticed]).toEqual([String(mutants.length), String(mutants.length)]);
});
