import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { command, endAll, fewCards, folder, serveFixture, unknownCode } from './main-fixture.ts';

afterEach(endAll);

const passing = 'gift-card.create.returns-200';

test('--key-env names the variable with the key', async () => {
  const { url, requests } = await serveFixture(fewCards(404));
  expect((await command(['run', '--mode', 'full', '--target', url, '--key-env', 'OTHER_KEY', unknownCode])).code).toBe(0);
  expect(requests.at(-1)).toMatch(/ another-key$/);
});

test('--reporter json prints the result, and --out writes it', async () => {
  const { url } = await serveFixture(fewCards(404));
  const out = join(folder(), 'deep', 'er');
  const found = { target: url, rules: [{ name: unknownCode, verdict: 'pass' }] };
  expect(
    JSON.parse((await command(['run', '--mode', 'full', '--target', url, '--reporter', 'json', unknownCode])).out),
  ).toMatchObject(found);
  await command(['run', '--mode', 'full', '--target', url, '--out', out, unknownCode]);
  expect(JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))).toMatchObject(found);
  expect(readFileSync(join(out, 'report.txt'), 'utf8')).toContain('PASS  1 of 1');
});

test('--out writes every requested report, and the text names the page with the evidence', async () => {
  const { url } = await serveFixture(fewCards(200));
  const out = join(folder(), 'out');
  const more = ['--reporter', 'junit', '--reporter', 'json'];
  const { code, out: printed } = await command(['run', '--mode', 'full', '--target', url, '--out', out, ...more, unknownCode]);
  expect(code).toBe(1);
  expect(printed).toContain(`FAIL  ${unknownCode}`);
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.html', 'report.txt', 'results.json']);
  expect(readFileSync(join(out, 'report.txt'), 'utf8')).toContain(`Evidence     ${join(out, 'report.html')}#${unknownCode}`);
});

test('--quiet prints no progress', async () => {
  const { url } = await serveFixture(fewCards(404));
  expect((await command(['run', '--mode', 'full', '--target', url, '--quiet', unknownCode])).err).toBe('');
});

test('the command that runs a rule again has the same flags, quoted for the shell', async () => {
  const { url } = await serveFixture(fewCards(200));
  const profile = join(folder(), "a team's profile.json");
  writeFileSync(profile, '{"noRateLimit": true}');
  const flags = ['--target', url, '--mode', 'full', '--key-env', 'OTHER_KEY', '--profile', profile, '--rate', '600'];
  const { out } = await command(['run', ...flags, '--level', 'stated', '--quiet', unknownCode]);
  const again = /Again +npx giftcard-sandbox conformance (.*)/.exec(out)?.[1] ?? '';
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${again}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect([words[0], words.at(-1), [...words.slice(1, -1)].sort()]).toEqual(['run', unknownCode, [...flags].sort()]);
  expect((await command(words)).code).toBe(1);
});

test('a baseline excuses the failures that it names, and is stale when they pass', async () => {
  const [{ url }, { url: mended }] = [await serveFixture(fewCards(200)), await serveFixture(fewCards(404))];
  const baseline = join(folder(), 'baseline.json');
  const writing = ['--write-baseline', baseline, unknownCode];
  const out = folder();
  expect(await command(['run', '--mode', 'full', '--target', url, '--out', out, ...writing])).toMatchObject({
    code: 4,
    out: expect.stringMatching(/INCOMPLETE {2}1 of 1.*\n *Exit code 4: no baseline was written, because .*no rule passed/),
  });
  expect(JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))).toMatchObject({ exitCode: 4 });
  expect(existsSync(baseline)).toBe(false);
  expect((await command(['run', '--mode', 'full', '--target', url, ...writing, passing])).code).toBe(0);
  expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual({
    [unknownCode]: expect.stringMatching(/^REASON WANTED: .* \d{4}-\d\d-\d\d: expected .*; got 200/),
  });
  writeFileSync(baseline, JSON.stringify({ [unknownCode]: 'ticket 12' }));
  const known = await command(['run', '--mode', 'full', '--target', url, '--baseline', baseline, unknownCode]);
  expect([known.code, known.out]).toEqual([0, expect.stringMatching(/1 known/)]);
  const stale = await command(['run', '--mode', 'full', '--target', mended, '--baseline', baseline, unknownCode]);
  expect([stale.code, stale.out]).toEqual([1, expect.stringContaining(`STALE`)]);
});

