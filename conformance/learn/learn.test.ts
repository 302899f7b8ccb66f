import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { factsOf } from '../../mock/variant/facts.ts';
import { Learning, TARGET } from '../../scripts/learning/learning.ts';
import { main } from '../cli/main.ts';
import { readFacts } from './file.ts';
import { writeFacts } from './written.ts';

const here = new Learning();
afterAll(() => here.end());

const names = ['company.*-name', 'http.head', 'errors.body-of-401', 'errors.body-of-404', 'webhook.list.shape'];

async function learnedOf(facts: object, file: string, more: readonly string[] = names) {
  const mock = await here.mock({ facts });
  const told = await here.learn(mock, file, more);
  await mock.close();
  return told;
}

test('what nobody listed is learned as rows, with when and by which exchanges, and no value of them', async () => {
  const wire = [
    { rename: 'CompanyProfile.email', to: 'postfach' },
    { move: 'CompanyProfile.timeZone', to: 'ort.zone' },
    { body: 'gift-card.not-found', to: { fehler: [{ text: '{message}', nummer: '{status}' }] } },
    { wrap: 'listWebhooks', in: 'seite.inhalt' },
  ] as const;
  const { code, err, out } = await learnedOf({ wire }, 'rows.yaml');
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/company\.email-name +under postfach {2}\(no reading of ours; 1 row of wire; new\)/);
  expect(out).toMatch(
    /\n10 clauses learned \(10 new, 0 changed, 0 same\), 0 not · 0 cards created, 0 voided, 0 left · \d+ requests/,
  );
  const known = await readFacts(here.at('rows.yaml'));
  expect(known.wire).toEqual(expect.arrayContaining([...wire]));
  expect(known.facts).toMatchObject({ 'company.name-name': 'name', 'http.head': 'like-get' });
  expect(known.unforeseen).toMatchObject({ 'company.email-name': 'under postfach' });
  const { at, evidence } = known.seen?.['company.email-name'] ?? {};
  expect(Date.parse(at ?? '')).toBeGreaterThan(0);
  expect(evidence).toEqual([
    {
      method: 'GET',
      path: '/api/Company/Profile',
      status: 200,
      body: expect.stringMatching(
        /^\{name: string, currency: string, ort: \{zone: string\}, country: string, postfach: string, website: string\}$/,
      ),
    },
  ]);
  const text = readFileSync(here.at('rows.yaml'), 'utf8');
  expect(text).toMatch(/^# What was seen .*\n# its plan, and no rule of the service/);
  expect(text).not.toContain('sandbox-key');
  expect(factsOf(known).wire).toHaveLength(known.wire?.length ?? 0);
});

test('evidence has what shows the fact, and not what was done after it for other questions', async () => {
  await learnedOf({}, 'evidence.yaml', ['gift-card.void.*']);
  const { seen } = await readFacts(here.at('evidence.yaml'));
  const shown = seen?.['gift-card.void.body']?.evidence?.map(({ method, path, status }) => `${method} ${path} ${status}`);
  expect(shown).toEqual(['DELETE /api/GiftCard/VoidByCode/{code} 200', 'DELETE /api/GiftCard/VoidById/{id} 200']);
});

test('reads come first, and a read-only run learns what they can tell and sends nothing else', async () => {
  const mock = await here.mock();
  const methods: string[] = [];
  const profile = here.at('reads.json');
  writeFileSync(profile, JSON.stringify({ noRateLimit: true }));
  const flags = ['--target', TARGET, '--profile', profile, '--ledger', here.at('reads.ledger')];
  const asked = ['company.*-name', 'coupon.list-shape', 'adjustment.zero-amount', 'http.trailing-slash'];
  const fetch = (request: Request) => {
    methods.push(request.method);
    return mock.fetch(request);
  };
  const only = await here.run(
    mock,
    ['facts', 'learn', ...flags, '--mode', 'read-only', '--out', here.at('reads.yaml'), ...asked],
    fetch,
  );
  expect([only.code, new Set(methods)]).toEqual([0, new Set(['GET'])]);
  expect(only.out).toMatch(/mode: a read-only run changes nothing.*\n +adjustment\.zero-amount\n/);
  expect(Object.keys((await readFacts(here.at('reads.yaml'))).facts ?? {})).toHaveLength(8);
  methods.length = 0;
  const all = await here.run(mock, ['facts', 'learn', ...flags, '--out', here.at('reads.yaml'), ...asked], fetch);
  expect(all.out).toMatch(/9 clauses learned \(1 new, 0 changed, 8 same\)/);
  expect(methods.slice(0, methods.indexOf('POST')).length).toBeGreaterThan(4);
  await mock.close();
});

test('the budget is kept, and what it leaves out is told', async () => {
  const { code, out } = await learnedOf({}, 'budget.yaml', [
    '--max-creates',
    '1',
    'adjustment.*',
    'gift-card.void.*',
    'http.head',
  ]);
  expect(code).toBe(0);
  expect(out).toMatch(/budget: it does not fit into the budget of this run/);
  expect(out).toMatch(/· 1 card created, 1 voided, 0 left ·/);
});

