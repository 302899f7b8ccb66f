import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { Learning, TARGET } from '../../scripts/learning/learning.ts';
import { readFacts } from './file.ts';

const here = new Learning();
afterAll(() => here.end());

const read = (name: string) => readFileSync(here.at(name), 'utf8');

function begun(name: string, text: string): string {
  writeFileSync(here.at(name), text);
  return here.at(name);
}

async function ran(...argv: string[]) {
  const mock = await here.mock();
  const told = await here.run(mock, argv);
  await mock.close();
  return told;
}

async function learned(name: string, ...more: string[]) {
  const mock = await here.mock();
  const told = await here.learn(mock, name, more);
  await mock.close();
  return told;
}

const byHand = `# yaml-language-server: $schema=./node_modules/giftcard-sandbox/dist/facts.schema.json
# ours, not theirs

# what we were told
facts:
  # by Ana
  adjustment.by-id.overdraw-status: 409 # in May
  # by Bo
  http.head: method-not-allowed

  # nobody knows
  gift-card.void.body: empty
# what it calls things
wire:
  # the old name
  - { rename: Adjustment.type, to: art } # still
  - { rename: Adjustment.notes, to: words }
# the end
`;

test('what is pinned in a file written by hand leaves every comment and every other line as it is', async () => {
  const file = begun('hand.yaml', byHand);
  const { code, err } = await ran('facts', 'pin', file, 'http.head=like-get');
  expect([code, err]).toEqual([0, '']);
  const lines = read('hand.yaml').split('\n');
  const added = ['pinned:', expect.stringMatching(/^ {2}http\.head: 20/)];
  const expected = byHand.replace('http.head: method-not-allowed', 'http.head: like-get').split('\n');
  // The last comment is the file's.
  expect(lines).toEqual([...expected.slice(0, -2), ...added, '', ...expected.slice(-2)]);
  expect(await ran('facts', 'unpin', file, 'http.head')).toMatchObject({
    code: 0,
    out: `${file} pins it no more.\nhttp.head  not known any more: nobody saw it\n`,
  });
  const gone = /^#|# (by|in|nobody|the old|still)/;
  expect(
    read('hand.yaml')
      .split('\n')
      .filter((line) => gone.test(line.trim())),
  ).toEqual(byHand.split('\n').filter((line) => gone.test(line.trim())));
});

test('what was not seen is not shown as seen', async () => {
  const { out } = await ran('facts', 'show', begun('unseen.yaml', byHand));
  expect(out).not.toMatch(/What was seen|seen 20/);
  expect(out).toContain('{ rename: Adjustment.type, to: art }  (written by hand)\n');
});

test('what was seen again is what holds when its pin is taken out, and is told', async () => {
  await learned('seen.yaml', 'http.head');
  await ran('facts', 'pin', here.at('seen.yaml'), 'http.head=method-not-allowed');
  const { out } = await ran('facts', 'unpin', here.at('seen.yaml'), 'http.head');
  expect(out).toBe(`${here.at('seen.yaml')} pins it no more.\nhttp.head  like-get, as it was seen\n`);
});

test.each(['__proto__', 'constructor', 'http.options'])('2: %s, which is not pinned, cannot be unpinned', async (name) => {
  const file = begun('pinned.yaml', "facts: { http.head: like-get }\npinned: { http.head: '2026-01-31T12:00:00Z' }\n");
  const { code, err } = await ran('facts', 'unpin', file, name);
  expect([code, err]).toEqual([2, `${file} does not pin "${name}"; facts show says what it pins.\n`]);
});

test('what was chosen by hand does not give way to what is seen without a word', async () => {
  const file = begun('chosen.yaml', byHand);
  const { code, err } = await learned('chosen.yaml', 'http.head');
  expect([code, read('chosen.yaml')]).toEqual([2, byHand]);
  expect(err).toContain(
    `${file} does not say of which deployment it is: what it says of adjustment.by-id.overdraw-status and 2 more`,
  );
  const pin = /Keep it with giftcard-sandbox conformance (facts pin .*)\. Name another/.exec(err)?.[1] ?? '';
  expect(err).toMatch(/or say --force to let it give way; .* Nothing was sent\.\n$/);
  expect((await ran(...pin.split(' '))).code).toBe(0);
  expect((await learned('chosen.yaml', 'http.head')).out).toContain('like-get  (pinned to method-not-allowed, seen otherwise)');
  const known = await readFacts(file);
  expect(known.facts).toEqual({
    'adjustment.by-id.overdraw-status': '409',
    'http.head': 'method-not-allowed',
    'gift-card.void.body': 'empty',
  });
  expect(known.about?.target).toBe(TARGET);
  expect(read('chosen.yaml')).not.toContain('What was seen of one deployment');
});

