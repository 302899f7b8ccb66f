import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import type { RuleName } from '../../openapi/generated/rules.ts';
import { defaultWorldProfile } from '../../scripts/default-world-profile.ts';
import { ruleTexts } from '../core/contract.ts';
import { checks } from '../core/rule.ts';
import '../rules/index.ts';
import '../questions/index.ts';
import { serviceOperations } from '../core/operations.ts';
import { runRules } from '../core/run.ts';
import type { Exchange } from '../http/exchange.ts';

/** All options of all questions. On a mock with an option, the probe of the question must observe this option. */
const cases = checks().flatMap(({ name }) =>
  Object.keys(ruleTexts.get(name)?.behaviors ?? {}).map((option) => ({ name, option })),
);

// The suite waits 10 s for deliveries that a variant does not send.
test.concurrent.each(cases)('$name is observed to be $option', async ({ name, option }) => {
  const { shownBy, ...found } = await observed(name, option);
  expect(found).toMatchObject({ observation: { option } });
  const about = ruleTexts.get(name)?.operations ?? [];
  expect(shownBy.length).toBeGreaterThan(0);
  // The exchanges of the probe must include an operation of the question.
  if (about.length > 0) expect(shownBy.filter((id) => about.includes(id))).not.toEqual([]);
});

/** Questions whose probes must run together with another probe. If an endpoint returns only 404, the suite assumes that the endpoint is missing. The other probe gets another response from the endpoint. */
const alsoNeeded: Partial<Record<RuleName, RuleName>> = { 'automation.no-match': 'automation.issued-card-case' };

const operationOf = ({ method, path }: Exchange) =>
  serviceOperations.find((each) => each.method === method && each.exactly.test(path.split('?')[0] ?? ''))?.id ??
  `${method} ${path}`;

async function observed(name: RuleName, option: string) {
  const isLimited = checks().some((check) => check.name === name && check.burst);
  const rate = isLimited ? {} : { rateLimit: 'off' as const };
  const mock = await startMock({ listen: false, ...rate, variant: { behaviors: { [name]: option } } });
  try {
    const target = {
      url: mock.url,
      key: mock.apiKey,
      profile: { ...defaultWorldProfile, noRateLimit: !isLimited },
      fetch: (request: Request) => mock.fetch(request),
    };
    const names = [alsoNeeded[name] ?? [], name].flat();
    const { rules } = await runRules({ target, names, checks: checks() });
    const { verdict, reason, detail, observation, expected, got, did, exchanges = [] } = rules.at(-1) ?? {};
    return { verdict, reason, detail, observation, expected, got, did, shownBy: exchanges.map(operationOf) };
  } finally {
    await mock.close();
  }
}

test('an observation that lists properties does not depend on their order', async () => {
  const more = [Object.entries({ zone: 1, area: 2 }), Object.entries({ area: 2, zone: 1 })];
  const texts = more.map(async (entries) => {
    const mock = await startMock({ listen: false, rateLimit: 'off' });
    const fetch = async (request: Request) => {
      const response = await mock.fetch(request);
      if (!/GetBy(Code|Id)\//.test(request.url) || response.status !== 200) return response;
      const { recipientName: _, ...card } = (await response.json()) as Record<string, unknown>;
      return Response.json({ ...Object.fromEntries(entries), ...card });
    };
    const target = { url: mock.url, key: mock.apiKey, profile: {}, fetch };
    const names = ['gift-card.response.further-properties'] as const;
    const { rules } = await runRules({ target, names, checks: checks() });
    await mock.close();
    return rules[0]?.observation?.text;
  });
  const [one, other] = await Promise.all(texts);
  expect([one, one]).toEqual([expect.stringContaining('area'), other]);
});