test('report renders result files, and compare shows their differences', async () => {
  const [{ url }, { url: mended }] = [await serveFixture(fewCards(200)), await serveFixture(fewCards(404))];
  const [bad, good] = [folder(), folder()];
  await command(['run', '--mode', 'full', '--target', url, '--out', bad, unknownCode]);
  await command(['run', '--mode', 'full', '--target', mended, '--out', good, unknownCode]);
  const [a, b] = [join(good, 'results.json'), join(bad, 'results.json')];
  expect((await command(['report', b])).out).toContain(`FAIL  ${unknownCode}`);
  expect((await command(['report', b, '--reporter', 'junit'])).out).toContain('<failure');
  const out = folder();
  expect((await command(['report', a, b, '--out', out])).out).toMatch(
    /^PASS {2}A: 1 of 1 stated rule holds.*\nFAIL {2}B: 1 of 1 stated rule violated/m,
  );
  expect(readdirSync(out).length).toBe(3);
  expect((await command(['report', b, '--out', out, '--reporter', 'junit'])).code).toBe(0);
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.html', 'report.txt', 'results.json']);
  expect(readFileSync(join(out, 'results.json'), 'utf8')).toBe(readFileSync(b, 'utf8'));
  const [page, badge] = [join(out, 'page.html'), join(out, 'b.svg')];
  const named = await command(['report', b, '--html', page, '--badge', badge]);
  expect([named.code, named.out]).toEqual([0, expect.stringContaining(`Report: ${page}`)]);
  expect([readFileSync(page, 'utf8'), readFileSync(badge, 'utf8')]).toEqual([
    readFileSync(join(out, 'report.html'), 'utf8'),
    expect.stringContaining('FAIL'),
  ]);
  expect(await command(['report', a, b, '--out', bad])).toMatchObject({ code: 2, err: expect.stringContaining(b) });
  const worse = await command(['compare', a, b]);
  expect([worse.code, worse.out]).toEqual([1, expect.stringMatching(/FAIL {2}gift-card\.get-by-code\.unknown-is-404/)]);
  expect(await command(['compare', a, a])).toMatchObject({ code: 0, out: expect.stringMatching(/1 of 1 rule alike/) });
  const now = await command(['compare', a, url, '--quiet', '--mode', 'full']);
  expect([now.code, now.out]).toEqual([1, expect.stringContaining(`A  ${mended} (${a})`)]);
  expect(now.out).toContain('0 of 1 rule alike');
});

test('list, globs, --level and --skip', async () => {
  const all = await command(['list']);
  const lists = await command(['list', 'list.*', '--skip', 'list.since*', '--level', 'stated']);
  expect(all.out.split('\n').length).toBeGreaterThan(100);
  expect(lists.out).toContain('list.last-updated-first');
  expect(lists.out).not.toContain('since');
  expect(lists.out).not.toContain('gift-card.');
  const columns = (await command(['list', '--level', 'robustness'])).out;
  expect(columns).toMatch(/\.\d\d +tested\n/);
  expect(columns).not.toMatch(/\dtested/);
});

