import { execFile, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, matchesGlob } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { brokenAnchors, groups, llmsText } from '../docs/.vitepress/site.ts';
import { freePort } from '../mock/testing/command-fixture.ts';
import packageFile from '../package.json' with { type: 'json' };
import { installTools } from './tools.ts';

/**
 * Runs the examples of README and docs/ with the built package, in the order of each page, as a user would: `sh` in bash, one mock per page. A block with
 * a name such as `[world.yaml]` is a file; a program that listens is started. A `text` block is what the page's programs have printed. The other `ts`
 * blocks of a page are one program; a comment after a statement shows its value. Only the ports differ.
 */
const root = fileURLToPath(new URL('..', import.meta.url));

/** The blocks that do not run, by page and beginning, each with the reason. */
const notRun: readonly (readonly [page: string, start: string, reason: string])[] = [
  ['README.md', 'npm ci', '.ci/checks runs both commands in a clean clone'],
  ['docs/index.md', 'npm ci', '.ci/checks runs both commands in a clean clone'],
  ['README.md', 'npm install --save-dev ../giftcard', 'scripts/checks/package/ packs and installs the package'],
  ['README.md', 'docker build', 'needs Docker; scripts/checks/replicas/compose.slow.test.ts runs its parts'],
  ['docs/getting-started.md', 'npm ci && npm pack', 'scripts/checks/package/ packs and installs the package'],
  ['docs/getting-started.md', 'npm install --save-dev ../giftcard', 'scripts/checks/package/ packs and installs the package'],
  [
    'docs/state.md',
    'npm install --save-dev pg',
    'needs PostgreSQL; scripts/checks/replicas/ starts the same flag with PostgreSQL',
  ],
  ['docs/containers.md', 'docker build', 'needs Docker; scripts/checks/replicas/compose.slow.test.ts runs its parts'],
  ['docs/containers.md', 'import { connectSandbox }', 'needs the host of Docker Compose; control-api.md runs connectSandbox'],
];

interface Block {
  readonly language: string;
  readonly file: string | undefined;
  readonly text: string;
}

/** Returns the code blocks of a page in their order. Blocks in generated tables are examples of commands, which cli/commands.test.ts checks. */
function blocksOf(page: string): Block[] {
  const written = page.replace(/<!-- table \S+ -->.*?<!-- end -->/gs, '');
  return Array.from(written.matchAll(/^```(\w*)(?: \[([^\]\n]+)\])?\n(.*?)^```$/gms), ([, language = '', file, text = '']) => {
    return { language, file, text };
  });
}

/** The commands of examples as functions of bash: they run what is built, and a server runs until the end of the page. */
const prelude = `
[ -f env.sh ] && . ./env.sh
trap 'export -p > env.sh' EXIT
curl() { command curl --fail-with-body "$@"; }
in_background() { # PORT COMMAND…: ends the program that has the port, and waits until the new one listens
  local port=$1; shift
  [ -f "$port.pid" ] && { kill "$(cat "$port.pid")" 2>/dev/null || true; while kill -0 "$(cat "$port.pid")" 2>/dev/null; do sleep 0.05; done; }
  "$@" >> printed 2>&1 &
  local pid=$!; echo $pid > "$port.pid"
  until (: < "/dev/tcp/127.0.0.1/$port") 2>/dev/null; do kill -0 $pid 2>/dev/null || { cat printed >&2; wait $pid; }; sleep 0.05; done
}
giftcard-sandbox() {
  case "$*" in
    mock*) in_background "$MOCK_PORT" node "$CLI" "$@" ;;
    proxy*--target*) in_background "$PROXY_PORT" node "$CLI" "$@" ;;
    *) node "$CLI" "$@" ;;
  esac
}
node_modules/.bin/giftcard-sandbox() { giftcard-sandbox "$@"; wait; } # until it is killed
npx() { if [ "$1" = giftcard-sandbox ]; then "$@"; else PATH="$PWD/../node_modules/.bin:$RUNNERS:$PATH" command "$@"; fi; }
npm() {
  case "$*" in
    start*) giftcard-sandbox mock "\${@:3}" ;;
    'install --save-dev '*) [ -d "../node_modules/$3" ] ;;
    *) echo "npm $* cannot run here" >&2; return 1 ;;
  esac
}
`;

