import { arraysIn, idOf } from '../http/json-search.ts';
import type { Account } from './account.ts';
import type { Call } from './call.ts';
import type { Findings } from './findings.ts';
import { isBefore } from './span.ts';

/** The list does not have webhooks that were deleted. */
export function checkWebhooks({ span, outcome, answer }: Call, account: Account, findings: Findings): void {
  const records = outcome === 'accepted' ? recordsIn(answer) : undefined;
  if (!records) return;
  for (const deleted of account.deletedWebhooks)
    if (isBefore(deleted.span, span))
      findings.check(
        !records.some((record) => String(idOf(record)) === deleted.id),
        'webhook.delete.removes',
        'A webhook that was deleted is in the list.',
        ...[deleted.span.n, span.n],
      );
}

/** The records of an answer that is a list, or an object with one list; undefined for any other form. */
function recordsIn(answer: unknown): readonly unknown[] | undefined {
  const [list, ...others] = arraysIn(answer).filter(({ path }) => path.split('/').length <= 2 && !/^\/\d+/.test(path));
  const isOfRecords = others.length === 0 && list?.items.every((each) => typeof each === 'object' && each !== null);
  return isOfRecords ? list?.items : undefined;
}
