import { arraysIn, idOf, mentions } from '../http/json-search.ts';
import type { Account } from './account.ts';
import type { Call } from './call.ts';
import type { Findings } from './findings.ts';
import { isBefore, MINUTE, pause, type Span } from './span.ts';

/** The list of webhooks has those that were created and not deleted. */
export function checkWebhooks({ span, outcome, answer }: Call, account: Account, findings: Findings): void {
  const records = outcome === 'accepted' ? recordsIn(answer) : undefined;
  if (!records) return;
  for (const deleted of account.deletedWebhooks) {
    if (!isBefore(deleted.span, span)) continue;
    if (records.some((record) => String(idOf(record)) === deleted.id))
      findings.violated('webhook.delete.removes', 'A webhook that was deleted is in the list.', deleted.span.n, span.n);
    else findings.holds('webhook.delete.removes');
  }
  const created = account.registrations.filter((each) => isListed(each.span, span, account));
  const last = created.at(-1)?.span.n ?? 0;
  if (created.length > records.length)
    findings.possible(
      'webhook.create.registers',
      `${created.length} webhooks were created, and the list has ${records.length}.`,
      ...[last, span.n],
    );
  for (const url of new Set(created.map((each) => each.url))) {
    const same = created.filter((each) => each.url === url);
    const clause = same.length > 1 ? 'webhook.create.same-url-again' : 'webhook.create.registers';
    const listed = records.filter((record) => mentions(record, url)).length;
    if (listed >= same.length) findings.holds(clause);
    else if (created.length <= records.length && (listed > 0 || same.some(({ isEchoed }) => isEchoed)))
      findings.possible(
        clause,
        `${same.length} webhooks were created with a URL that the list has ${listed} times.`,
        last,
        span.n,
      );
  }
}

/** Created less than a minute ago, and since then nothing deleted a webhook or caused deliveries, whose failures disable it. */
const isListed = (created: Span, listed: Span, account: Account): boolean =>
  isBefore(created, listed) &&
  pause(created, listed) < MINUTE &&
  !account.cards.some((card) => card.creation?.isTimed) &&
  [...account.deletions, ...account.writes].every((each) => isBefore(each, created) || isBefore(listed, each));

/** The records of an answer that is a list, or an object with one list; undefined for any other form. */
function recordsIn(answer: unknown): readonly unknown[] | undefined {
  const [list, ...others] = arraysIn(answer).filter(({ path }) => path.split('/').length <= 2 && !/^\/\d+/.test(path));
  const isOfRecords = others.length === 0 && list?.items.every((each) => typeof each === 'object' && each !== null);
  return isOfRecords ? list?.items : undefined;
}