/** A page as it runs: its folder, its programs and what they have printed. */
interface Session extends AsyncDisposable {
  readonly folder: string;
  /** Returns a text of the page with the ports of this session. */
  withPorts(text: string): string;
  /** Runs a script. Returns a sentence if it fails. */
  bash(script: string): Promise<string | undefined>;
  /** Starts a program of the page, and waits until it listens. */
  listen(file: string): Promise<string | undefined>;
  /** Returns what the page's programs have printed, with the ports of the page. */
  printed(): string;
}

async function openSession(project: string): Promise<Session> {
  const folder = mkdtempSync(join(project, 'page-'));
  const [mock, proxy, receiver] = await Promise.all([freePort(), freePort(), freePort()]);
  const ports = Object.entries({ 8460: `${mock}`, 8461: `${proxy}`, 9000: `${receiver}` });
  const env = {
    ...process.env,
    ...{
      RUNNERS: `${root}scripts/checks/package/node_modules/.bin`,
      CLI: join(project, 'node_modules/giftcard-sandbox/dist/cli.js'),
      MOCK_PORT: `${mock}`,
      PROXY_PORT: `${proxy}`,
      GIFTCARD_SANDBOX_PORT: `${mock}`,
    },
    ...{ XDG_STATE_HOME: join(folder, 'state-home'), NO_COLOR: '1' },
  };
  const printed = join(folder, 'printed');
  writeFileSync(printed, '');
  const own = (text: string) => ports.reduce((all, [documented, port]) => all.replaceAll(port, documented), text);
  const bash = (script: string) =>
    new Promise<string | undefined>((done) => {
      const argv = ['-euo', 'pipefail', '-c', `${prelude}\n${script}`];
      execFile('bash', argv, { cwd: folder, env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
        appendFileSync(printed, `${stdout}\n`);
        done(error ? own(`exit ${error.code}: ${stderr}${stdout}`).slice(0, 1000) : undefined);
      });
    });
  return {
    folder,
    bash,
    listen: (file) => bash(`in_background ${receiver} node ${file}`),
    withPorts: (text) =>
      ports.reduce((all, [documented, port]) => all.replaceAll(new RegExp(`\\b${documented}\\b`, 'g'), port), text),
    printed: () => own(readFileSync(printed, 'utf8')),
    [Symbol.asyncDispose]: async () => {
      await bash('for file in *.pid; do kill "$(cat "$file")" || true; rm "$file"; done');
    },
  };
}

/** Runs the blocks of a page. Returns a sentence for each example that does not do what the page says. */
async function problemsOf(project: string, path: string, page: string): Promise<string[]> {
  await using session = await openSession(project);
  const { folder, withPorts, bash, listen, printed } = session;
  let read = 0;
  const check = async ({ language, file, text }: Block): Promise<string | undefined> => {
    if (file !== undefined) {
      writeFileSync(join(folder, file), withPorts(text));
      if (text.includes('.listen(')) return listen(file);
    }
    if (language === 'sh') return bash(withPorts(text));
    if (language === 'json' || language === 'yaml') return unreadable(text);
    if (language !== 'text')
      return ['ts', 'js'].includes(language) ? undefined : `a block of the language "${language}" cannot run`;
    for (let wait = 0; wait < 50 && missingLine(printed().slice(read), text) !== undefined; wait++) await setTimeout(100);
    const missing = missingLine(printed().slice(read), text);
    if (missing !== undefined) return `nothing printed "${missing}", only:\n${printed().slice(read)}`;
    read = printed().length;
    return undefined;
  };
  const problems: string[] = [];
  const blocks = blocksOf(page).filter(({ text }) => !notRun.some(([on, start]) => on === path && text.startsWith(start)));
  // A page may use the receiver of another page.
  for (const each of pages.flatMap((name) => blocksOf(textOf(`docs/${name}`))))
    if (each.file !== undefined && each.text.includes('.listen(') && page.includes(`\`${each.file}\``)) blocks.unshift(each);
  if (blocks.length > 0) problems.push(...[await bash('giftcard-sandbox mock')].filter((problem) => problem !== undefined));
  for (const block of blocks) {
    const problem = await check(block);
    if (problem !== undefined) problems.push(`${block.file ?? block.text.split('\n', 1)[0]} → ${problem}`);
  }
  const code = blocks.filter(({ language, file }) => language === 'ts' && file === undefined).map(({ text }) => withPorts(text));
  return [...problems, ...(await wrongValues(code.join('\n'), folder))];
}

