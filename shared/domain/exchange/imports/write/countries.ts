import { countryCodes } from '../../../../schemas/country-codes.ts'

const names = new Intl.DisplayNames('en', { type: 'region' })
const codeOfName = new Map(countryCodes.map((code) => [(names.of(code) ?? code).toLowerCase(), code]))
const otherNames: Record<string, string> = {
  usa: 'US',
  'united states of america': 'US',
  uk: 'GB',
  'great britain': 'GB',
  england: 'GB',
  turkey: 'TR',
  'czech republic': 'CZ',
  'hong kong': 'HK',
  macau: 'MO',
  macao: 'MO',
  'viet nam': 'VN',
  'the netherlands': 'NL',
}

/**
 * The code of a country by its code or its English name; null for no text, and the text itself, which the schema of suppliers
 * refuses, when no country has this name.
 */
export function countryCode(text: string): string | null {
  const name = text.toLowerCase()
  if (name === '') return null
  return otherNames[name] ?? codeOfName.get(name) ?? (name.length === 2 ? name.toUpperCase() : text)
}
