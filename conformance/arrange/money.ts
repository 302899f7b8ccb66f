/** An amount with one decimal more than the currency has, whose last figure is a 5, and what rounding it to the nearest, half upwards, makes of it. */
export function oneDecimalTooMany(currency: unknown): { amount: number; rounded: number } {
  const unit = 10 ** decimalsOf(currency);
  return { amount: 12.5 / unit, rounded: 13 / unit };
}

/** Of a code such as USD; two where it is none. */
function decimalsOf(currency: unknown): number {
  const code = String(currency).toUpperCase();
  if (!Intl.supportedValuesOf('currency').includes(code)) return 2;
  return new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions().maximumFractionDigits ?? 2;
}
