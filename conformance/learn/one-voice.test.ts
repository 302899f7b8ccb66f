import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommand } from '../../command-line/run-command.ts';
import { contractCommand } from '../../mock/cli/contract.ts';
import { startMock } from '../../mock/index.ts';
import { main } from '../cli/main.ts';
import { main as proxy } from '../proxy/main.ts';

const folder = mkdtempSync(join(tmpdir(), 'facts-voice-'));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { GIFTCARD_API_KEY: 'a-key' };

type Run = (io: { stdout: { write(text: string): void }; stderr: { write(text: string): void } }) => Promise<number>;

async function told(run: Run): Promise<string> {
  const err: string[] = [];
  const code = await run({ stdout: { write: () => {} }, stderr: { write: (text) => err.push(text) } });
  expect(code).toBe(2);
  return err.join('');
}

/** What everybody who takes the file says of it. */
async function voices(file: string): Promise<Record<string, string>> {
  const flags = ['--target', 'http://127.0.0.1:1', '--ledger', join(folder, 'ledger')];
  const suite = (...argv: string[]) => told((io) => main(argv, env, io));
  return {
    mock: await startMock({ listen: false, facts: file }).then(
      () => 'nothing',
      ({ problems }: { problems: string[] }) => `${problems.join('\n')}\n`,
    ),
    contract: await told((io) => runCommand(contractCommand(io), ['export', '--variant', file], io, '')),
    proxy: await told((io) => proxy(['--target', 'http://127.0.0.1:1', '--facts', file], env, io)),
    show: await suite('facts', 'show', file),
    pin: await suite('facts', 'pin', file, 'http.head=like-get'),
    run: await suite('run', ...flags, '--facts', file),
    learn: await suite('facts', 'learn', ...flags, '--out', file),
  };
}

async function saidOf(text: string, name = 'bad.yaml'): Promise<string> {
  const file = join(folder, name);
  writeFileSync(file, text);
  const all = await voices(file);
  expect(all).toEqual(Object.fromEntries(Object.keys(all).map((who) => [who, all.mock])));
  expect(readFileSync(file, 'utf8')).toBe(text);
  return (all.mock ?? '').replaceAll(file, name);
}

test.each([
  ['[]', 'bad.yaml: it must be an object of facts and wire.'],
  [' \n', 'bad.yaml: it is empty; write facts or wire into it, or leave the facts file out.'],
  ['facts: [1]', 'bad.yaml, line 1: facts must name clauses with their behaviors, not be [1].'],
  [
    'abuot: {}',
    'bad.yaml, line 1: "abuot" is no part of it; it takes facts, wire, pinned, unforeseen, seen and about. Did you mean "about"?',
  ],
  [
    'facts: { adjustment.zero-amount: maybe }',
    'bad.yaml, line 1: adjustment.zero-amount has no reading "maybe"; it has refused, accepted.',
  ],
  [
    'facts: { adjustment.is-relative: yes }',
    'bad.yaml, line 1: adjustment.is-relative is stated by the specification and has no other reading.',
  ],
  [
    'unforeseen: { adjustment.zero-amount: 3 }',
    'bad.yaml, line 1: unforeseen must say in words what adjustment.zero-amount was seen as, not 3.',
  ],
  ['unforeseen: []', 'bad.yaml, line 1: unforeseen must name clauses with what was seen of them, not be [].'],
  [
    'pinned: { http.head: yesterday }',
    'bad.yaml, line 1: pinned must say when http.head was chosen, as a time such as 2026-01-31T12:00:00Z.\nbad.yaml, line 1: http.head is pinned, and facts has no reading of it.',
  ],
  [
    'wire: [{ rename: GiftCard.colour, to: color }]',
    'bad.yaml, line 1: row 1 of wire: the schema GiftCard has no property colour.',
  ],
  [
    'wire:\n  - { rename: GiftCard.notes, to: code }',
    'bad.yaml: GiftCard already has a property code; choose another place for notes.',
  ],
  ['facts:\n  http.head: "like\n', 'bad.yaml, line 3: a closing " is missing.'],
  ["facts:\n  http.head: 'like\n", "bad.yaml, line 3: a closing ' is missing."],
  ['facts:\n  http.head: like-get\n  http.head: like-get\n', 'bad.yaml, line 3: a name stands here that stands there before'],
])('a file that cannot be used is told of in the same words by all who take it: %j', async (text, sentence) => {
  expect(await saidOf(text)).toContain(sentence);
});

const manyMistakes = {
  about: { target: 'https://example.com', form: 'x', at: 'once' },
  facts: { 'http.head': 'like-gte', 'company.nme': 'x' },
  seen: {
    'http.head': {
      at: '2026-01-31T12:00:00Z',
      evidenc: [],
      evidence: [{ method: 'GET', path: '/', status: '200', body: 'empty' }],
    },
    'company.name-name': { when: '2026-01-31T12:00:00Z' },
  },
};

const says = (line: (number: number) => string) => [
  `${line(3)}"form" is no part of about; it takes target, at, by.`,
  `${line(4)}at of about must be a time such as 2026-01-31T12:00:00Z.`,
  `${line(6)}http.head has no reading "like-gte"; it has like-get, method-not-allowed. Did you mean "like-get"?`,
  `${line(7)}there is no clause company.nme. GET`,
  `${line(10)}"evidenc" is no part of what was seen of http.head; it takes at, as, wire, evidence. Did you mean "evidence"?`,
  `${line(11)}exchange 1 of http.head must have a method, a path, a status and a body.`,
  `${line(13)}"when" is no part of what was seen of company.name-name; it takes at, as, wire, evidence.`,
  `${line(13)}at of company.name-name must be a time such as 2026-01-31T12:00:00Z.`,
];

test('every mistake is told with its line, one within what was seen too', async () => {
  const text = `about:
  target: https://example.com
  form: x
  at: once
facts:
  http.head: like-gte
  company.nme: x
seen:
  http.head: { at: 2026-01-31T12:00:00Z,
    evidenc: [],
    evidence: [{ method: GET, path: /, status: "200", body: empty }] }
  company.name-name:
    when: 2026-01-31T12:00:00Z
`;
  const said = (await saidOf(text)).trimEnd().split('\n');
  for (const [index, sentence] of says((number) => `bad.yaml, line ${number}: `).entries())
    expect(said[index]).toContain(sentence);
  expect(said).toHaveLength(8);
});

test('so it is of JSON', async () => {
  const said = await saidOf(JSON.stringify(manyMistakes, null, 2), 'bad.json');
  expect(said.trimEnd().split('\n')).toHaveLength(8);
  expect(said).toMatch(/^bad\.json, line 4: "form" .*\n(.*\n)*bad\.json, line 14: "evidenc" /);
});
