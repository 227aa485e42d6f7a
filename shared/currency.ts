// ISO 4217; `Intl` has the digits that people usually write, which are fewer for some, such as IQD and HUF. The function
// minor_digits (db/functions/) has the same lists.
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
