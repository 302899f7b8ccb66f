import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };

/** Runs the examples of README and docs/ with the built package. Only the ports differ. */

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['README.md', 'docs/mock.md', 'docs/conformance.md'].map((path) => ({
  path,
  text: readFileSync(root + path, 'utf8'),
}));
const run = promisify(execFile);
const started: ChildProcess[] = [];
afterAll(() => {
  for (const each of started) each.kill();
});

/** Returns the code blocks of a language, with the titles of their sections. */
function blocks(language: string): { readonly section: string; readonly text: string }[] {
  return documents
    .map(({ text }) => text)
    .join('\n')
    .split(/^## /m)
    .flatMap((section) => {
      const found = section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
      return Array.from(found, ([, text]) => ({ section: section.split('\n', 1)[0] ?? '', text: text ?? '' }));
    });
}

/** Starts a program and returns the lines that it prints. */
function lines(argv: readonly string[]): AsyncIterator<string> {
  const program = spawn(process.execPath, argv, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  started.push(program);
  return createInterface({ input: program.stdout })[Symbol.asyncIterator]();
}

async function next(from: AsyncIterator<string>): Promise<string> {
  return (await from.next()).value ?? '';
}

let url: string;
let receiver: AsyncIterator<string>;
let receiverPort: string;

beforeAll(async () => {
  url = await next(lines(['dist/cli.js', 'mock', '--port', '0', '--quiet']));
  const [program] = blocks('js');
  const text = (program?.text ?? '').replace(
    `.listen(9000, '127.0.0.1')`,
    `.listen(0, '127.0.0.1', function () { console.log(this.address().port) })`,
  );
  receiver = lines(['--input-type=module', '-e', text]);
  receiverPort = await next(receiver);
});

const withPorts = (text: string) =>
  text.replaceAll('http://127.0.0.1:8460', url).replaceAll('127.0.0.1:9000', `127.0.0.1:${receiverPort}`);

test('every curl example succeeds, and the receiver accepts the delivery', async () => {
  for (const { section, text } of blocks('sh').filter((block) => block.text.startsWith('curl '))) {
    const { stdout } = await run('bash', ['-euc', withPorts(text).replaceAll('curl -s', 'curl -sf')], { encoding: 'utf8' }).catch(
      (error: Error) => ({ stdout: `refused: ${error.message}` }),
    );
    expect(stdout, section).toMatch(/^[{["t]/);
  }
  expect(await next(receiver)).toBe('giftcard/voided FIRST-0001');
});

test('a green run prints what docs/conformance.md shows', async () => {
  const [first] = blocks('text').filter(
    ({ section, text }) => section === 'A first run' && text.startsWith('giftcard conformance'),
  );
  const ledger = mkdtempSync(join(tmpdir(), 'ledger-'));
  const flags = ['--target', url, '--ledger', ledger, '--quiet', 'company.*', 'coupon.*'];
  const env = { ...process.env, GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key' };
  const { stdout } = await run(process.execPath, ['dist/cli.js', 'conformance', 'run', ...flags], { cwd: root, env });
  rmSync(ledger, { recursive: true });
  const withoutNumbers = (text: string) =>
    text
      .replace(/\(.*\)/, '(…)')
      .replace(/[\d.]+/g, 'N')
      .replace(/ {3,}/g, '   ');
  expect(withoutNumbers(stdout)).toBe(withoutNumbers(withPorts(first?.text ?? '')));
});

test('the TypeScript examples return what their comments show', async () => {
  const [first] = blocks('ts').filter(({ section }) => section === 'A first test');
  const examples = blocks('ts').filter(({ section }) =>
    ['Time', 'Faults', 'The dashboard, orders and channels'].includes(section),
  );
  const shown =
    'console.log(JSON.stringify({ card, moments, fault, forged, voucher: await account.dashboard.card("LUNCH-1") }));';
  const text = [first, ...examples].map((block) => withPorts(block?.text ?? '')).join('\n') + shown;
  const { code } = transformSync(text, { loader: 'ts', format: 'esm', target: 'node20' });
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' });
  expect(JSON.parse(stdout)).toMatchObject({
    card: { code: 'ORDER-1', balance: 25 },
    moments: [{ what: 'expiry', code: 'SHORT-1' }],
    fault: { hits: 1, verdict: 'passed' },
    forged: { verdict: 'passed', strikes: [{ verdict: 'passed' }] },
    voucher: { giftCard: { code: 'LUNCH-1', status: 'Redeemed', balance: 0 } },
  });
});

test('every link leads to a file or a heading that exists, in the package too', () => {
  const packed = packageFile.files.map((pattern) => pattern.split(/[/{]/, 1)[0]);
  const headings = new Map(
    documents.map(({ path, text }) => [path, Array.from(text.matchAll(/^#+ (.*)$/gm), ([, title]) => slug(title ?? ''))]),
  );
  for (const { path, text } of documents) {
    const links = Array.from(text.matchAll(/\]\((?!http)([^)]+)\)/g), ([, link]) => link ?? '');
    expect(links).not.toEqual([]);
    for (const link of links) {
      const [file = '', heading] = posix.join(posix.dirname(path), link).split('#');
      expect([link, existsSync(root + file), file === 'README.md' || packed.includes(file.split('/')[0])]).toEqual([
        link,
        true,
        true,
      ]);
      if (heading) expect(headings.get(file), link).toContain(heading);
    }
  }
});

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
