import { listPath } from '../core/card-list.ts';
import { probe, somethingElse } from '../core/clause.ts';
import { accepted, giftCard, same } from '../core/expect.ts';
import { statusOf } from '../core/form.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import type { Ask } from '../http/exchange.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { list } from '../scenarios/lists.ts';
import { plainCard } from '../scenarios/shared-cards.ts';

const keyIsTaken = (t: Trial) =>
  t.control('the key of the run is taken', async () => accepted(await list(t, { pageSize: 1 }), 'the list'));

const listed = (t: Trial, what: string, ask: Partial<Ask>) =>
  t.send(`list ${what}`, { method: 'GET', path: listPath, odd: true, ...ask });

probe('authentication.key-of-other-account', { needs: ['secondKey'] }, async (t, { secondKey }) => {
  const { code, id } = await plainCard(t);
  await t.control('the key of the run finds its card', async () => same(giftCard(await getByCode(t, code)).id, id, 'id'));
  // Refused for everything it may be no key at all.
  if ((await list(t, { pageSize: 1 }, secondKey)).status === 401)
    throw new Untested('no-second-key', 'the key of the profile that is called secondKey is refused for its own list, too');
  const { status } = await getByCode(t, code, secondKey);
  if (status === 401) return 'refused-at-this-address';
  return status === 404 ? 'acts-on-its-own-account' : somethingElse(`answers ${status}`);
});

probe('authentication.plan-status', { needs: ['basicKey'] }, async (t, { basicKey }) => {
  await keyIsTaken(t);
  return statusOf(await list(t, { pageSize: 1 }, basicKey), '401', '402', '403');
});

probe('authentication.key-letter-case', {}, async (t) => {
  await keyIsTaken(t);
  const { key, names } = t.run;
  const other = key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase();
  if (other === key) throw new Untested('fixture-missing', 'the key of the run has no letters');
  names.learn(other, '«key in other letters»');
  const { status } = await listed(t, 'with the key in other letters', { key: other });
  if (status === 200) return 'ignored';
  return status === 401 ? 'counts' : somethingElse(`answers ${status}`);
});

probe('authentication.key-elsewhere', {}, async (t) => {
  await keyIsTaken(t);
  const { key } = t.run;
  const inQuery = await listed(t, 'with the key in the query', { key: null, query: { 'x-api-key': key } });
  const asBearer = await listed(t, 'with the key as a bearer token', { key: null, headers: { authorization: `Bearer ${key}` } });
  const statuses = [inQuery.status, asBearer.status].join(' and ');
  if (statuses === '401 and 401') return 'header-only';
  if (statuses === '200 and 401') return 'also-query';
  return statuses === '401 and 200' ? 'also-bearer' : somethingElse(`answers ${statuses}`);
});
