/**
 * How what the suite says is written for a target, and what the target says is read back: the suite reckons as if every currency had two decimals,
 * and the people in its requests live at example.com. Where a currency has none, 0.75 is written as 75, which is about the same money.
 */
export class AccountFormat {
  /** By what an amount of the suite is multiplied; undefined until the currency is known. */
  #scale: number | undefined;
  readonly #domain: string;
  /** Amounts that were sent, as they were written: under whatever name one comes back, it is known by what it is. */
  readonly #sent = new Set<number>();

  /** `domain` is where addresses are, in place of example.com. */
  constructor(domain = USUAL) {
    this.#domain = domain;
  }

  get isLearned(): boolean {
    return this.#scale !== undefined;
  }

  get scale(): number {
    return this.#scale ?? 1;
  }

  /** Whether from now on amounts are written in another way. */
  learnCurrency(currency: unknown): boolean {
    if (this.isLearned) return false;
    this.#scale = 10 ** Math.max(0, 2 - decimalsOf(currency));
    return this.#scale !== 1;
  }

  /** An amount of the suite as the target takes it. */
  toTargetAmount(toOwnAmount: number): number {
    return Number((toOwnAmount * this.scale).toFixed(6));
  }

  /** An amount of the target as the suite reckons. */
  own(amount: number): number {
    return amount / this.scale;
  }

  /** A body or a query, with its amounts and addresses as the target takes them. */
  encode(text: string): string {
    const addressed = this.#isUsual
      ? text
      : text.replaceAll(`@${USUAL}`, `@${this.#domain}`).replaceAll(`%40${USUAL}`, `%40${this.#domain}`);
    if (this.scale === 1) return addressed;
    return addressed.replace(amountsIn, (whole, before: string, figures: string) => {
      const amount = this.toTargetAmount(Number(figures));
      this.#sent.add(Math.abs(amount));
      return Number.isFinite(amount) ? `${before}${amount}` : whole;
    });
  }

  /** What the target says, with amounts and addresses as the suite has them. */
  decode(json: unknown): unknown {
    return this.scale === 1 && this.#isUsual ? json : this.#readAt(json, '');
  }

  get #isUsual(): boolean {
    return this.#domain === USUAL;
  }

  #readAt(value: unknown, name: string): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#readAt(each, name));
    if (typeof value === 'object' && value !== null)
      return Object.fromEntries(Object.entries(value).map(([inner, each]) => [inner, this.#readAt(each, inner)]));
    if (typeof value === 'string' && !this.#isUsual && value.includes(`@${this.#domain}`))
      return value.replaceAll(`@${this.#domain}`, `@${USUAL}`);
    return this.#isAmount(value, name) ? this.own(Number(value)) : value;
  }

  #isAmount(value: unknown, name: string): boolean {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value));
    if (this.scale === 1 || !isNumber || /(id|code|count|field\d)$/i.test(name)) return false;
    return (typeof value === 'number' && statedNames.test(name)) || this.#sent.has(Math.abs(Number(value)));
  }
}

const USUAL = 'example.com';
const statedNames = /^(balance|initialValue|totalIssuedAmount)$/i;
const amountsIn = /("(?:balance|adjustmentAmount|amount)"\s*:\s*"?)(-?\d+(?:\.\d+)?)(?![\d.eE])/gi;

/** Decimals of a currency, by a code such as USD; two where it is none. */
export function decimalsOf(currency: unknown): number {
  const code = String(currency).toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2;
}
