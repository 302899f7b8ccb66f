import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { command, endAll, fewCards, folder, serve, unknownCode } from './main-fixture.ts';

afterEach(endAll);

test('--key-env names the variable that holds the key', async () => {
  const { url, requests } = await serve(fewCards(404));
  expect((await command(['run', '--target', url, '--key-env', 'OTHER_KEY', unknownCode])).code).toBe(0);
  expect(requests[0]).toMatch(/ another-key$/);
});

test('--reporter json prints what the run found, and --out writes it', async () => {
  const { url } = await serve(fewCards(404));
  const out = join(folder(), 'deep', 'er');
  const found = { target: url, clauses: [{ name: unknownCode, verdict: 'pass' }] };
  expect(JSON.parse((await command(['run', '--target', url, '--reporter', 'json', unknownCode])).out)).toMatchObject(found);
  await command(['run', '--target', url, '--out', out, unknownCode]);
  expect(JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'))).toMatchObject(found);
  expect(readFileSync(join(out, 'report.txt'), 'utf8')).toContain('1 pass');
});

test('--out has every report that is wanted, and says where the evidence is', async () => {
  const { url } = await serve(fewCards(200));
  const out = join(folder(), 'out');
  const more = ['--reporter', 'junit', '--reporter', 'json'];
  const { code, out: printed, err } = await command(['run', '--target', url, '--out', out, ...more, unknownCode]);
  expect([code, printed]).toEqual([1, readFileSync(join(out, 'report.txt'), 'utf8')]);
  expect(readdirSync(out).sort()).toEqual(['junit.xml', 'report.html', 'report.txt', 'results.json']);
  expect(readFileSync(join(out, 'report.txt'), 'utf8')).toContain(`Evidence   ${join(out, 'report.html')}#${unknownCode}`);
  expect(err).toContain('1 fail (1 of 1 clause)');
});

test('--quiet tells nothing on the way', async () => {
  const { url } = await serve(fewCards(404));
  expect((await command(['run', '--target', url, '--quiet', unknownCode])).err).toBe('');
});

test('a failure is found again with the same flags, whatever stands in them', async () => {
  const { url } = await serve(fewCards(200));
  const profile = join(folder(), "a team's profile.json");
  writeFileSync(profile, '{"noRateLimit": true}');
  const flags = ['--target', url, '--key-env', 'OTHER_KEY', '--profile', profile, '--rate', '600/m'];
  const { out } = await command(['run', ...flags, '--level', 'stated', '--quiet', unknownCode]);
  const again = /Again +npx giftcard-sandbox conformance (.*)/.exec(out)?.[1] ?? '';
  const words = execFileSync('sh', ['-c', `printf '%s\\n' ${again}`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');
  expect(words).toEqual(['replay', ...flags, unknownCode]);
  expect((await command(words)).code).toBe(1);
});

test('a baseline is written, excuses what it names, and is stale when that holds', async () => {
  const [{ url }, { url: mended }] = [await serve(fewCards(200)), await serve(fewCards(404))];
  const baseline = join(folder(), 'baseline.json');
  expect((await command(['run', '--target', url, '--write-baseline', baseline, unknownCode])).code).toBe(0);
  expect(JSON.parse(readFileSync(baseline, 'utf8'))).toEqual({
    [unknownCode]: expect.stringMatching(
      /^REASON WANTED: why may this stay for now\? Seen \d{4}-\d\d-\d\d: expected .*; got 200/,
    ),
  });
  writeFileSync(baseline, JSON.stringify({ [unknownCode]: 'ticket 12' }));
  const known = await command(['run', '--target', url, '--baseline', baseline, unknownCode]);
  expect([known.code, known.out]).toEqual([0, expect.stringMatching(/KNOWN-FAIL.*\n {2}ticket 12\n/)]);
  expect(known.err).toContain(': 1 known-fail (1 of 1 clause)');
  const stale = await command(['run', '--target', mended, '--baseline', baseline, unknownCode]);
  expect([stale.code, stale.out]).toEqual([1, expect.stringContaining(`STALE`)]);
});

test('report makes any report of result files, and diff tells them apart', async () => {
  const [{ url }, { url: mended }] = [await serve(fewCards(200)), await serve(fewCards(404))];
  const [bad, good] = [folder(), folder()];
  await command(['run', '--target', url, '--out', bad, unknownCode]);
  await command(['run', '--target', mended, '--out', good, unknownCode]);
  const [a, b] = [join(good, 'results.json'), join(bad, 'results.json')];
  expect((await command(['report', b])).out).toContain(`FAIL  ${unknownCode}`);
  expect((await command(['report', b, '--reporter', 'junit'])).out).toContain('<failure');
  const out = folder();
  const made = await command(['report', a, b, '--out', out]);
  const files = ['results.json', 'report.txt', 'report.html'].map((file) => join(out, file));
  expect(made).toMatchObject({ code: 0, out: `${files.join('\n')}\n` });
  expect(readdirSync(out).length).toBe(3);
  expect((await command(['report', b, '--out', out, '--reporter', 'junit'])).out).toBe(
    `${[...files, join(out, 'junit.xml')].join('\n')}\n`,
  );
  expect(readFileSync(files[0] ?? '', 'utf8')).toBe(readFileSync(b, 'utf8'));
  expect(await command(['report', a, b, '--out', bad])).toMatchObject({
    code: 2,
    err: `What is written to ${bad} would take the place of ${b}. Name another folder with --out.\n`,
  });
  expect((await command(['report', a, b, '--out', out])).code).toBe(0);
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('2 runs');
  expect(await command(['diff', a, b])).toMatchObject({ code: 1, out: expect.stringContaining(`worse    ${unknownCode}`) });
  expect(await command(['diff', b, a])).toMatchObject({ code: 0, out: expect.stringContaining('better') });
  const day = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;
  expect(await command(['diff', a, a])).toMatchObject({ code: 0, out: expect.stringMatching(/\n\nNo difference\.\n$/) });
  const told = (await command(['diff', a, b])).out.replaceAll(day, 'then');
  expect(told).toContain(`before  ${mended}, then (${a})\nafter   ${url}, then (${b})\n\nworse`);
  const beside = (await command(['report', a, b])).out;
  expect(beside).toMatch(
    new RegExp(`^A  ${mended}\\n.*\\nB  ${url}\\n.*\\n\\n1 of 1 clause differs, and only what differs is shown`),
  );
  expect(beside).toMatch(/ A +B\n {2}gift-card\.get-by-code\.unknown-is-404 +pass +fail\n/);
});

test('list, globs, --level and --skip', async () => {
  const all = await command(['list']);
  const lists = await command(['run', '--list', 'list.*', '--skip', 'list.since*', '--level', 'stated']);
  expect(all.out.split('\n').length).toBeGreaterThan(100);
  expect(lists.out).toContain('list.last-updated-first');
  expect(lists.out).not.toContain('since');
  expect(lists.out).not.toContain('gift-card.');
});

test.each([
  ['nothing', [], ['--help']],
  ['flags alone', ['--quiet'], ['--help']],
  ['facts alone', ['facts'], ['facts', '--help']],
])('%s is wrong use, and shows the help', async (_, argv, help) => {
  const { out } = await command(help);
  expect(await command(argv)).toEqual({ code: 2, out: '', err: `${out}\nNo command is given.\n` });
});

test('giftcard-sandbox with nothing behind it is wrong use, too', () => {
  const cli = resolve(import.meta.dirname, '../../cli.ts');
  const shown = (...argv: string[]) => spawnSync(process.execPath, ['--import', 'tsx', cli, ...argv], { encoding: 'utf8' });
  const [bare, help] = [shown(), shown('--help')];
  expect([bare.status, bare.stdout, bare.stderr]).toEqual([2, '', `${help.stdout}\nNo command is given.\n`]);
  expect(help.status).toBe(0);
});

test('--help and --version', async () => {
  expect((await command(['--help'])).out).toContain('--key-env');
  expect((await command(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});
