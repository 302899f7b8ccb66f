import { expect, test } from 'vitest';
import { refuse } from '../../mock/pipeline/refusal.ts';
import { mutantsCommand, withoutMutant } from './command.ts';
import { mutants, named } from './mutants.ts';
import { byCode, decide, type Mutations, request } from './mutation.ts';

async function command(argv: readonly string[], all = mutants, ended: Promise<unknown> = Promise.resolve()) {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { stdout: { write: (part: string) => out.push(part) }, stderr: { write: (part: string) => err.push(part) }, ended };
  const code = await mutantsCommand(argv, all, io);
  return { code, out: out.join(''), err: err.join('') };
}
const unchanged = request((received) => received);

test('there are at most 300 mutants, and every stated clause with a test has one', () => {
  expect(mutants.length).toBeLessThanOrEqual(300);
  expect(withoutMutant(mutants)).toEqual([]);
  expect(withoutMutant(mutants.filter(({ clause }) => clause !== 'adjustment.answers-true'))).toEqual([
    'adjustment.answers-true',
  ]);
});

test('mutants that are killed are counted by section', async () => {
  const { code, out } = await command(['adjustment.by-id.refuses-overdraw#1', 'gift-card.amounts-exact#1']);
  expect(out).toMatch(/^Adjustment rules +1 +1 of 1$/m);
  expect(out).toContain("2 of 2 mutants killed by their own clause's test: 1 stated clauses, 1 of robustness\n");
  expect(code).toBe(0);
});

test.each<[string, Mutations, string]>([
  ['changes nothing', { 'adjustment.is-relative': [unchanged] }, 'pass'],
  [
    'refuses every creation',
    { 'gift-card.create.starts-active': [decide('createGiftCard', () => refuse('request.invalid'))] },
    'it breaks what every test needs (POST /api/GiftCard/Create answers 400)',
  ],
  [
    'breaks with 5xx',
    {
      'adjustment.answers-true': [
        decide(byCode, () => {
          throw new Error('oh');
        }),
      ],
    },
    'the mock breaks with 5xx',
  ],
  ['is of a clause without a test', { 'channels.api-changes-pushed': [unchanged] }, 'its clause has no test'],
])('a mutant that %s survives', async (_, mutations, why) => {
  const [clause = ''] = Object.keys(mutations);
  const { code, out } = await command([clause], named(mutations));
  expect(out).toContain(`SURVIVED  ${clause}#1\n  ${why}`);
  expect(code).toBe(1);
});

test.each([
  [['adjustment.is-relativ'], 'adjustment.is-relative'],
  [['serve'], 'Name one mutant'],
  [['serve', 'adjustment.by-id.refuses-overdraw'], 'adjustment.by-id.refuses-overdraw#1, '],
])('%j is a usage error', async (argv, part) => {
  expect(await command(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(part) });
});

test('serve runs a mock with the mutant until the process is asked to end', async () => {
  let end: (value: unknown) => void = () => {};
  let greeting = '';
  const started = new Promise<void>((resolve) => {
    const write = (text: string) => {
      greeting = text;
      resolve();
    };
    const io = { stdout: { write }, stderr: { write }, ended: new Promise((ended) => (end = ended)) };
    void mutantsCommand(['serve', 'webhook.create.answers-200#1'], mutants, io);
  });
  await started;
  const [url, header = ''] = greeting.split('\n');
  const headers = { 'x-api-key': header.replace('x-api-key: ', ''), 'content-type': 'application/json' };
  const { status } = await fetch(`${url}/api/Webhook/Create`, {
    method: 'POST',
    headers,
    body: '{"url":"https://127.0.0.1:1/"}',
  });
  expect(status).toBe(201);
  end(undefined);
});
