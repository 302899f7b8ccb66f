import type { ClauseName } from '../../openapi/generated/clauses.ts';
import { fullPage, usualPage } from '../core/card-list.ts';
import type { Docket } from '../proxy/finding.ts';
import { cardIn, fieldsOf, type Read } from '../proxy/read.ts';
import type { SeenAccount } from './account.ts';
import { judgeShown, judgeSince, judgeThere, placesOf } from './listed.ts';
import { exactInstantOf } from './moments.ts';
import { judgeOrder, judgePage } from './order.ts';
import { judgeShared } from './sharing.ts';
import { isBefore } from './span.ts';

/** A page of the list, and what was asked for. */
export interface Page {
  readonly cards: readonly unknown[];
  readonly since: number | undefined;
}

/** What is stated of the list, beside its form. */
export function judgeList(read: Read, account: SeenAccount, docket: Docket): void {
  const { seen, told, parameters, status } = read;
  const { giftCards: cards, totalCount } = fieldsOf(told) ?? {};
  if (status !== 200 || !Array.isArray(cards) || seen.doubtful) return;
  const [size, clause] = sizeOf(parameters.pageSize);
  const most = size ?? fullPage;
  if (cards.length <= most) docket.holds(clause);
  else docket.violates(clause, `A page of at most ${most} cards holds ${cards.length}.`, seen.n);
  const isFirst = parameters.pageNumber === undefined || parameters.pageNumber === '0';
  const since = parameters.since === undefined ? undefined : exactInstantOf(parameters.since);
  if (parameters.since !== undefined && since === undefined) return;
  const page: Page = { cards, since };
  judgeCount(read, account, page, totalCount, docket);
  judgeShared(read, cards, docket);
  for (const each of cards) judgeShown(read, account, each, 'list.wraps-cards-and-total', docket);
  judgePage(read, account, { cards, size, count: totalCount }, docket);
  judgeSince(read, account, page, docket);
  if (isFirst && size !== undefined && cards.length < size && !isShort(read, account, page, docket))
    judgeThere(read, account, page, docket);
  if (isFirst && since === undefined) judgeOrder(read, account, placesOf(account, cards), docket);
}

/** The most cards of a page, where it is known, and the clause that says so. */
function sizeOf(asked: string | undefined): [number | undefined, ClauseName] {
  if (asked === undefined) return [usualPage, 'list.page-size-default'];
  const size = /^\d+$/.test(asked) ? Number(asked) : Number.NaN;
  return size >= 1 && size <= fullPage ? [size, 'list.page-size-limits'] : [undefined, 'list.page-size-maximum'];
}

/** Whatever is counted, it is no less than what stands there; another card may come between counting and listing. */
function judgeCount({ seen }: Read, account: SeenAccount, { cards }: Page, count: unknown, docket: Docket): void {
  const ids = cards.flatMap((each) => cardIn(each)?.id ?? []);
  if (new Set(ids).size < ids.length)
    docket.violates('list.wraps-cards-and-total', 'A page of the list holds the same card twice.', seen.n);
  if (typeof count !== 'number') return;
  if (!Number.isInteger(count) || count < 0)
    docket.violates('list.wraps-cards-and-total', `totalCount is ${count}, which is no number of cards.`, seen.n);
  else if (count < cards.length && !account.mayBeStirredAt(seen))
    docket.contradicts(
      'list.wraps-cards-and-total',
      `totalCount is ${count}, and the page alone holds ${cards.length} cards.`,
      seen.n,
    );
}

/** Whether a page without pageSize has fewer cards than it might have, which is told once and not of each card. */
function isShort({ seen, parameters }: Read, account: SeenAccount, { cards, since }: Page, docket: Docket): boolean {
  if (parameters.pageSize !== undefined || since !== undefined) return false;
  const made = account.cards.filter((card) => card.made && isBefore(card.made.span, seen));
  if (made.length < usualPage) return false;
  docket.contradicts(
    'list.page-size-default',
    `A page without pageSize holds ${cards.length} cards, and ${made.length} were created here.`,
    seen.n,
  );
  return true;
}
