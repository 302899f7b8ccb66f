import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import packageFile from '../package.json' with { type: 'json' };

/** What the README says to do is done, as it stands there, with the package as it is built; only the ports are others. */

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const run = promisify(execFile);
const started: ChildProcess[] = [];
afterAll(() => {
  for (const each of started) each.kill();
});

/** The blocks of a language, under their section's title. */
function blocks(language: string): { readonly section: string; readonly text: string }[] {
  return readme.split(/^## /m).flatMap((section) => {
    const found = section.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'));
    return Array.from(found, ([, text]) => ({ section: section.split('\n', 1)[0] ?? '', text: text ?? '' }));
  });
}

/** Starts a program and resolves with what it says, line by line. */
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

test('every line of curl is answered with success, and the receiver believes what it is told', async () => {
  for (const { section, text } of blocks('sh').filter((block) => block.text.startsWith('curl '))) {
    const { stdout } = await run('bash', ['-euc', withPorts(text).replaceAll('curl -s', 'curl -sf')], { encoding: 'utf8' }).catch(
      (error: Error) => ({ stdout: `refused: ${error.message}` }),
    );
    expect(stdout, section).toMatch(/^[{["t]/);
  }
  expect(await next(receiver)).toBe('giftcard/voided FIRST-0001');
});

test('the examples in TypeScript do what is said beside them', async () => {
  const [first] = blocks('ts').filter(({ section }) => section === 'A first test');
  const examples = blocks('ts').filter(({ section }) => section.startsWith('Time'));
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

test('what it links to is there, in the package too', () => {
  const links = Array.from(readme.matchAll(/\]\((?!http)([^)]+)\)/g), ([, path]) => path ?? '');
  expect(links).not.toEqual([]);
  const packed = packageFile.files.map((pattern) => pattern.split(/[/{]/).slice(0, 1)[0]);
  for (const path of links)
    expect([path, existsSync(root + path), packed.includes(path.split('/')[0])]).toEqual([path, true, true]);
});
