const countries = new Intl.DisplayNames('en', { type: 'region' })
/** Old codes have the names of new ones: UK is GB. */
const canonical = (code: string) => new Intl.Locale(`und-${code}`).region ?? code
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const codeOfName = new Map(
  letters.flatMap((a) =>
    letters.flatMap((b) => {
      const name = countries.of(a + b)
      return name && name !== a + b ? [[name.toLowerCase(), canonical(a + b)] as const] : []
    }),
  ),
)
const otherNames: Record<string, string> = {
  usa: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
}

/** The code of a country by its code or its English name; null when it is not known. */
export function countryCode(text: string): string | null {
  const name = text.toLowerCase()
  if (name === '') return null
  return otherNames[name] ?? codeOfName.get(name) ?? (/^[a-z]{2}$/.test(name) ? name.toUpperCase() : null)
}
