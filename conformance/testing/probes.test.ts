import { expect, test } from 'vitest';
import { startMock } from '../../mock/index.ts';
import type { ClauseName } from '../../openapi/generated/clauses.ts';
import type { Evidence } from '../../openapi/variant/facts-file.ts';
import { defaultWorldProfile } from '../../scripts/mutants/profile.ts';
import { checks } from '../core/clause.ts';
import { clauseTexts } from '../core/contract.ts';
import '../clauses/index.ts';
import '../probes/index.ts';
import { operations } from '../core/operations.ts';
import { runClauses } from '../core/run.ts';
import { evidenceOf } from '../learn/evidence.ts';

/** Every probe sees every reading of its clause, where a target has it. */
const cases = checks().flatMap(({ name }) =>
  Object.keys(clauseTexts.get(name)?.behaviors ?? {}).map((reading) => ({ name, reading })),
);

test.concurrent.each(cases)('$name is seen to be $reading', async ({ name, reading }) => {
  const { shownBy, ...found } = await seen(name, reading);
  expect(found).toMatchObject({ observation: { option: reading } });
  const about = seenByAnother[name] ?? clauseTexts.get(name)?.operations ?? [];
  expect(shownBy.length).toBeGreaterThan(0);
  // Of what a facts file keeps, something is an answer of what the clause is about.
  if (about.length > 0) expect(shownBy.filter((id) => about.includes(id))).not.toEqual([]);
});

/** What the list is ordered by, a card shows by itself. */
const seenByAnother: Partial<Record<ClauseName, readonly string[]>> = {
  'list.update-by-background-work': ['getGiftCardByCode'],
};

/** The name of an account is the address of that account where a reading has it so. */
const host = 'main.localhost';
const named = ({ headers }: Request) => ({ headers: { ...Object.fromEntries(headers), host } });
/** The control door has no such name; and a key that is refused at this address has to be taken at another. */
const forService = ({ url }: Request, name: ClauseName) =>
  new URL(url).pathname.startsWith(name === 'authentication.key-of-other-account' ? '/api/GiftCard/GetByCode/' : '/api/');

/** That an endpoint is there at all shows where it has what it is asked for. */
const beside: Partial<Record<ClauseName, ClauseName>> = {
  'automation.no-match': 'automation.cards-name',
};

const operationOf = ({ method, path }: Evidence) =>
  operations.find((each) => each.method === method && each.path === path.split('?')[0])?.id ?? `${method} ${path}`;

async function seen(name: ClauseName, reading: string) {
  const isLimited = name === 'limits.rate-headers' || checks().some((check) => check.name === name && check.burst);
  const rate = isLimited ? {} : { rateLimit: 'off' as const };
  const mock = await startMock({ listen: false, ...rate, facts: { facts: { [name]: reading } } });
  try {
    const target = {
      url: mock.url,
      key: mock.apiKey,
      profile: { ...defaultWorldProfile, noRateLimit: !isLimited },
      fetch: (request: Request) => mock.fetch(request, forService(request, name) ? named(request) : {}),
    };
    const names = [beside[name] ?? [], name].flat();
    const { clauses } = await runClauses({ target, names, checks: checks(), suite: 'test' });
    const { verdict, reason, detail, observation, expected, got, did, exchanges = [] } = clauses.at(-1) ?? {};
    const shownBy = evidenceOf(name, exchanges).map(operationOf);
    return { verdict, reason, detail, observation, expected, got, did, shownBy };
  } finally {
    await mock.close();
  }
}
