/**
 * The currencies whose number of decimals is not 2. Source: ISO 4217 as of 2024-06-25. The table does not come from `Intl`, because versions of Node
 * have different numbers for HUF, IDR and others. An amount would then change with the version of Node.
 */
const currenciesByDecimals: readonly (readonly [decimals: number, currencies: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
];

const decimalsByCurrency = new Map(
  currenciesByDecimals.flatMap(([decimals, currencies]) => currencies.split(' ').map((currency) => [currency, decimals])),
);

/** Returns the number of decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. An unknown currency has 2. */
export function decimalsOf(currency: unknown): number {
  return decimalsByCurrency.get(String(currency).toUpperCase()) ?? 2;
}