test('what was not seen again stays with its date, what is seen otherwise changes, and what is pinned stays as it is', async () => {
  const earlier = '2026-01-02T03:04:05.000Z';
  await writeFacts(here.at('merge.yaml'), {
    about: { target: TARGET, at: earlier, by: 'somebody' },
    facts: {
      'company.name-name': 'companyName',
      'http.head': 'method-not-allowed',
      'adjustment.zero-amount': 'refused',
      'coupon.unknown': '404',
    },
    wire: [{ rename: 'Adjustment.type', to: 'art' }],
  });
  const pinned = await here.run(await here.mock(), ['facts', 'pin', here.at('merge.yaml'), 'http.head=method-not-allowed']);
  expect(pinned).toMatchObject({ code: 0, err: '' });
  const { out } = await learnedOf({}, 'merge.yaml', [...names, '--old-after', '0']);
  expect(out).toMatch(/company\.name-name +name {2}\(changed, was companyName\)/);
  expect(out).toMatch(/http\.head +like-get {2}\(pinned to method-not-allowed, seen otherwise\)/);
  expect(out).toMatch(
    /STALE\n +adjustment\.zero-amount {2}was refused on 2026-01-02, and was not asked since\n +coupon\.unknown/,
  );
  const known = await readFacts(here.at('merge.yaml'));
  expect(known.facts).toMatchObject({
    'company.name-name': 'name',
    'http.head': 'method-not-allowed',
    'adjustment.zero-amount': 'refused',
  });
  expect(known.seen?.['adjustment.zero-amount']).toEqual({ at: earlier });
  expect(known.seen?.['http.head']).toMatchObject({ as: 'like-get' });
  expect(known.wire).toEqual([{ rename: 'Adjustment.type', to: 'art' }]);
  const shown = await here.run(await here.mock(), ['facts', 'show', here.at('merge.yaml')]);
  expect(shown.out).toMatch(/http\.head +method-not-allowed {2}\(pinned 20.*, seen as like-get; seen 20.*\)/);
  expect(shown.out).toMatch(/adjustment\.zero-amount +refused {2}\(seen 2026-01-02, \d+ days ago; stale\)/);
  await here.run(await here.mock(), ['facts', 'unpin', here.at('merge.yaml'), 'http.head']);
  const { pinned: none, facts } = await readFacts(here.at('merge.yaml'));
  expect([none, facts?.['http.head']]).toEqual([undefined, 'like-get']);
});

test('a file of another target is left alone, unless somebody says so', async () => {
  await writeFacts(here.at('other.yaml'), { about: { target: 'https://example.com' }, facts: { 'http.head': 'like-get' } });
  const before = readFileSync(here.at('other.yaml'), 'utf8');
  const refused = await learnedOf({}, 'other.yaml');
  expect(refused.code).toBe(2);
  expect(refused.err).toMatch(
    /is of https:\/\/example\.com, and not of http:\/\/127\.0\.0\.1:1\. Name another with --out, or say --force/,
  );
  expect(readFileSync(here.at('other.yaml'), 'utf8')).toBe(before);
  expect((await learnedOf({}, 'other.yaml', [...names, '--force'])).code).toBe(0);
  expect((await readFacts(here.at('other.yaml'))).about?.target).toBe(TARGET);
});

test('rows that contradict what is pinned are left out with a sentence', async () => {
  await writeFacts(here.at('clash.yaml'), {
    facts: { 'company.email-name': 'emailAddress' },
    pinned: { 'company.email-name': '2026-01-02T03:04:05.000Z' },
  });
  const { out } = await learnedOf(
    {
      wire: [
        { rename: 'CompanyProfile.website', to: 'emailAddress' },
        { rename: 'CompanyProfile.email', to: 'x' },
      ],
    },
    'clash.yaml',
    ['company.*-name'],
  );
  expect(out).toMatch(/LEFT OUT of what the mock takes\n +CompanyProfile would have .* at one place, emailAddress/);
  const known = await readFacts(here.at('clash.yaml'));
  expect(known.wire).toBeUndefined();
  expect(factsOf(known).facts).toMatchObject({ 'company.email-name': 'emailAddress' });
});

test('an unreachable target, and a refused key, are told in a sentence', async () => {
  const mock = await here.mock();
  const unreachable = await here.run(
    mock,
    ['facts', 'learn', '--target', TARGET, '--ledger', here.at('far.ledger'), '--out', here.at('far.yaml')],
    () => Promise.reject(new Error('connect ECONNREFUSED')),
  );
  expect([unreachable.code, unreachable.err.split('\n').length, existsSync(here.at('far.yaml'))]).toEqual([3, 2, false]);
  await mock.close();
});

test('what breaks it off leaves nothing behind, and what was learned by then is written', async () => {
  const mock = await here.mock();
  const stops: (() => void)[] = [];
  const told = { out: '', err: '' };
  let creates = 0;
  const io = {
    stdout: { write: (text: string) => (told.out += text) },
    stderr: { write: (text: string) => (told.err += text) },
    once: (_: string, stop: () => void) => stops.push(stop),
    off: () => undefined,
    fetch: (request: Request) => {
      if (request.url.endsWith('/Create') && ++creates === 3) stops.at(-1)?.();
      return mock.fetch(request);
    },
  };
  const flags = ['--target', TARGET, '--quiet', '--ledger', here.at('broken.ledger'), '--out', here.at('broken.yaml')];
  const code = await main(['facts', 'learn', ...flags, 'company.*-name', 'gift-card.create.*'], here.env, io);
  expect(code).toBe(130);
  expect(told.out).toMatch(/· ([1-9]\d*) cards? created, \1 voided, 0 left/);
  expect(Object.keys((await readFacts(here.at('broken.yaml'))).facts ?? {})).toContain('company.name-name');
  await mock.close();
});

test('nothing is written where nothing was learned', async () => {
  const mock = await here.mock();
  const { code, out } = await here.learn(mock, 'nothing.yaml', ['delivery.time-out']);
  expect([code, existsSync(here.at('nothing.yaml'))]).toEqual([4, false]);
  expect(out).toContain('Nothing was learned, and nothing was written.');
  await mock.close();
});
