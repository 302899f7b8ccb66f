import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import '../questions/index.ts';
import { runRules } from '../core/run.ts';
import { endingOfRun } from '../core/run-ending.ts';
import { openSession } from '../core/session.ts';

/** Runs the suite on an unfinished server. Three kinds of endpoints respond with the status. */
async function halfFinished(status: number) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  const fetch = async (request: Request) =>
    /Webhook|AutomationTriggerEvents|GetByEmail/.test(request.url) ? new Response('not yet', { status }) : mock.fetch(request);
  const profile = { noRateLimit: true, receiver: {}, automationEvent: { name: 'review_created', amount: 10 } };
  const wanted =
    /^(automation\.(status-created|uses-snake-case)|webhook\.(create\.takes-description|registers-deliveries|delete\.removes)|gift-card\.get-by-email\.)/;
  const names = checks().flatMap(({ name }) => (wanted.test(name) ? [name] : []));
  const target = { url: mock.url, key: mock.apiKey, profile, fetch };
  const result = await runRules({ target, names, checks: checks() });
  await mock.close();
  return result;
}

test.each([405, 501])('a create at an endpoint that returns %s leaves nothing', async (status) => {
  const result = await halfFinished(status);
  expect([result.cards.left, result.recordsLeft]).toEqual([[], []]);
  expect(result.requests).toBeGreaterThan(8);
  expect(endingOfRun(result).code).not.toBe(5);
});

test('a create at an endpoint that returns 500 may leave a card', async () => {
  const result = await halfFinished(500);
  expect(result.cards.left.length + result.recordsLeft.length).toBeGreaterThan(0);
  expect(endingOfRun(result).code).toBe(5);
});

/** Searches for sent cards by email. `respond` returns a response in place of the mock. */
async function searched(respond: (query: URLSearchParams) => Response | undefined) {
  const mock = await startMock({ listen: false, rateLimit: 'off' });
  let searches = 0;
  const fetch = async (request: Request) => {
    const { pathname, searchParams } = new URL(request.url);
    if (!pathname.includes('/GetByEmail')) return mock.fetch(request);
    searches += 1;
    return (pathname.endsWith('None') ? new Response('not yet', { status: 404 }) : respond(searchParams)) ?? mock.fetch(request);
  };
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
  };
  const profile = { noRateLimit: true, automationEvent: { name: 'review_created', amount: 10 } };
  const session = openSession({ url: mock.url, key: mock.apiKey, profile, fetch }, { now: () => now, sleep });
  const search = 'gift-card.get-by-email';
  const names = [`${search}.finds-cards-sent-to-recipient`, `${search}.no-match`, 'names.gift-card'] as const;
  const { rules } = await runRules({ target: session.target, session, names, checks: checks() });
  await mock.close();
  return { verdicts: rules.map(({ verdict }) => verdict), searches };
}

test('a missing search by email is not polled', async () => {
  const { verdicts, searches } = await searched(() => new Response('not yet', { status: 404 }));
  expect(verdicts).toEqual(['fail', 'blocked', 'observed']);
  expect(searches).toBeLessThan(8);
});

test('a search by email that finds cards late is polled, even if its 404 is that of an unknown path', async () => {
  let left = 9;
  const { verdicts } = await searched((query) => {
    if (!query.has('emailAddress')) return new Response('emailAddress is missing', { status: 400 });
    left -= 1;
    return left > 0 ? new Response('not yet', { status: 404 }) : undefined;
  });
  expect(verdicts).toEqual(['pass', 'observed', 'observed']);
});
