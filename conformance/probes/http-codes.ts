import { probe, somethingElse } from '../core/clause.ts';
import { accepted, hasStatus } from '../core/expect.ts';
import type { Trial } from '../core/trial.ts';
import { getByCode } from '../scenarios/card-requests.ts';
import { create } from '../scenarios/cards.ts';
import { plainCard } from '../scenarios/shared-cards.ts';

/** Looks a card up by a code as it is written into the path. */
const look = (t: Trial, how: string, written: string) =>
  t.send(`GET a card by its code, ${how}`, { method: 'GET', path: `/api/GiftCard/GetByCode/${written}`, odd: true });

probe('http.path-decoding', {}, async (t) => {
  const { code } = await plainCard(t);
  await t.control('the code as it is', async () => accepted(await getByCode(t, code), 'it'));
  await t.control('another code is not found', async () => hasStatus(await getByCode(t, `${code}1`), 404, 'it'));
  const escaped = `%${code.charCodeAt(0).toString(16)}${code.slice(1)}`;
  const { status } = await look(t, 'one letter as a percent escape', escaped);
  if (status === 200) return 'once';
  return status === 404 ? 'never' : somethingElse(`answers ${status}`);
});

probe('http.path-plus', {}, async (t) => {
  const wanted = `${t.run.ledger.fresh()}+1`;
  const { answer } = await create(t, { code: wanted });
  if (answer.status !== 200) return somethingElse(`takes no code with a plus sign: ${answer.status}`);
  await t.control('the plus sign as a percent escape', async () => accepted(await getByCode(t, wanted), 'it'));
  await t.control('another code is not found', async () => hasStatus(await getByCode(t, `${wanted}1`), 404, 'it'));
  const { status } = await look(t, 'with its plus sign', wanted);
  if (status === 200) return 'plus';
  return status === 404 ? 'blank' : somethingElse(`answers ${status}`);
});
