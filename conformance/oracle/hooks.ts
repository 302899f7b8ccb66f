import { arraysIn, idOf, mentions } from '../http/structure.ts';
import type { Docket } from '../proxy/finding.ts';
import { hasPlans, type Read, textIn } from '../proxy/read.ts';
import { gap, isBefore, MINUTE, type Span } from './span.ts';

interface Registered {
  readonly span: Span;
  readonly url: string;
  /** The answer has the URL letter by letter; one that is written in another way later cannot be told. */
  readonly isEchoed: boolean;
}

interface Deletion {
  readonly span: Span;
  readonly id: string;
  readonly inDoubt: boolean;
}

interface Listed {
  readonly span: Span;
  readonly records: readonly unknown[];
}

const mostLists = 20;
/** What is sent to a webhook disables it with the sixth failure; of each of these requests come two deliveries at most. */
const mostStirs = 2;

/** The webhooks of an account, as far as they were registered, listed and deleted here. */
export class SeenHooks {
  readonly #made: Registered[] = [];
  readonly #deletions: Deletion[] = [];
  readonly #lists: Listed[] = [];
  /** Deliveries may come by themselves, of an expiry or a gift that is for later. */
  #isNoisy = false;
  /** Requests of which deliveries may come. */
  readonly #stirs: readonly Span[];

  constructor(stirs: readonly Span[]) {
    this.#stirs = stirs;
  }

  learn(read: Read): void {
    const { seen, operation, accepted, inDoubt, asked = {}, told, parameters } = read;
    const url = textIn(asked.url);
    const { id } = parameters;
    if (operation === 'createGiftCard' && hasPlans(asked)) this.#isNoisy = true;
    if (operation === 'createWebhook' && accepted && url !== undefined)
      this.#made.push({ span: seen, url, isEchoed: mentions(told, url) });
    else if (operation === 'deleteWebhook' && (accepted || inDoubt) && id !== undefined)
      this.#deletions.push({ span: seen, id, inDoubt });
    else if (operation === 'listWebhooks' && accepted) {
      const records = recordsIn(told);
      if (records) this.#lists.push({ span: seen, records });
      if (this.#lists.length > mostLists) this.#lists.shift();
    }
  }

  judge(read: Read, docket: Docket): void {
    if (read.operation === 'listWebhooks' && read.accepted) this.#judgeList(read, docket);
    else if (read.operation === 'deleteWebhook' && read.status === 404) this.#judgeMissing(read, docket);
  }

  #judgeList({ seen, told }: Read, docket: Docket): void {
    const records = recordsIn(told);
    if (!records) return;
    for (const { span, id, inDoubt } of this.#deletions) {
      if (inDoubt || !isBefore(span, seen)) continue;
      if (records.some((each) => String(idOf(each)) === id)) {
        const words = 'A webhook that was deleted is still in the list.';
        docket.violates('webhook.delete.removes', words, span.n, seen.n);
      } else if (this.#lists.some((list) => isBefore(list.span, span) && recordOf(list, id)))
        docket.holds('webhook.delete.removes');
    }
    const there = this.#made.filter((each) => this.#isThere(each, seen));
    if (there.length > records.length) {
      const { span } = there.at(-1) as Registered;
      const words = `${there.length} webhooks were created here, and the list holds ${records.length}.`;
      docket.contradicts('webhook.create.registers', words, span.n, seen.n);
      return;
    }
    for (const url of new Set(there.map((each) => each.url))) this.#judgeUrl(seen, url, records, docket);
  }

  #judgeUrl(seen: Span, url: string, records: readonly unknown[], docket: Docket): void {
    const made = this.#made.filter((each) => each.url === url && this.#isThere(each, seen));
    const found = records.filter((each) => mentions(each, url)).length;
    const last = made.at(-1)?.span.n ?? 0;
    const clause = made.length > 1 ? 'webhook.create.same-url-again' : 'webhook.create.registers';
    if (found >= made.length) docket.holds(clause);
    else if (found > 0 || made.some(({ isEchoed }) => isEchoed)) {
      const words = `${made.length} webhooks were created here with a URL that ${found} in the list have.`;
      docket.contradicts(clause, words, last, seen.n);
    }
  }

  #judgeMissing({ seen, parameters }: Read, docket: Docket): void {
    const { id } = parameters;
    const list = this.#lists.findLast(({ span }) => isBefore(span, seen));
    const record = list && id !== undefined && recordOf(list, id);
    if (!record || this.#deletions.some((each) => each.id === id)) return;
    const own = this.#made.filter(({ url }) => mentions(record, url));
    const isQuiet = !this.#isNoisy && !this.#stirs.some((each) => !isBefore(seen, each) && gap(each, seen) < MINUTE);
    if (gap(list.span, seen) > MINUTE || (!isQuiet && (own.length === 0 || !own.every((each) => this.#isThere(each, seen)))))
      return;
    const words = 'A webhook that is in the list cannot be deleted, since it is not found.';
    docket.contradicts('webhook.delete.removes', words, list.span.n, seen.n);
  }

  /** Nothing that passed can have deleted it, or failed so often that it was disabled. */
  #isThere({ span }: Registered, seen: Span): boolean {
    if (this.#isNoisy || !isBefore(span, seen) || gap(span, seen) > MINUTE) return false;
    if (this.#deletions.some((each) => !isBefore(each.span, span) && !isBefore(seen, each.span))) return false;
    return this.#stirs.filter((each) => !isBefore(each, span) && !isBefore(seen, each)).length <= mostStirs;
  }
}

const recordOf = ({ records }: Listed, id: string): unknown => records.find((each) => String(idOf(each)) === id);

/** The records of an answer that is a list or holds one in an object; undefined where they stand in another way. */
function recordsIn(told: unknown): readonly unknown[] | undefined {
  const lists = arraysIn(told).filter(({ path }) => path.split('/').length <= 2 && !/^\/\d+/.test(path));
  const [list, ...others] = lists;
  return list && others.length === 0 && list.items.every((each) => typeof each === 'object' && each !== null)
    ? list.items
    : undefined;
}
