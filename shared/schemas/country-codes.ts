/** Regions with a name that are no countries of ISO 3166: parts of countries, unions, and codes for tests. */
const otherRegions = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '))
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const names = new Intl.DisplayNames('en', { type: 'region' })

/** ISO 3166-1, and XK. An old code has the name of the new one, and is left out: UK is GB. */
export const countryCodes: readonly string[] = letters
  .flatMap((a) => letters.map((b) => a + b))
  .filter(
    (code) =>
      !otherRegions.has(code) && names.of(code) !== code && new Intl.Locale(`und-${code}`).region === code,
  )
const countries = new Set(countryCodes)

export const isCountry = (code: string): boolean => countries.has(code)
