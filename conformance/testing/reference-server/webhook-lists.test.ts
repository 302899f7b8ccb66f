import { describe, expect, test } from 'vitest';
import { type Check, checks } from '../../core/clause.ts';
import { runClauses } from '../../core/run.ts';
import type { Target } from '../../core/target.ts';
import { faultsOf } from './faults.ts';
import { stranger } from './server.ts';
import { answering } from './shapes.ts';

/** What a record of the list of webhooks shows is open. */

type Records = { readonly hooks: readonly Record<string, unknown>[] };

const aboutWebhooks = ({ name, inputs, burst }: Check) =>
  !inputs && !burst && /^(webhook|delivery|errors\.malformed|authentication\.(lists|missing-key))/.test(name);

/** The stranger with every record of the list put in another way. */
function listing(
  put: (record: Record<string, unknown>) => unknown,
): Pick<Target, 'key' | 'profile'> & Required<Pick<Target, 'fetch'>> {
  const server = stranger();
  const lists = answering(server.fetch, (json, path) =>
    path.endsWith('/Webhook/List') ? { hooks: (json as Records).hooks.map(put) } : json,
  );
  return { key: server.key, profile: server.profile, fetch: lists };
}

const judging = (server: Pick<Target, 'key' | 'profile' | 'fetch'>): Target => ({
  ...server,
  url: 'http://127.0.0.1',
  profile: { ...server.profile, generatedCodePattern: '^zz-', noRateLimit: true },
});

const shown: Record<string, (record: Record<string, unknown>) => unknown> = {
  'the description and no URL': ({ hookId, label }) => ({ hookId, label }),
  'the description and a masked URL': ({ hookId, label, target }) => ({
    hookId,
    label,
    url: String(target).replace(/\w{8}.*/, '…'),
  }),
  'a URL and no description': ({ hookId, target }) => ({ hookId, target }),
};

test.each(Object.keys(shown))(
  'a webhook that the list shows by %s is found and deleted',
  async (how) => {
    const { faults } = await faultsOf(
      judging(listing(shown[how] ?? Object)),
      aboutWebhooks,
      /^webhook\.create\.(url|description)-required$/,
    );
    expect(faults).toEqual([]);
  },
  60_000,
);

test('one that the list shows by its ID alone is found and deleted by the ID that its creation was answered with', async () => {
  const { fetch, ...server } = listing(({ hookId }) => ({ hookId }));
  const withId: Target['fetch'] = async (request, about) => {
    const answer = await fetch(request, about);
    if (!request.url.endsWith('/Webhook/Create') || !answer.ok) return answer;
    const list = await fetch(new Request('http://127.0.0.1/api/Webhook/List', { headers: request.headers }), about);
    return Response.json({ id: ((await list.json()) as Records).hooks.at(-1)?.hookId });
  };
  const { faults } = await faultsOf(
    judging({ ...server, fetch: withId }),
    aboutWebhooks,
    /^webhook\.create\.(url|description)-required$/,
  );
  expect(faults).toEqual([]);
}, 60_000);

describe('where the list tells none from others and no ID is answered', async () => {
  const server = judging(listing(({ hookId }) => ({ hookId })));
  const names = checks()
    .filter(aboutWebhooks)
    .map(({ name }) => name);
  const result = await runClauses({ target: server, names, checks: checks(), suite: 'test' });

  test('nothing is said of webhooks', () => {
    const judged = result.clauses.filter(
      ({ name, verdict }) => name.startsWith('webhook.') && verdict !== 'untested' && name !== 'webhook.list.shape',
    );
    expect(judged).toEqual([]);
    expect(result.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'error')).toEqual([]);
  });

  test('one is registered, which is not called gone', () => {
    expect(result.recordsLeft).toHaveLength(1);
  });
});
