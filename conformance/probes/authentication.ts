import { probe, somethingElse } from '../core/clause.ts';
import { accepted, giftCard, same } from '../core/expect.ts';
import { statusOf } from '../core/form.ts';
import type { Trial } from '../core/trial.ts';
import { Untested } from '../core/verdict.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { list } from '../scenarios/lists.ts';
import { plainCard } from '../scenarios/shared-cards.ts';

const keyIsTaken = (t: Trial) =>
  t.control('the key of the run is taken', async () => accepted(await list(t, { pageSize: 1 }), 'the list'));

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
