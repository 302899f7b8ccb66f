import { arranged, type Trial } from '../../core/trial.ts';
import type { Answer } from '../../http/exchange.ts';
import { arrays, idOf, leaves } from '../../http/structure.ts';
import type { RecordEntry } from '../../safety/entries.ts';
import { removeAll } from '../../scenarios/webhooks.ts';
import type { Input } from './parts.ts';
import { shapeOf } from './shape.ts';
import { lookAt, plain, posting, registeredAndDeleted, type Surface, watched } from './surface.ts';

/** Registrations, at addresses that no name server knows. One that is taken with an odd address is deleted at once, by the record that holds its own part. */
export async function registrations(t: Trial): Promise<Surface> {
  const place = { on: await watched(t) };
  await t.control('registering and deleting a webhook', () => registeredAndDeleted(t));
  const surface = plain(shapeOf('createWebhook'), () => ({ ...posting, own: '' }), place);
  const look = async (trial: Trial) => [await lookAt(trial, place.on), await registered(trial)];
  return { ...surface, makes: true, marked: true, look, send: registerOddly };
}

async function registerOddly(t: Trial, input: Input): Promise<Answer> {
  const { ledger } = t.run;
  t.stillWanted();
  const own = ledger.fresh();
  const url = `https://conformance.invalid/${own}`;
  const description = `odd input ${own}`;
  const odd = input.write({ ...posting, path: '/api/Webhook/Create', body: { url, description }, own });
  const sure = input.subject !== 'url' && input.unmarked !== true;
  const before = sure ? [] : await registered(t);
  // Where the address is what is odd, another webhook may have the same.
  const entry = ledger.openWebhook(input.subject === 'url' ? description : url);
  const answer = await t.sendOfMany({ ...odd, entry });
  ledger.settle(entry, answer);
  if (answer.status >= 300 && answer.status < 500) return answer;
  if (sure) await removeAll(t, [url]);
  else await removeNew(t, before, own, entry);
  return answer;
}

async function registered(t: Trial): Promise<unknown[]> {
  const { json } = arranged(await t.sendOfMany({ method: 'GET', path: '/api/Webhook/List' }), 'listing webhooks');
  return arrays(json)[0] ?? [];
}

/** What was not registered before and holds a value of the run's own is the run's, and nothing else is, whatever appears meanwhile. */
async function removeNew(t: Trial, before: unknown[], own: string, entry: RecordEntry): Promise<void> {
  const known = new Set(before.map(idOf));
  const news = async () => (await registered(t)).filter((record) => !known.has(idOf(record)));
  const isOurs = (record: unknown) => leaves(record).some(({ value }) => String(value).includes(own));
  for (const record of (await news()).filter(isOurs)) {
    const id = idOf(record);
    if (id === undefined) return;
    t.run.ledger.mayBeGone(entry);
    await t.sendOfMany({ method: 'DELETE', path: `/api/Webhook/Delete/${encodeURIComponent(id)}` });
  }
  if (!(await news()).some(isOurs)) t.run.ledger.gone(entry);
}
