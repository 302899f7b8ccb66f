import { decimalsOf } from '../core/dialect.ts';
import { leaves } from '../http/structure.ts';
import type { Docket } from '../proxy/finding.ts';
import { cardIn, fieldsOf, type Read } from '../proxy/read.ts';

/** A currency, by the first exchange that showed it. */
interface Sight {
  readonly value: string;
  readonly n: number;
  readonly by: 'create' | 'look' | 'profile';
}

/** In which currency an account was seen to be, which is the same for all its cards. */
export class SeenCurrency {
  /** Of the first card that was seen; two until there is one. */
  decimals = 2;
  #sights: Sight[] = [];

  learn(read: Read): void {
    if (!read.accepted) return;
    const by = wayOf(read);
    for (const value of by === 'profile' ? codesIn(read.told) : currenciesIn(read.told)) {
      if (this.#sights.some((each) => each.value === value && each.by === by)) continue;
      if (by !== 'profile' && !this.#first) this.decimals = decimalsOf(value);
      this.#sights.push({ value, n: read.seen.n, by });
    }
  }

  /** What has been seen says nothing any more. */
  forget(): void {
    this.#sights = [];
  }

  judge(read: Read, docket: Docket): void {
    if (!read.accepted) return;
    if (wayOf(read) === 'profile') this.#judgeProfile(read, docket);
    else for (const value of currenciesIn(read.told)) this.#judgeCards(read, value, docket);
  }

  /** Of the cards. */
  get #first(): Sight | undefined {
    return this.#sights.find(({ by }) => by !== 'profile');
  }

  /** Creates that agree with each other alone tell little: what they answer has to be what is shown elsewhere. */
  #judgeCards({ seen, operation }: Read, value: string, docket: Docket): void {
    const clause =
      operation === 'createGiftCard' ? 'gift-card.create.uses-account-currency' : 'gift-card.amounts-in-account-currency';
    const first = this.#first;
    if (first && first.value !== value && first.n !== seen.n) {
      const words = `A card is shown in ${value}, and exchange ${first.n} showed one of the account in ${first.value}.`;
      docket.contradicts(clause, words, first.n, seen.n);
    } else {
      const isOne = this.#sights.every((each) => each.by === 'profile' || each.value === value);
      const isShownElsewhere = this.#sights.some(
        (each) => each.value === value && each.n !== seen.n && (operation !== 'createGiftCard' || each.by !== 'create'),
      );
      if (isOne && isShownElsewhere) docket.holds(clause);
    }
    this.#judgeAgainst(
      this.#sights.filter(({ by }) => by === 'profile'),
      value,
      seen.n,
      docket,
    );
  }

  #judgeProfile({ seen, told }: Read, docket: Docket): void {
    const codes = codesIn(told);
    const own = codes.map((value): Sight => ({ value, n: seen.n, by: 'profile' }));
    const first = this.#first;
    if (first) this.#judgeAgainst(own, first.value, first.n, docket, seen.n);
  }

  /** Where a profile names several currencies, nobody knows which of them is the account's. */
  #judgeAgainst(profile: readonly Sight[], value: string, n: number, docket: Docket, judged = n): void {
    const [one, ...others] = profile;
    if (!one || !isCode(value)) return;
    if (profile.some((each) => each.value === value)) docket.holds('company.profile-currency-is-of-cards');
    else if (others.length === 0) {
      const words = `The profile has ${one.value}, and a card of the account is in ${value}.`;
      const other = judged === n ? one.n : n;
      docket.contradicts('company.profile-currency-is-of-cards', words, other, judged);
    }
  }
}

const wayOf = ({ operation }: Read) =>
  operation === 'createGiftCard' ? 'create' : operation === 'getCompanyProfile' ? 'profile' : 'look';

const all = new Set(Intl.supportedValuesOf('currency'));
/** As everybody writes it; what it is in a form of its own is veiled, and equal only to itself. */
const isCode = (value: unknown): value is string => typeof value === 'string' && all.has(value);

const codesIn = (json: unknown): string[] => [...new Set(leaves(json).flatMap(({ value }) => (isCode(value) ? [value] : [])))];

/** Of the cards that an answer shows, by their stated names. */
function currenciesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  const { currency } = cardIn(json) ? (fieldsOf(json) ?? {}) : {};
  const inner = Object.values(json).flatMap(currenciesIn);
  return [...new Set(typeof currency === 'string' ? [currency, ...inner] : inner)];
}
