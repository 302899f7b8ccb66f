import type { Docket } from '../proxy/finding.ts';
import { cardIn, fieldsOf, type Read } from '../proxy/read.ts';
import { showsDeleted } from './learn.ts';

/**
 * Two cards on one page, neither of them voided, have one code: whoever has done what, a code is unique. Whether a deleted card keeps its code is open, and so is
 * what becomes of that of an expired one.
 */
export function judgeShared(read: Read, cards: readonly unknown[], docket: Docket): void {
  if (showsDeleted(read)) return;
  const holders = new Map<string, string>();
  for (const each of cards) {
    const names = cardIn(each);
    const { status } = fieldsOf(each) ?? {};
    if (!names || (status !== 'Active' && status !== 'Redeemed')) continue;
    const other = holders.get(names.code);
    if (other !== undefined && other !== names.id)
      docket.violates(
        'gift-card.create.refuses-taken-code',
        'Two cards on one page of the list have one code, and neither of them is voided.',
        read.seen.n,
      );
    holders.set(names.code, names.id);
  }
}
