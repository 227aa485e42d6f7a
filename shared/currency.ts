// ISO 4217; `Intl` has the digits that people usually write, which are fewer for some, such as IQD and HUF. The function
// `shared/domain/records/shops/functions/minor_digits.sql` has the same lists.
const withoutDigits = new Set([
  ...[
    'BIF',
    'CLP',
    'DJF',
    'GNF',
    'ISK',
    'JPY',
    'KMF',
    'KRW',
    'PYG',
    'RWF',
    'UGX',
    'UYI',
    'VND',
    'VUV',
    'XAF',
    'XOF',
  ],
  'XPF',
])
const withThreeDigits = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'])

/** The decimals of a currency: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorDigitsOf(currency: string): number {
  if (withoutDigits.has(currency)) return 0
  return withThreeDigits.has(currency) ? 3 : 2
}

/**
 * Rounds to the decimals of the currency, half away from zero as Postgres rounds numeric amounts.
 *
 * Example: 9 × 1.005 is 9.044999… as a floating-point number, and 9.05 in USD.
 */
export function roundMoney(amount: number, currency: string): number {
  const units = 10 ** minorDigitsOf(currency)
  // two factors, their product and the units each have an error of at most half of EPSILON
  return Math.round(amount * units * (1 + 2 * Number.EPSILON)) / units
}
