import type { OptionsFilter } from '@mantine/core'
import { countryCodes } from '../../../../shared/schemas/country-codes.ts'
import { locale } from '../../browser/host.ts'

const names = new Intl.DisplayNames(locale, { type: 'region' })

/** All countries by name, and the stored code. */
export const countryOptions = (chosen: string) =>
  [...new Set([...(chosen === '' ? [] : [chosen]), ...countryCodes])]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((a, b) => a.label.localeCompare(b.label))

function nameOf(code: string): string {
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

/** Finds countries by code or a part of the name, the best match first: for "de" Germany, then Denmark, then Bangladesh. */
export const findCountries: OptionsFilter = ({ options, search, limit }) => {
  const wanted = search.trim().toLowerCase()
  const found = options.flatMap((option) => {
    if (!('value' in option)) return []
    const code = String(option.value).toLowerCase()
    const name = option.label.toLowerCase()
    const rank = [code === wanted, name.startsWith(wanted), name.includes(wanted)].indexOf(true)
    return rank === -1 ? [] : [{ option, rank }]
  })
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ option }) => option)
}
