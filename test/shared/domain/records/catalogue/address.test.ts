import t from 'tap'
import { addressLines } from '../../../../../shared/domain/records/catalogue/address.ts'
import type { LocationAddress } from '../../../../../shared/schemas/locations.ts'

const address = (fields: Partial<LocationAddress>): LocationAddress => ({
  ...{ address1: '', address2: '', city: '', province: '' },
  ...{ zip: '', country: '', countryCode: '', phone: '' },
  ...fields,
})

t.test('the postcode is where the country writes it', (t) => {
  const cityLine = (fields: Partial<LocationAddress>) => addressLines(address(fields)).join('|')
  t.equal(cityLine({ city: 'Berlin', zip: '10115', countryCode: 'DE' }), '10115 Berlin')
  t.equal(
    cityLine({ city: 'Segrate', province: 'Milano', zip: '20054', countryCode: 'IT' }),
    '20054 Segrate, Milano',
  )
  t.equal(
    cityLine({ city: 'Portland', province: 'Oregon', zip: '97203', countryCode: 'US' }),
    'Portland, Oregon 97203',
  )
  t.equal(cityLine({ city: 'Bristol', zip: 'BS1 4RN', countryCode: 'GB' }), 'Bristol BS1 4RN')
  t.equal(cityLine({ city: 'Dubai', zip: '' }), 'Dubai')
  t.end()
})

t.test('a missing part leaves no empty line and no stray comma', (t) => {
  t.strictSame(addressLines(address({})), [])
  t.strictSame(addressLines(address({ phone: '+44 1' })), [], 'the phone is no part of the address')
  t.strictSame(addressLines(address({ address1: '  ', city: ' \n ', country: 'France' })), ['France'])
  t.strictSame(addressLines(address({ address1: 'Gate 4\n14 Dock Road', province: 'Oregon' })), [
    'Gate 4 14 Dock Road',
    'Oregon',
  ])
  t.strictSame(addressLines(address({ zip: '97203', province: 'Oregon', countryCode: 'FR' })), [
    '97203, Oregon',
  ])
  t.end()
})
