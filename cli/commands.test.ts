import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programOf } from './commands.ts';
import { type CommandDefinition, runCommand, wordOf } from './run-command.ts';

const nowhere = { stdout: { write: () => 0 }, stderr: { write: () => 0 } };
const program = await programOf({}, nowhere, () => true);

/** Runs the program and resolves with its exit code and what it printed. */
async function run(...argv: string[]) {
  const written = { out: '', err: '' };
  const into = (stream: keyof typeof written) => ({ write: (text: string) => (written[stream] += text) });
  const io = { stdout: into('out'), stderr: into('err') };
  const code = await runCommand(await programOf({}, io, () => true), argv, io, '1.2.3');
  return { code, ...written };
}

/** Returns each command with its words, such as `['conformance', 'run']`. */
function all(
  definition: CommandDefinition,
  path: readonly string[] = [],
): { path: readonly string[]; definition: CommandDefinition }[] {
  const inner = (definition.commands ?? []).flatMap((each) => all(each, [...path, wordOf(each)]));
  return [{ path, definition }, ...inner];
}
const commands = all(program).map(({ path, definition }) => [path.join(' '), path, definition] as const);

test.each(commands)('the help of "%s" fits on a screen of 40 lines and 100 columns', async (_, path) => {
  for (const argv of [
    [...path, '--help'],
    ['help', ...path],
  ]) {
    const { code, out, err } = await run(...argv);
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n').length - 1).toBeLessThanOrEqual(40);
    expect(out.split('\n').filter((line) => line.length > 100)).toEqual([]);
  }
});

test.each(commands.filter(([, , { run }]) => run))(
  '"%s" has three examples with known flags and values',
  (name, path, { flags = {}, examples = [] }) => {
    expect(examples).toHaveLength(3);
    for (const example of examples) {
      const [, line = ''] = /giftcard-sandbox ([^|>)]*)/.exec(example) ?? [];
      const words = line.trim().split(/ +/);
      expect(words.slice(0, path.length).join(' ')).toBe(name);
      words.forEach((word, index) => {
        if (!word.startsWith('--')) return;
        const flag = flags[word.slice(2)];
        expect(flag, example).toBeDefined();
        if (flag?.placeholder !== undefined) flag.read(words[index + 1] ?? '', word);
      });
    }
  },
);

test.each([
  [['mok'], 'mock'],
  [['help', 'mok'], 'mock'],
  [['mok', '--help'], 'mock'],
  [['run'], 'conformance run'],
  [['conformance', 'rn'], 'run'],
  [['conformance', 'help', 'rn'], 'run'],
  [['contract', 'exprt'], 'export'],
  [['completion', 'bsh'], '"bash"'],
  [['mock', '--prot', '1'], '--port'],
  [['mock', '--log-format', 'jsno'], '"json"'],
  [['env', '--shell', 'fihs'], '"fish"'],
  [['conformance', 'run', '--taget', 'x'], '--target'],
  [['conformance', 'plan', '--target', 'http://127.0.0.1:9', '--mode', 'ful'], '"full"'],
  [['conformance', 'plan', '--target', 'http://127.0.0.1:9', '--allow', 'emial'], '"email"'],
  [['conformance', 'list', '--level', 'statd'], '"stated"'],
  [['conformance', 'list', 'ajustment.*'], '"adjustment.*"'],
  [['conformance', 'list', 'adjustment.return-true'], '"adjustment.returns-true"'],
  [['conformance', 'list', '--skip', 'webhok.*'], '"webhook.*"'],
  [['conformance', 'fuzz', 'input'], '"inputs"'],
])('%j: did you mean %s?', async (argv, meant) => {
  const { code, out, err } = await run(...argv);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(` Did you mean ${meant}?`);
});

test('a word that is like nothing gets no suggestion', async () => {
  expect((await run('xylophone')).err).toMatch(/^Unknown command 'xylophone'\. See \S+ --help\.\n$/);
});

