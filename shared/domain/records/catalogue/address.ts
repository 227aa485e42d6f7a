import { sql } from '../../../db/db.ts'
import type { LocationAddress } from '../../../schemas/locations.ts'

/** Countries that write the postcode before the city: "10115 Berlin". The others write it last: "Portland, Oregon 97201". */
const postcodeFirst = new Set(
  'AT BE BG BR CH CN CZ DE DK EE ES FI FR GR HR HU IL IS IT JP LI LT LU MC MX NL NO PL PT RO RS SE SI SK TR'.split(
    ' ',
  ),
)

/** The lines of a postal address. A missing part leaves neither an empty line nor a stray comma. */
export function addressLines(address: LocationAddress): string[] {
  const { address1, address2, city, province, zip, country, countryCode } = address
  const cityLine = postcodeFirst.has(countryCode)
    ? join(', ', join(' ', zip, city), province)
    : join(' ', join(', ', city, province), zip)
  return [address1, address2, cityLine, country].map(clean).filter(Boolean)
}

const join = (separator: string, ...parts: string[]) => parts.map(clean).filter(Boolean).join(separator)

const clean = (text: string) => text.replace(/\s+/g, ' ').trim()

/** The address of the location with this alias as JSON, in the form of {@link LocationAddress}. */
export function addressOf(alias: string) {
  const column = (name: string) => sql.identifier([alias, name])
  return sql.fragment`jsonb_build_object(
    'address1', ${column('address1')}, 'address2', ${column('address2')}, 'city', ${column('city')},
    'province', ${column('province')}, 'zip', ${column('zip')}, 'country', ${column('country')},
    'countryCode', ${column('country_code')}, 'phone', ${column('phone')}
  )`
}
