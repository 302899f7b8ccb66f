import { decimalsOf } from '../../openapi/currency.ts';

/** Converts amounts and addresses between the suite and an account. In a currency without decimals, 0.75 of the suite becomes 75. */
export class AccountFormat {
  /** The factor from amounts of the suite to amounts of the target. Undefined until the currency is known. */
  #scale: number | undefined;
  readonly #domain: string;
  /** Amounts that were converted in requests. In a response, such an amount is converted back under any property name. */
  readonly #sent = new Set<number>();

  /** `domain` replaces example.com in addresses. */
  constructor(domain = DEFAULT_DOMAIN) {
    this.#domain = domain;
  }

  get isLearned(): boolean {
    return this.#scale !== undefined;
  }

  get scale(): number {
    return this.#scale ?? 1;
  }

  learnCurrency(currency: unknown): void {
    this.#scale ??= 10 ** Math.max(0, 2 - decimalsOf(currency));
  }

  toTargetAmount(amount: number): number {
    return Number((amount * this.scale).toFixed(6));
  }

  toOwnAmount(amount: number): number {
    return amount / this.scale;
  }

  encode(text: string): string {
    const addressed = text.replaceAll(ownAddress, (_, at: string) => at + this.#domain);
    if (this.scale === 1) return addressed;
    return addressed.replace(amountsIn, (whole, before: string, figures: string) => {
      const amount = this.toTargetAmount(Number(figures));
      this.#sent.add(Math.abs(amount));
      return Number.isFinite(amount) ? `${before}${amount}` : whole;
    });
  }

  decode(json: unknown): unknown {
    if (json === undefined || (this.scale === 1 && this.#domain === DEFAULT_DOMAIN)) return json;
    return JSON.parse(JSON.stringify(json), (name, value: unknown) => {
      if (this.#isAmount(value, name)) return this.toOwnAmount(Number(value));
      return typeof value === 'string' ? value.replaceAll(`@${this.#domain}`, `@${DEFAULT_DOMAIN}`) : value;
    });
  }

  #isAmount(value: unknown, name: string): boolean {
    const isNumber = typeof value === 'number' || (typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value));
    if (this.scale === 1 || !isNumber || /(id|code|count|field\d)$/i.test(name)) return false;
    return (typeof value === 'number' && amountNames.test(name)) || this.#sent.has(Math.abs(Number(value)));
  }
}

const DEFAULT_DOMAIN = 'example.com';
const ownAddress = /(@|%40)example\.com/g;
const amountNames = /^(balance|initialValue|totalIssuedAmount)$/i;
const amountsIn = /("(?:balance|adjustmentAmount|amount)"\s*:\s*"?)(-?\d+(?:\.\d+)?)(?![\d.eE])/gi;