test('with --force it gives way where something is seen, and nothing else of the file is lost', async () => {
  const file = begun('forced.yaml', byHand);
  const { code, out } = await learned('forced.yaml', 'http.head', '--force');
  expect(code).toBe(0);
  expect(out).toContain('http.head  like-get  (changed, was method-not-allowed)');
  const text = read('forced.yaml');
  for (const line of byHand.split('\n').filter((each) => !each.includes('method-not-allowed'))) expect(text).toContain(line);
  expect(Object.keys((await readFacts(file)).seen ?? {})).toEqual(['http.head']);
  const shown = await ran('facts', 'show', file);
  expect(shown.out).toMatch(/gift-card\.void\.body +empty {2}\(not known when seen\)/);
});

test('of what was learned, comments that somebody wrote into it stay, too, and rows that are seen no more go', async () => {
  const wire = [
    { rename: 'CompanyProfile.email', to: 'postfach' },
    { rename: 'CompanyProfile.website', to: 'seite' },
  ];
  const first = await here.mock({ facts: { wire } });
  await here.learn(first, 'more.yaml', ['company.*-name', 'http.head']);
  await first.close();
  const text = read('more.yaml')
    .replace('  http.head:', '  # ask Ana\n  http.head:')
    .replace('  - { rename: CompanyProfile.email', '  # odd\n  - { rename: CompanyProfile.email');
  begun('more.yaml', text);
  const second = await here.mock({ facts: { wire: wire.slice(0, 1) } });
  await here.learn(second, 'more.yaml', ['company.*-name', 'http.head']);
  await second.close();
  const after = read('more.yaml');
  expect(after).toMatch(/^# What was seen of one deployment/);
  expect(after).toContain('  # ask Ana\n  http.head: like-get\n');
  expect(after).toContain('  # odd\n  - { rename: CompanyProfile.email, to: postfach }\n');
  expect(after).not.toContain('seite');
});

test('a file of JSON stays one, with its schema', async () => {
  begun('hand.json', '{ "$schema": "./facts.schema.json", "facts": { "http.head": "like-get" } }');
  await ran('facts', 'pin', here.at('hand.json'), 'http.head=like-get');
  expect(JSON.parse(read('hand.json'))).toEqual({
    $schema: './facts.schema.json',
    facts: { 'http.head': 'like-get' },
    pinned: { 'http.head': expect.stringMatching(/^20/) },
  });
});

test('what YAML has besides does not keep it from being written', async () => {
  begun(
    'odd.yaml',
    'facts: &known\n  http.head: like-get\npinned: &when { http.head: 2026-01-31T12:00:00Z }\nunforeseen: {}\nseen: { http.head: { <<: { at: 2026-01-31T12:00:00Z } } }\n',
  );
  expect((await ran('facts', 'unpin', here.at('odd.yaml'), 'http.head')).code).toBe(0);
  expect((await ran('facts', 'pin', here.at('odd.yaml'), 'http.head=like-get', 'company.name-name=name')).code).toBe(0);
  expect((await readFacts(here.at('odd.yaml'))).facts).toEqual({ 'http.head': 'like-get', 'company.name-name': 'name' });
});

test.each([
  ['facts pin', (file: string) => ran('facts', 'pin', file, 'http.head=like-get')],
  ['facts learn', (file: string) => learned(file.slice(here.at('').length), 'http.head')],
])('%s leaves a link one, and what is for its owner only so', async (command, change) => {
  const file = here.at(`linked-${command.slice(-3)}.yaml`);
  mkdirSync(`${file}.folder`);
  const place = `${file}.folder/facts.yaml`;
  writeFileSync(place, 'facts: {}\n');
  chmodSync(place, 0o600);
  symlinkSync(place, file);
  expect((await change(file)).code).toBe(0);
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(place, 'utf8')).toContain('http.head');
  expect((statSync(place).mode & 0o777).toString(8)).toBe('600');
});

test('what others may write stays so', async () => {
  const file = begun('shared.yaml', 'facts: {}\n');
  chmodSync(file, 0o666);
  await ran('facts', 'pin', file, 'http.head=like-get');
  expect((statSync(file).mode & 0o777).toString(8)).toBe('666');
});
