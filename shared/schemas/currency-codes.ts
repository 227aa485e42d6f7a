/** Currencies that the platform may give a shop, or old orders may have, and that `Intl` no longer or not yet lists. */
const otherCurrencies = 'BYR JEP KID LTL LVL STD VED VEF'.split(' ')
const currencies = new Set([...Intl.supportedValuesOf('currency'), ...otherCurrencies])

export const isCurrency = (code: string): boolean => currencies.has(code)
