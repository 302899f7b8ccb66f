import { arranged, type Trial } from '../core/trial.ts';
import { Blocked } from '../core/verdict.ts';
import type { Answer } from '../http/exchange.ts';
import { unknownIdLike } from '../http/structure.ts';
import { address, deleteWebhook, described, idsOf, listed, type Registered, register, removeAll } from './webhooks.ts';

/** A few webhooks, registered in every way that is stated, looked at, and deleted: made once for all that only asks about their records. */
interface Registrations {
  /** With a description and no token; `again` is its URL a second time. */
  readonly plain: Registered;
  readonly again: Registered;
  /** With a description of free text over two lines. */
  readonly described: Registered;
  /** With a token. */
  readonly signed: Registered;
  /** The list before, with all of them, and without the described one, which was deleted. */
  readonly lists: { readonly before: unknown; readonly all: unknown; readonly without: unknown };
  /** IDs of the records with the URL of `plain`: of the two, of which the last was deleted, and of those left; undefined where there were no two. */
  readonly pair: { readonly before: readonly (string | number)[]; readonly left: readonly (string | number)[] } | undefined;
  /** What deleting answered: the described one, the same again, and an ID that no webhook has. Undefined where it was not listed. */
  readonly deletions: { readonly first: Answer; readonly again: Answer; readonly unknown: Answer } | undefined;
}

/** With what is set behind it, 90 characters. */
const freeText = 'Free text ✓, with "quotes" <&>,\nover two lines, and long enough'.padEnd(72, '.');
export const token = 'a-token-of-the-registrations';

export function registrations(t: Trial): Promise<Registrations> {
  return t.shared('webhooks that are looked at', async (shared) => {
    const urls = [await address(shared), await address(shared), await address(shared)] as const;
    const before = await listed(shared);
    const plain = await register(shared, urls[0]);
    const two = await register(shared, urls[1], { description: described(shared, freeText) });
    const signed = await register(shared, urls[2], { requestHeaderVerificationToken: token });
    const again = await register(shared, urls[0]);
    const all = await listed(shared);
    const [id] = idsOf(shared, all, two.url);
    shared.run.ledger.mayBeGone(two.entry);
    const deletions = id === undefined ? undefined : await deletionsOf(shared, id);
    const without = await listed(shared);
    const pair = await halved(shared, idsOf(shared, without, plain.url), plain.url);
    await removeAll(shared, urls);
    return { plain, again, described: two, signed, lists: { before, all, without }, pair, deletions };
  });
}

async function halved(t: Trial, ids: readonly (string | number)[], url: string): Promise<Registrations['pair']> {
  const [one, other] = ids;
  if (one === undefined || other === undefined || one === other) return undefined;
  if ((await deleteWebhook(t, other)).status !== 200) return undefined;
  return { before: [one, other], left: idsOf(t, await listed(t), url) };
}

async function deletionsOf(t: Trial, id: string | number): Promise<Registrations['deletions']> {
  const unknown = await deleteWebhook(t, unknownIdLike(id));
  const first = await deleteWebhook(t, id);
  return { unknown, first, again: await deleteWebhook(t, id) };
}

/** The deletions. Blocked where there was nothing to delete. */
export async function deletions(t: Trial): Promise<Registrations & { deletions: NonNullable<Registrations['deletions']> }> {
  const made = await registrations(t);
  arranged(made.described.answer, 'registering a webhook');
  if (!made.deletions) throw new Blocked('a webhook that was registered is not in the list');
  return { ...made, deletions: made.deletions };
}
