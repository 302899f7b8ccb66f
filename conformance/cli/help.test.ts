import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parsed } from './command-line.ts';
import { type FlagName, flagTable } from './flag-table.ts';
import { type Told, toldOf } from './help-texts.ts';
import { main, takes } from './main.ts';

async function command(...argv: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { stdout: { write: (text: string) => out.push(text) }, stderr: { write: (text: string) => err.push(text) } };
  return { code: await main(argv, {}, io), out: out.join(''), err: err.join('') };
}

const names = Object.keys(toldOf) as (keyof typeof toldOf)[];
const flags = Object.keys(flagTable) as FlagName[];

/** The flags that a help has a line of. */
const flagsIn = (text: string) => [...text.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);

test.each(names)('%s --help has the flags that it takes and no others, an example of them, and its exit codes', async (name) => {
  const { code, out } = await command(...name.split(' '), '--help');
  expect(code).toBe(0);
  expect(out).toContain(`Usage: giftcard-sandbox conformance ${name} ${toldOf[name].usage}\n`);
  expect(flagsIn(out)).toEqual([...takes[name], 'help']);
  const [, example = ''] = /\nExample:\n {2}giftcard-sandbox conformance (.*)\n/.exec(out) ?? [];
  const given = parsed(example.replaceAll("'", '').split(' '));
  expect(given.words.join(' ').startsWith(name)).toBe(true);
  expect(takes[name]).toEqual(expect.arrayContaining(Object.keys(given.flags)));
  for (const exit of [2, 6, ...Object.keys((toldOf[name] as Told).exits)]) expect(out).toMatch(new RegExp(`^ {2}${exit} `, 'm'));
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(130);
  expect(await command('help', ...name.split(' '))).toEqual({ code, out, err: '' });
});

test('what sends nothing says of no end that nothing was sent, and what receives or asks nothing has no flags for it', async () => {
  const asks = (name: (typeof names)[number]) => takes[name].some((flag) => flag === 'key-env' || flag === 'a-key-env');
  for (const name of names)
    expect((await command(...name.split(' '), '--help')).out.includes('nothing was sent')).toBe(asks(name));
  expect(takes.sweep).not.toContain('webhook-url');
  expect(takes['facts learn']).not.toContain('inputs');
  const { out } = await command('facts', 'write', '--help');
  expect(out).toMatch(/^Writes a facts file from .*\.$/m);
  expect(out).toMatch(/^ {2}--force {2}writes over a facts file/m);
});

test.each(names)('%s refuses each flag that its help does not have', async (name) => {
  for (const flag of flags) {
    if (takes[name].includes(flag) || flag === 'help' || flag === 'version') continue;
    const value = flagTable[flag].type === 'boolean' ? [] : ['x'];
    const says = `${name} has no flag --${flag}. See giftcard-sandbox conformance ${name} --help.\n`;
    expect(await command(...name.split(' '), `--${flag}`, ...value)).toEqual({ code: 2, out: '', err: says });
  }
});

test('the overview has every command and every flag, and which commands take it where these are few', async () => {
  const { out } = await command('--help');
  for (const name of names) expect(out).toContain(`\n  ${name} ${toldOf[name].usage}`);
  expect(flagsIn(out)).toEqual(flags);
  expect(out).toMatch(/--runs N +of fuzz: /);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'what --reporter names there, and prints the text; otherwise of report, compare and facts learn --baseline',
  );
  for (const flag of flags)
    expect(flag === 'help' || flag === 'version' || names.some((name) => takes[name].includes(flag))).toBe(true);
});

test('of facts alone, what stands behind it', async () => {
  const { code, out } = await command('facts', '--help');
  expect([code, out]).toEqual([0, expect.stringContaining('facts learn --target URL')]);
  expect(out).not.toContain('  fuzz ');
  expect(await command('facts', 'lern')).toMatchObject({
    code: 2,
    err: 'facts takes learn, write, show, diff, pin or unpin, not "lern". Did you mean "learn"? See giftcard-sandbox conformance facts --help.\n',
  });
  expect(await command('lizt', '--help')).toMatchObject({ code: 2, err: expect.stringContaining('Did you mean "list"?') });
});

test('the README names no flag and no command that the help does not have', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, section = ''] = /^## The conformance suite\n(.*?)^## /ms.exec(readme) ?? [];
  const ofOthers = ['rate-limit', 'write-profile', 'world'];
  const named = new Set([...section.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].map(([, name = '']) => name));
  expect([...named].filter((name) => !flags.includes(name as FlagName)).sort()).toEqual(ofOthers.sort());
  const used = [...section.matchAll(/giftcard-sandbox conformance (\w+(?: (?:learn|write|show|diff|pin|unpin)\b)?)/g)];
  expect(used.length).toBeGreaterThan(8);
  for (const [, name] of used) expect(names).toContain(name);
});
