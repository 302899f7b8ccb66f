import type { Reader } from '../../openapi/effective/reader.ts';
import { SeenAccount } from '../oracle/account.ts';
import { judgeAdjustment } from '../oracle/adjusting.ts';
import { judgeProfile } from '../oracle/company.ts';
import { judgeCreate } from '../oracle/creating.ts';
import { judgeHistory } from '../oracle/history.ts';
import { judgeKey } from '../oracle/keys.ts';
import { isAdjustment, isHistory, isLookup, isVoid, learn } from '../oracle/learn.ts';
import { judgeList } from '../oracle/listing.ts';
import { judgeLook } from '../oracle/looking.ts';
import { judgeByEmail } from '../oracle/mailing.ts';
import { Rate } from '../oracle/rate.ts';
import { judgeVoid } from '../oracle/voiding.ts';
import type { Docket } from './finding.ts';
import { judgeAnswer } from './form/answers.ts';
import { judgeNames } from './form/names.ts';
import { judgeRequest } from './form/requests.ts';
import { type Read, readOf } from './read.ts';
import type { Seen } from './seen.ts';

/**
 * Judges exchanges as they come. What is judged waits until everything that began before its end is over, so that whatever may have come between is known; which
 * makes it the same whether somebody looks on or a record is read again.
 */
export class Watch {
  readonly #reader: Reader;
  readonly #docket: Docket;
  readonly #accounts = new Map<string, SeenAccount>();
  /** Beginnings of what is under way. */
  readonly #underWay = new Set<number>();
  readonly #waiting: Waiting[] = [];
  #rate = new Rate();
  #cards = 0;

  constructor(reader: Reader, docket: Docket) {
    this.#reader = reader;
    this.#docket = docket;
  }

  begun(began: number): void {
    this.#underWay.add(began);
  }

  /** In the order in which exchanges end. */
  ended(seen: Seen): void {
    this.#underWay.delete(seen.began);
    this.#rate.learn(seen);
    const read = readOf(seen, this.#reader);
    const account = read && this.#accountOf(read);
    if (read && account) learn(read, account, account.currency.decimals);
    else if (!read) this.#forgetAfter(seen);
    this.#waiting.push({ seen, read });
    this.#judge();
  }

  /** Of one that could not be judged nobody knows what it did, nor what is known since. */
  missed(began: number): void {
    this.#underWay.delete(began);
    this.#waiting.length = 0;
    this.#forgetAll();
  }

  /** Everything else that is known is behind a restart: another record, another proxy. */
  restart(): void {
    this.#underWay.clear();
    this.#judge();
    this.#forgetAll();
  }

  #forgetAll(): void {
    this.#accounts.clear();
    this.#rate = new Rate();
  }

  #judge(): void {
    const first = Math.min(...this.#underWay);
    while (this.#waiting[0] && this.#waiting[0].seen.ended < first) {
      const { seen, read } = this.#waiting.shift() as Waiting;
      judged(seen, read, read && this.#accountOf(read), this.#rate, this.#docket);
    }
  }

  #accountOf({ seen }: Read): SeenAccount | undefined {
    if (seen.key === undefined) return undefined;
    const known = this.#accounts.get(seen.key);
    if (known) return known;
    const account = new SeenAccount(() => {
      this.#cards += 1;
      return this.#cards;
    });
    this.#accounts.set(seen.key, account);
    return account;
  }

  /** Of what is no request of the service nobody knows what it does: the door of a mock may move its clock, or a card. */
  #forgetAfter({ method, status, lost, ended }: Seen): void {
    const isIdle =
      method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || (status !== undefined && status >= 400) || lost?.unsent;
    if (isIdle) return;
    for (const account of this.#accounts.values()) {
      account.forget(ended);
      account.currency.forget();
    }
  }
}

interface Waiting {
  readonly seen: Seen;
  readonly read: Read | undefined;
}

function judged(seen: Seen, read: Read | undefined, account: SeenAccount | undefined, rate: Rate, docket: Docket): void {
  if (!seen.own || seen.lost) return;
  if (!read) {
    if (seen.method !== 'HEAD' && seen.method !== 'OPTIONS' && !/Coupon/i.test(seen.path))
      docket.client(
        `${seen.method} ${seen.path} is no endpoint of the service${seen.otherMethod ? '; the path has other methods' : ''}.`,
        seen.n,
      );
    return;
  }
  if (seen.key === undefined)
    docket.client(
      `${seen.method} ${seen.path}: the header x-api-key is missing${seen.otherKey ? '; what may be a key stands elsewhere' : ''}.`,
      seen.n,
    );
  rate.judge(seen, docket);
  judgeKey(seen, account, docket);
  judgeRequest(read, docket);
  judgeAnswer(read, docket);
  judgeNames(read, docket);
  if (!account || seen.nearly) return;
  const { decimals } = account.currency;
  account.currency.judge(read, docket);
  account.hooks.judge(read, docket);
  account.events.judge(read, docket);
  if (read.operation === 'createGiftCard') judgeCreate(read, account, decimals, docket);
  else if (isAdjustment(read)) judgeAdjustment(read, account, decimals, docket);
  else if (isVoid(read)) judgeVoid(read, account, docket);
  else if (isLookup(read)) judgeLook(read, account, docket);
  else if (isHistory(read)) judgeHistory(read, account, docket);
  else if (read.operation === 'listGiftCards') judgeList(read, account, docket);
  else if (read.operation === 'getGiftCardsByEmail') judgeByEmail(read, account, docket);
  else if (read.operation === 'getCompanyProfile') judgeProfile(read, account, docket);
}
