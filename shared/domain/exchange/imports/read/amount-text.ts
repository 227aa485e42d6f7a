import { minorDigitsOf } from '../../../../currency.ts'

/** "7.15 USD"; a cost may have four decimals. */
export const amountText = (amount: number, currency: string) =>
  `${amount.toLocaleString('en', {
    minimumFractionDigits: minorDigitsOf(currency),
    maximumFractionDigits: Math.max(4, minorDigitsOf(currency)),
    useGrouping: false,
  })} ${currency}`