const COMPLETE = '_giftcard_sandbox; printf "%s\\n" $' + '{COMPREPLY[@]}';
/** By shell, the function that returns what the shell itself offers for the last of these words. */
const offered: Readonly<Record<string, (script: string, words: readonly string[]) => string[] | undefined>> = {
  bash: (script, words) => lines('bash', `${script}\nCOMP_WORDS=(${quoted(words)})\nCOMP_CWORD=${words.length - 1}\n${COMPLETE}`),
  zsh(script, words) {
    // Only in a terminal, zsh selects the words that begin like the last one.
    const found = lines(
      'zsh',
      `${script}\nemulate sh\nCOMP_WORDS=(${quoted(words)})\nCOMP_CWORD=${words.length - 1}\n${COMPLETE}`,
    );
    return found?.filter((word) => word.startsWith(words.at(-1) ?? ''));
  },
  fish: (script, words) =>
    lines('fish', `${script}\ncomplete -C ${quoted([words.join(' ')])}`)?.map((line) => line.replace(/\t.*/, '')),
};
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

/** Returns the lines that a shell prints for a script, or undefined if the shell is not installed. */
function lines(shell: string, script: string): string[] | undefined {
  const { error, stdout } = spawnSync(shell, ['-c', script], { encoding: 'utf8' });
  return error ? undefined : stdout.split('\n').filter((line) => line !== '');
}

test.each(Object.keys(offered))('%s completes commands, flags and values', async (shell) => {
  const { code, out } = await run('completion', shell);
  expect(code).toBe(0);
  for (const [line, expected] of [
    ['giftcard-sandbox con', ['conformance', 'contract']],
    ['giftcard-sandbox mock --po', ['--port']],
    ['giftcard-sandbox mock --log-format ', ['json', 'text']],
    ['giftcard-sandbox mock --port 0 --state-sync c', ['commit']],
    ['giftcard-sandbox conformance r', ['report', 'run']],
    ['giftcard-sandbox conformance run --target http://x --mode s', ['safe']],
    ['giftcard-sandbox conformance fuzz i', ['inputs']],
    ['giftcard-sandbox completion f', ['fish']],
  ] as const) {
    const found = offered[shell]?.(out, line.split(' '));
    if (found) expect([line, found.toSorted()]).toEqual([line, expected]);
    else expect(shell, 'bash must be installed').not.toBe('bash');
  }
});

test('bash completes after an equals sign, and leaves names of files to its default', async () => {
  const { out } = await run('completion', 'bash');
  expect(offered.bash?.(out, ['giftcard-sandbox', 'mock', '--log-format', '=', 'j'])).toEqual(['json']);
  expect(offered.bash?.(out, ['giftcard-sandbox', 'mock', '--world', ''])).toEqual([]);
});

test.each<[string, string, string, RegExp]>([
  ['a deep YAML file', 'mock --port 0 --world', `accounts: ${'['.repeat(5000)}${']'.repeat(5000)}`, /nested too deeply/],
  [
    'a deep JSON file',
    'mock --port 0 --variant',
    `{"behaviors": ${'['.repeat(5000)}${']'.repeat(5000)}}`,
    /nested deeper than 100/,
  ],
  ['a deep profile', `conformance run --target http://127.0.0.1:9 --profile`, `${'['.repeat(20_000)}`, /nested too deeply/],
  [
    'a file that would control the terminal',
    'mock --port 0 --world',
    '{"accounts": [{"id": "\\u001b]0;x\\u0007"}]}',
    /account {2}\]0;x :/,
  ],
])('%s gets one readable sentence', async (_, command, text, sentence) => {
  const file = join(mkdtempSync(join(tmpdir(), 'commands-')), 'file');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  writeFileSync(file, text);
  const { code, err } = await run(...command.split(' '), file);
  expect([code, err]).toEqual([2, expect.stringMatching(sentence)]);
  expect(err).not.toMatch(/(?!\n)\p{Cc}/u);
});

test('a word cannot control the terminal', async () => {
  expect((await run('\u001b[31mmock')).err).toContain("' [31mmock'");
});
