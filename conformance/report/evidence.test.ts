import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import '../rules/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { checks } from '../core/rule.ts';
import { runRules } from '../core/run.ts';
import { tokens } from '../scenarios/delivery-scenario.ts';
import { buildDocument } from './build-document.ts';
import { textReport } from './text.ts';

type Mock = Awaited<ReturnType<typeof startMock>>;

/** Runs one rule on a mock. Returns the rows of its failure, and the result. */
async function failureOn(
  mock: Mock,
  name: RuleName,
  change: (response: Response, request: Request) => unknown = (response) => response,
) {
  const fetch = async (request: Request) => (await change(await mock.fetch(request), request)) as Response;
  const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch, isOwn: true };
  const result = await runRules({ target, names: [name], checks: checks() });
  await mock.close();
  const text = textReport(buildDocument([result]));
  expect(text).toContain(`FAIL  ${name}`);
  const rows = Object.fromEntries(
    Array.from(text.matchAll(/^ {6}([A-Z][a-z ]+?) {2,}(.*)$/gm), ([, label, row]) => [label, row ?? '']),
  );
  return { rows, result };
}

test('the request of a failure is the one whose response violates the rule, not the last one', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const { rows, result } = await failureOn(mock, 'gift-card.void.zeroes-balance', async (response, { url }) => {
    if (!url.includes('GetById') || !response.ok) return response;
    const card = (await response.json()) as { status: string };
    return Response.json(card.status === 'Voided' ? { ...card, balance: 0.5 } : card);
  });
  expect(result.rules[0]?.exchanges.at(-1)?.path).toContain('List');
  expect(rows.Request).toMatch(/^curl .*\/api\/GiftCard\/GetById\/"\$card_\d+_id"/);
  expect(rows.Got).toBe('0.5');
});

test('a failed delivery is shown as it arrived, with a command that replays it, and the steps name only its card', async () => {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  await mock.faults.set({ fault: 'wrong-signature', topic: 'giftcard/gifted' });
  const { rows, result } = await failureOn(mock, 'delivery.signed-with-token');
  expect(result.rules[0]?.did.filter((step) => step.startsWith('register a webhook')).length).toBeGreaterThan(10);
  expect(rows.Did).not.toMatch(/webhook/);
  expect(new Set(rows.Did?.match(/card#\d+/g)).size).toBe(1);
  const shell = `curl() { printf '%s\n' "$@"; }\n${rows.Received}`;
  const variables = Object.fromEntries(
    Array.from(rows.Received?.matchAll(/"\$(\w+)"/g) ?? [], ([, name = '']) => [name, `<${name}>`]),
  );
  const { stdout, stderr } = spawnSync('sh', ['-uc', shell], { encoding: 'utf8', env: variables });
  expect(stderr).toBe('');
  const words = stdout.trimEnd().split('\n');
  expect(words.slice(0, 4)).toEqual(['-sSg', '-X', 'POST', '<RECEIVER>']);
  expect(words).toContain(`hmac-signature-sha256: ${rows.Got}`);
  expect(JSON.parse(words.at(-1) ?? '')).toMatchObject({ WebhookTopic: 'giftcard/gifted', Balance: 1.75 });
  for (const token of Object.values(tokens)) expect(JSON.stringify(result)).not.toContain(token);
});
