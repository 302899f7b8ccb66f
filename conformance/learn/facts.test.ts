import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';
import { clauseTexts } from '../core/contract.ts';
import { resultJson } from '../report/result-file.ts';
import { clauseResult, runResult } from '../testing/result-fixture.ts';
import { readFacts } from './file.ts';
import { factsDifferences, withFacts } from './known.ts';
import { learned } from './learned.ts';
import { writeFacts } from './written.ts';

const folder = mkdtempSync(join(tmpdir(), 'facts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const seen = (name: Parameters<typeof clauseResult>[0], reading: string | null, told = reading ?? '') =>
  clauseResult(name, { level: 'open', verdict: 'observed', observation: { option: reading, text: told } });
const run = runResult([
  seen('adjustment.by-id.overdraw-status', '409'),
  seen('adjustment.zero-amount', 'refused'),
  seen('adjustment.by-id.field', null, 'takes "karte"'),
  seen('coupon.delete-body', 'true'),
]);

const names: string[] = [...clauseTexts.keys()];
const factsIn = (result: typeof run) => learned(result).file;

const key = { GIFTCARD_API_KEY: 'sandbox-key-main-not-a-real-key' };

async function ran(...argv: string[]) {
  const told = { out: '', err: '' };
  const io = {
    stdout: { write: (text: string) => (told.out += text) },
    stderr: { write: (text: string) => (told.err += text) },
  };
  return { code: await main(argv, key, io), ...told };
}

test.each(['facts.yaml', 'facts.json'])('what a run saw is read again as it was written: %s', async (name) => {
  await writeFacts(at(name), factsIn(run));
  const { seen, ...others } = await readFacts(at(name));
  expect(Object.entries(seen ?? {}).map(([clause, sighting]) => [clause, sighting.at])).toEqual(
    ['adjustment.by-id.overdraw-status', 'adjustment.by-id.field', 'adjustment.zero-amount', 'coupon.delete-body']
      .toSorted((a, b) => names.indexOf(a) - names.indexOf(b))
      .map((clause) => [clause, run.startedAt]),
  );
  expect(others).toEqual({
    about: { target: run.target, at: run.startedAt, by: run.suite },
    facts: { 'adjustment.by-id.overdraw-status': '409', 'adjustment.zero-amount': 'refused', 'coupon.delete-body': 'true' },
    unforeseen: { 'adjustment.by-id.field': 'takes "karte"' },
  });
});

test('a observation is new, the same, or changed beside what was known, and what has changed is told first', () => {
  const known = {
    facts: { 'adjustment.zero-amount': 'refused', 'adjustment.by-id.overdraw-status': '400' },
    unforeseen: { 'adjustment.by-id.field': 'takes "carta"' },
  } as const;
  const result = withFacts(run, known);
  expect(result.clauses.map(({ observation }) => [observation?.since, observation?.was])).toEqual([
    ['changed', '400'],
    ['same', undefined],
    ['changed', 'takes "carta"'],
    ['new', undefined],
  ]);
});

test('two files differ in what one of them knows otherwise, or not at all', () => {
  const other = { facts: { 'adjustment.by-id.overdraw-status': '422', 'coupon.delete-body': 'true' } } as const;
  expect(factsDifferences(factsIn(run), other)).toEqual([
    { name: 'adjustment.by-id.overdraw-status', before: '409', after: '422' },
    { name: 'adjustment.zero-amount', before: 'refused', after: undefined },
    { name: 'adjustment.by-id.field', before: 'takes "karte"', after: undefined },
  ]);
});

test('a name that no contract can have is left out, and the file can be read', async () => {
  const observation = {
    option: null,
    text: 'under opening value',
    overrides: [{ rename: 'GiftCard.initialValue', to: 'opening value' }],
  };
  const odd = clauseResult('gift-card.response.initial-value-name', { level: 'open', verdict: 'observed', observation });
  const { file, leftOut } = learned(runResult([odd]));
  expect(leftOut).toEqual([expect.stringContaining('not "opening value"')]);
  await writeFacts(at('odd.yaml'), file);
  expect(await readFacts(at('odd.yaml'))).toMatchObject({ unforeseen: { [odd.name]: 'under opening value' } });
  await expect(startMock({ listen: false, facts: at('odd.yaml') }).then((mock) => mock.close())).resolves.toBeUndefined();
});

test('a run is written as facts, shown and compared by the command', async () => {
  writeFileSync(at('results.json'), resultJson([run]));
  const written = await ran('facts', 'write', at('results.json'), at('a.yaml'));
  expect(written).toMatchObject({ code: 0, err: '', out: expect.stringContaining('has 3 readings of http://') });
  expect(readFileSync(at('a.yaml'), 'utf8')).toContain('adjustment.by-id.overdraw-status: "409"');
  expect(await ran('facts', 'write', at('results.json'), at('a.yaml'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('is there already'),
  });
  expect(await ran('facts', 'write', at('results.json'), at('a.yaml'), '--force')).toMatchObject({ code: 0, err: '' });
  expect((await ran('facts', 'diff', at('a.yaml'), at('a.yaml'), '--force')).err).toContain('facts diff has no flag --force');
  const shown = await ran('facts', 'show', at('a.yaml'));
  expect(shown.out).toMatch(
    /^Seen of http:.*\nWhat was seen .*\n(.*\n)*adjustment\.by-id\.field +takes "karte" {2}\(no reading of ours; seen 20\d\d-.* ago.*\)\n(.*\n)*4 known\n$/,
  );
  writeFileSync(at('b.yaml'), 'facts:\n  adjustment.by-id.overdraw-status: 422\n');
  expect(await ran('facts', 'diff', at('a.yaml'), at('a.yaml'))).toMatchObject({ code: 0, out: 'No difference.\n' });
  const differ = await ran('facts', 'diff', at('a.yaml'), at('b.yaml'));
  expect(differ.code).toBe(1);
  expect(differ.out).toMatch(/^adjustment\.by-id\.overdraw-status +409 → 422\n/);
});

test('rows that one of two files has alone are told as they stand there, with what they come of', async () => {
  writeFileSync(
    at('before.yaml'),
    'facts: { http.head: like-get }\nwire: [{ rename: GiftCard.notes, to: words }, { wrap: listWebhooks, in: a.b }]\n',
  );
  writeFileSync(
    at('after.yaml'),
    'facts: { http.head: like-get }\nunforeseen: { company.email-name: under post }\nwire: [{ wrap: listWebhooks, in: a.b }, { rename: CompanyProfile.email, to: post }]\nseen: { company.email-name: { at: 2026-01-02T03:04:05Z, wire: [{ rename: CompanyProfile.email, to: post }] } }\n',
  );
  const { code, out } = await ran('facts', 'diff', at('before.yaml'), at('after.yaml'));
  expect([code, out]).toEqual([
    1,
    [
      'company.email-name  not known → under post',
      'Rows of wire',
      `      only in ${at('before.yaml')}: { rename: GiftCard.notes, to: words }  (written by hand)`,
      `      only in ${at('after.yaml')}: { rename: CompanyProfile.email, to: post }  (seen of company.email-name)`,
      '',
    ].join('\n'),
  ]);
  const shown = await ran('facts', 'show', at('after.yaml'));
  expect(shown.out).toMatch(/under post {2}\(no reading of ours; 1 row of wire; seen/);
});

test.each([
  [['facts'], /facts unpin FILE[\s\S]*No command is given\.\n$/],
  [['facts', ''], /takes learn, write, show, diff, pin or unpin/],
  [['facts', 'lern'], /not "lern"\. Did you mean "learn"\?/],
  [['facts', 'show', '--target', 'x', 'a'], /facts show has no flag --target/],
  [['facts', 'write', 'results.json'], /takes a result file and the facts file/],
  [['facts', 'show'], /takes one facts file/],
  [['facts', 'diff', 'a'], /takes two facts files/],
  [['facts', 'show', '/nowhere/facts.yaml'], /cannot be read: there is no such file/],
])('%j is refused in a sentence', async (argv, sentence) => {
  const { code, err } = await ran(...argv);
  expect(code).toBe(2);
  expect(err).toMatch(sentence);
});

test('a mock with the facts of another answers what was seen there the same', async () => {
  const overdraw = { 'adjustment.by-id.overdraw-status': '422' };
  const clauses = ['adjustment.by-id.*', 'gift-card.response.*', 'errors.*'];
  const results = async (given: object, ...more: string[]) => {
    const mock = await startMock({ listen: false, rateLimit: 'off', ...given });
    let troubles = '';
    const io = {
      stdout: { write: () => true },
      stderr: { write: (text: string) => (troubles += text) },
      fetch: (request: Request) => mock.fetch(request),
    };
    const flags = ['--target', 'http://127.0.0.1:1', '--quiet', '--ledger', at('ledger'), '--out', at('out'), ...more];
    const code = await main(['run', ...flags, ...clauses], key, io);
    expect([code, troubles]).toEqual([0, '']);
    await mock.close();
    return JSON.parse(readFileSync(at('out/results.json'), 'utf8')) as typeof run;
  };
  await writeFacts(at('seen.yaml'), factsIn(await results({ facts: { facts: overdraw } })));
  const { about, facts: behaviors } = await readFacts(at('seen.yaml'));
  const again = await results({ facts: { about, facts: behaviors } }, '--facts', at('seen.yaml'));
  const compared = again.clauses.flatMap(({ observation }) => (observation ? [observation.since] : []));
  expect(compared.length).toBeGreaterThan(10);
  expect(new Set(compared)).toEqual(new Set(['same']));
  const otherwise = await results({}, '--facts', at('seen.yaml'));
  expect(
    otherwise.clauses
      .filter(({ observation }) => observation?.since === 'changed')
      .map(({ name, observation }) => [name, observation?.was]),
  ).toEqual([['adjustment.by-id.overdraw-status', '422']]);
});