function unreadable(text: string): string | undefined {
  try {
    parse(text);
  } catch (error) {
    return (error as Error).message;
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Returns the first line of `expected` that does not follow the lines before it in `printed`. Numbers may differ, and `…` is any text. */
function missingLine(printed: string, expected: string): string | undefined {
  const blurred = (text: string) =>
    text
      .replace(/\(.*\d.*\)/g, '(…)')
      .replace(/\d[\d.]*/g, 'N')
      .replace(/ {2,}/g, '  ');
  let lines = printed.split('\n').map(blurred);
  for (const line of expected.trimEnd().split('\n')) {
    const pattern = new RegExp(`^${blurred(line).split('…').map(escaped).join('.*')}$`);
    const at = lines.findIndex((each) => pattern.test(each));
    if (at < 0) return line;
    lines = lines.slice(at + 1);
  }
  return undefined;
}

/** A statement with its value in a comment, such as `const [fault] = …; // [{ hits: 1, … }]`. */
const VALUED = /^const (\w+|\[\s*\w+\s*\]|\{\s*\w+\s*\}) = .*; \/\/ ([[{'].*)$/;
/** A statement with what it prints in a comment: `console.log(status); // 200`. */
const PRINTING = /^console\.log\(.*\); \/\/ (.*)$/;

/** Runs the TypeScript of a page as one program. Returns a sentence for each value that differs from its comment, and each exception. */
async function wrongValues(text: string, folder: string): Promise<string[]> {
  const lines = text.split('\n');
  const unchecked = lines.filter((line) => /; \/\/ [[{']/.test(line) && !VALUED.test(line) && !PRINTING.test(line));
  if (unchecked.length > 0) return unchecked.map((line) => `the comment of this statement cannot be checked: ${line}`);
  const shown = lines.flatMap((line) => (VALUED.exec(line) ?? []).slice(2));
  let index = 0;
  const program = lines.map((line) => {
    const [, name] = VALUED.exec(line) ?? [];
    return name === undefined
      ? line
      : `${line}\nconsole.log('VALUE${index++}', JSON.stringify(${name.replace(/^\{|\}$/g, '')}));`;
  });
  const { code } = transformSync(program.join('\n'), { loader: 'ts', format: 'esm', target: 'node20' });
  writeFileSync(join(folder, 'page.mjs'), code);
  const { stdout, failure } = await new Promise<{ stdout: string; failure: string[] }>((done) => {
    execFile(process.execPath, ['page.mjs'], { cwd: folder, timeout: 30_000 }, (error, stdout, stderr) =>
      done({ stdout, failure: error ? [`the TypeScript fails: ${stderr}`] : [] }),
    );
  });
  const printed = stdout.split('\n');
  const unprinted = lines.flatMap((line) => (PRINTING.exec(line) ?? []).slice(1)).filter((line) => !printed.includes(line));
  const wrong = shown.flatMap((comment, at) => {
    const json = printed.find((line) => line.startsWith(`VALUE${at} `))?.slice(`VALUE${at} `.length);
    return json !== undefined && hasShape(JSON.parse(json), comment) ? [] : [`shows ${comment}, is ${json}`];
  });
  return [...failure, ...wrong, ...unprinted.map((line) => `nothing printed "${line}"`)];
}

/** Reports whether a value has what the comment shows. `…` is the rest of an object. */
function hasShape(value: unknown, comment: string): boolean {
  const shown: unknown = new Function(`return (${comment.replace(/,? …/g, '')})`)();
  try {
    expect({ value }).toMatchObject({ value: shown });
    return true;
  } catch {
    return false;
  }
}

/** A folder whose inner folders have the package and the test runners. */
let project: string;
beforeAll(() => {
  // The page about tests also uses Jest.
  installTools(`${root}scripts/checks/package`);
  installTools(`${root}docs/.vitepress`);
  project = mkdtempSync(join(tmpdir(), 'docs-'));
  mkdirSync(join(project, 'node_modules'));
  for (const name of readdirSync(`${root}node_modules`))
    symlinkSync(`${root}node_modules/${name}`, join(project, 'node_modules', name));
  // Test runners treat files outside of node_modules in another way, so this is not a link.
  for (const name of ['package.json', 'dist'])
    cpSync(root + name, join(project, 'node_modules/giftcard-sandbox', name), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
}, 400_000);
afterAll(() => {
  // A page that timed out has not ended its programs.
  for (const file of readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^page-\w+\/\d+\.pid$/.test(name),
  ))
    spawnSync('kill', [readFileSync(join(project, file), 'utf8').trim()]);
  rmSync(project, { recursive: true });
});

const pages = readdirSync(`${root}docs`).filter((name) => name.endsWith('.md'));
const documents = ['README.md', ...pages.map((name) => `docs/${name}`)];
const textOf = (path: string) => readFileSync(root + path, 'utf8');

describe.concurrent('the examples of', () => {
  test.each(documents)('%s', { timeout: 400_000 }, async (path) => {
    expect(await problemsOf(project, path, textOf(path))).toEqual([]);
  });
});

const account = `import { startMock } from 'giftcard-sandbox';
await using sandbox = await startMock({ listen: false });
const account = await sandbox.createAccount({ cards: [{ code: 'A', balance: 5 }] });`;
const fence = '```';

test.concurrent.each([
  ['a request that is rejected', 'sh', 'curl -s http://127.0.0.1:8460/api/Company/Profile -H "x-api-key: wrong"', 'exit 22'],
  ['a flag that does not exist', 'sh', 'npx giftcard-sandbox mock --prot 1', 'exit 2: .*--prot'],
  ['a command that does not exist', 'sh', 'npx giftcard-sandbox start', 'exit 2'],
  ['a program that does not run here', 'sh', 'npm publish', 'exit 1: npm publish'],
  ['output that differs', 'text', 'http://127.0.0.1:8460/other', 'nothing printed "http://127.0.0.1:8460/other"'],
  ['YAML that cannot be read', 'yaml', '{ code: A', 'code'],
  ['JSON that cannot be read', 'json', '{ "code": ', 'code|end'],
  ['a receiver that does not start', 'js [receiver.mjs]', "import 'no-such-package'; createServer().listen(9000);", 'exit 1'],
  ['a method that does not exist', 'ts', `${account}\nawait account.clock.stop();`, 'stop is not a function'],
  ['a value that differs', 'ts', `${account}\nconst one = await account.merchant.card('A'); // { balance: 6, … }`, 'shows .*6'],
  ['a printed value that differs', 'ts', `${account}\nconsole.log(account.id); // other`, 'nothing printed "other"'],
  ['a comment that cannot be checked', 'ts', `${account}\nawait account.describe(); // { id: 'other' }`, 'cannot be checked'],
  ['a language that does not run', 'python', 'print(1)', 'python'],
])('the example is reported: %s', async (_, language, text, problem) => {
  const found = await problemsOf(project, 'page.md', `# Page\n\n${fence}${language}\n${text}\n${fence}\n`);
  expect(found).toEqual([expect.stringMatching(new RegExp(problem, 's'))]);
});

test('the TypeScript of all pages, and the settings of the site, have no type errors', async () => {
  const folder = mkdtempSync(join(project, 'types-'));
  for (const [index, path] of documents.entries()) {
    const blocks = blocksOf(textOf(path)).filter(({ language }) => language === 'ts');
    for (const { file, text } of blocks) if (file !== undefined) writeFileSync(join(folder, `${index}-${file}`), text);
    const program = blocks.filter(({ file }) => file === undefined).map(({ text }) => text);
    writeFileSync(join(folder, `${index}.mts`), `${program.join('\n')}\nexport {};`);
  }
  const config = { extends: `${root}tsconfig.json`, include: ['*', `${root}docs/.vitepress/*.ts`] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const errors = await new Promise((done) => {
    execFile(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', folder], (_, stdout) => done(stdout));
  });
  expect(errors).toBe('');
});

test('every block that does not run exists', () => {
  const unused = notRun.filter(([path, start]) => !blocksOf(textOf(path)).some(({ text }) => text.startsWith(start)));
  expect(unused).toEqual([]);
});

test('README is short, its links and badges are true, and npm packs what it links', () => {
  const readme = textOf('README.md');
  expect(Buffer.byteLength(readme)).toBeLessThanOrEqual(8_000);
  const links = Array.from(readme.matchAll(/\]\((?!http)([^)#]+)\)/g), ([, link = '']) => link);
  expect(links.filter((link) => !existsSync(root + link))).toEqual([]);
  const isPacked = (link: string) =>
    packageFile.files.some((pattern) => matchesGlob(link, pattern)) || /^(README|LICENSE)/.test(link);
  expect(links.filter((link) => link.endsWith('.md') && !isPacked(link))).toEqual([]);
  expect(textOf('docs/public/badge-license.svg')).toContain(`license: ${packageFile.license}`);
  expect(textOf('docs/public/badge-node.svg')).toContain(`node: ${packageFile.engines.node.replace('>=', '≥ ')}`);
  expect(textOf('docs/public/badge-types.svg')).toContain('types: included');
  expect(packageFile.exports['.'].import.types).toMatch(/\.d\.ts$/);
  const rules = textOf('docs/service.md').match(/^\| `[a-z-]+\./gm) ?? [];
  expect(readme).toContain(`Each of its ${rules.length} rules has a name`);
});

test('the sidebar has every page, and llms.txt describes each', () => {
  const listed = groups.flatMap((group) => group.pages);
  expect(listed.map(({ name }) => `${name}.md`).sort()).toEqual(pages.filter((name) => name !== 'index.md').sort());
  expect(listed.filter(({ description }) => !/^[A-Z].*\.$/.test(description))).toEqual([]);
  expect(llmsText('docs/')).toBe(textOf('llms.txt'));
});

test('a link to a heading that does not exist is reported', () => {
  const folder = mkdtempSync(join(project, 'site-'));
  const links = ['#here', '/base/b.html#there', '/base/b.html#missing', '#missing', '/base/none.html#x'];
  writeFileSync(join(folder, 'a.html'), `<h2 id="here">${links.map((link) => `<a href="${link}">`).join('')}`);
  writeFileSync(join(folder, 'b.html'), '<h2 id="there">');
  expect(brokenAnchors(folder, '/base/')).toEqual([
    '/base/a.html → /base/b.html#missing',
    '/base/a.html → /base/a.html#missing',
    '/base/a.html → /base/none.html#x',
  ]);
});

test('the site is built under its base path, with search, and a dead link fails', async () => {
  const copy = mkdtempSync(join(project, 'copy-'));
  cpSync(`${root}docs`, join(copy, 'docs'), {
    recursive: true,
    filter: (path) => !/(\.vitepress\/(dist|cache)|node_modules)$/.test(path),
  });
  symlinkSync(`${root}docs/.vitepress/node_modules`, join(copy, 'docs/.vitepress/node_modules'));
  const build = () =>
    new Promise<string>((done) => {
      const env = { ...process.env, DOCS_BASE: '/sandbox/' };
      execFile(
        join(copy, 'docs/.vitepress/node_modules/.bin/vitepress'),
        ['build', 'docs'],
        { cwd: copy, env },
        (error, stdout, stderr) => done(error ? `${stdout}${stderr}` : 'built'),
      );
    });
  expect(await build()).toBe('built');
  const built = (path: string) => readFileSync(join(copy, 'docs/.vitepress/dist', path), 'utf8');
  expect(built('index.html')).toContain('href="/sandbox/getting-started.html"');
  expect(built('llms.txt')).toContain('](/sandbox/testing.md)');
  expect(built('llms-full.txt')).toContain('# Troubleshooting');
  expect(built('testing.md')).toBe(textOf('docs/testing.md'));
  appendFileSync(join(copy, 'docs/glossary.md'), '\n[dead](nowhere.md)\n');
  expect(await build()).toContain('nowhere');
});
