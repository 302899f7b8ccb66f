import { arranged, type Trial } from '../core/trial.ts';
import { Untested, Violation } from '../core/verdict.ts';
import { type Leaf, leaves, namesIn } from '../http/structure.ts';

/** The business profile, of which no name is given. */
export function profile(t: Trial): Promise<unknown> {
  return t.shared('the business profile', async (shared) => {
    const answer = await shared.send('GET the business profile', { method: 'GET', path: '/api/Company/Profile' });
    return arranged(answer, 'reading the business profile').json;
  });
}

const texts = (json: unknown): Leaf[] => leaves(json).filter(({ value }) => typeof value === 'string' && value !== '');

/** The first that passes the first test that any passes. */
function best(all: readonly Leaf[], ...tests: ((leaf: Leaf) => boolean)[]): string | undefined {
  const found = tests.map((test) => all.find(test)).find((leaf) => leaf !== undefined);
  return found && String(found.value);
}

/** What looks like the name of a time zone, or else is named after one, or is how many minutes or hours it is off. */
export function zoneLeaf(json: unknown): string | undefined {
  const isNamed = ({ path }: Leaf) => /zone|tz|(utc|gmt).?offset/i.test(path);
  const looks = ({ value }: Leaf) =>
    typeof value === 'string' && /^[A-Z][a-z]+\/[A-Z]\w+|Standard Time$|^(UTC|GMT)([+-]|$)/.test(value);
  const all = leaves(json).filter(({ value }) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return best(all, (leaf) => isNamed(leaf) && looks(leaf), isNamed, looks);
}

/** What looks like a currency, or else is named after one: of several that do, whichever, for a profile may show more than the account's. */
export function currencyLeaf(json: unknown): string | undefined {
  return readableCurrency(json) ?? best(texts(json), speaksOfCurrency) ?? namesIn(json).find(isCode);
}

/** A code or a symbol of a currency. */
export function readableCurrency(json: unknown): string | undefined {
  return best(texts(json), (leaf) => speaksOfCurrency(leaf) && looksLikeOne(leaf), looksLikeOne);
}

const speaksOfCurrency = ({ path }: Leaf) => /currency/i.test(path);
const looksLikeOne = ({ value }: Leaf) => isSymbol(value) || isCode(value);
const isSymbol = (value: unknown) => typeof value === 'string' && /^\p{Sc}$/u.test(value);
const isCode = (value: unknown) =>
  typeof value === 'string' && /^([A-Z]{3}|[a-z]{3})$/.test(value) && supported.has(value.toUpperCase());
const supported = new Set(Intl.supportedValuesOf('currency'));

/** Holds a profile against the currency that a card shows. Untested `fact-missing` where it writes its own in a way that nothing is known of. */
export function agrees(json: unknown, currency: string, whose: string): void {
  const shown = readableCurrency(json);
  if (tellsCurrency(json, currency)) return;
  if (shown === undefined)
    throw new Untested('fact-missing', 'how the profile writes the currency is open, and no code or symbol of one is in it');
  throw new Violation(`the currency of ${whose}, ${currency}, in the profile`, shown);
}

/** The currency's own code anywhere; a symbol, a name, or one of several words where the text is about currencies. Where no text is, what is named after one counts, such as a rate. */
function tellsCurrency(json: unknown, currency: string): boolean {
  const all = texts(json);
  const isIt = (text: string) => text.toUpperCase() === currency.toUpperCase();
  const isAbout = (leaf: Leaf) => speaksOfCurrency(leaf) || isSymbol(leaf.value);
  const tells = (leaf: Leaf) =>
    isIt(String(leaf.value)) ||
    (isAbout(leaf) && [String(leaf.value), ...wordsOf(leaf.value)].some((text) => isIt(text) || standsFor(text, currency)));
  const saysNone = !all.some((leaf) => speaksOfCurrency(leaf) || looksLikeOne(leaf));
  return all.some(tells) || (saysNone && namesIn(json).some(isIt));
}

const wordsOf = (value: unknown) => String(value).split(/[\s,;:()-]+/);

/** Whether one of two texts is a symbol or a name of the currency of which the other is the code. */
const standsFor = (text: string, other: string): boolean => isShownAs(text, other) || isShownAs(other, text);

function isShownAs(shown: string, code: string): boolean {
  if (shown === '' || !isCode(code)) return false;
  const [symbol, narrow, name = ''] = (['symbol', 'narrowSymbol', 'name'] as const).map((currencyDisplay) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: code, currencyDisplay })
      .formatToParts(1)
      .find(({ type }) => type === 'currency')
      ?.value.toLowerCase(),
  );
  const text = shown.toLowerCase();
  return text === symbol || text === narrow || (text.length > 3 && name.startsWith(text));
}