test('list --json has each rule with its level, needs and cost, or why it is not tested', async () => {
  const { out } = await command(['list', '--json', '--level', 'stated']);
  const rules: { rule: string; level: string; cost?: { cards: number }; needs?: string[]; untestable?: string }[] =
    JSON.parse(out);
  expect(new Set(rules.map(({ level }) => level))).toEqual(new Set(['stated']));
  expect(rules.find(({ rule }) => rule === unknownCode)).toEqual({
    rule: unknownCode,
    level: 'stated',
    needs: [],
    needsOneOf: [],
    cost: { requests: expect.any(Number), cards: expect.any(Number), faceValue: expect.any(Number) },
  });
  expect(rules.filter(({ needs, untestable }) => (needs === undefined) === (untestable === undefined))).toEqual([]);
  expect(rules.some(({ untestable }) => untestable !== undefined)).toBe(true);
});

test.each([[[]], [['--quiet']]])('%j is a usage error', async (argv) => {
  expect((await command(argv)).code).toBe(2);
});

const target = ['key-env', 'ledger', 'profile', 'rate', 'target'];
const webhooks = ['webhook-listen', 'webhook-url', 'delivery-timeout'];
const policy = ['allow', 'max-creates', 'max-face-value', 'max-requests', 'mode', 'yes'];
const selection = ['level', 'skip'];
const reports = ['out', 'reporter', 'verbose'];

/** The commands and flags that users rely on. The list is written by hand, so that a removed flag fails a test. */
const commands: Readonly<Record<string, { readonly flags: readonly string[]; readonly codes: readonly number[] }>> = {
  run: {
    flags: [
      ...target,
      ...webhooks,
      ...policy,
      ...selection,
      ...reports,
      'leave-cards',
      'baseline',
      'write-baseline',
      'fail-on',
      'variant',
      'seed',
      'quiet',
    ],
    codes: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  plan: { flags: [...target, ...webhooks, ...policy, ...selection, 'json'], codes: [0, 2] },
  list: { flags: [...selection, 'json'], codes: [0, 2] },
  doctor: { flags: [...target, ...webhooks, 'mode', 'allow', 'json'], codes: [0, 2, 3, 4, 5] },
  learn: {
    flags: [...target, ...webhooks, ...policy, ...selection, 'leave-cards', 'out', 'quiet'],
    codes: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  compare: {
    flags: ['profile', 'rate', ...policy, ...selection, ...reports, 'leave-cards', 'variant', 'seed', 'quiet'],
    codes: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  fuzz: {
    flags: [...target, ...policy, ...reports, 'leave-cards', 'runs', 'steps', 'path', 'variant', 'seed', 'quiet'],
    codes: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  sweep: { flags: target, codes: [0, 2, 5, 6] },
  ledger: { flags: ['forget', 'ledger', 'target'], codes: [0, 2, 5] },
  report: { flags: [...reports, 'html', 'badge'], codes: [0, 2, 6] },
};

test('only the help of run explains its exit codes with the baseline', async () => {
  for (const name of Object.keys(commands))
    expect((await command([name, '--help'])).out.includes('baseline is stale'), name).toBe(name === 'run');
  expect((await command(['compare', '--help'])).out).toContain('a stated rule differs');
});

test('the help lists the commands', async () => {
  const { code, out } = await command(['--help']);
  expect(code).toBe(0);
  const listed = [...out.slice(out.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  expect(listed).toEqual([...Object.keys(commands), 'help']);
});

test.each(Object.entries(commands))('%s has its flags and exit codes in its help', async (name, { flags, codes }) => {
  const { code, out } = await command([name, '--help']);
  expect(code).toBe(0);
  expect([...out.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, flag]) => flag).sort()).toEqual([...flags].sort());
  const notes = out.slice(out.indexOf('Exit codes:'), out.indexOf('Examples:'));
  expect([...notes.matchAll(/[:;]\s(\d+)\s/g)].map(([, each]) => Number(each))).toEqual(codes);
});

test('a key on the command line is refused', async () => {
  const { code, err } = await command(['run', '--key', 'x']);
  expect([code, err]).toEqual([2, expect.stringContaining('--key-env')]);
});
