import t from 'tap'
import { upsertLocations } from '../../../shared/domain/records/catalogue/locations.ts'
import { startApp } from '../../support/core/app.ts'
import { gidOf } from '../../support/make/catalogue.ts'

const emptyAddress = {
  ...{ address1: '', address2: '', city: '', province: '' },
  ...{ zip: '', country: '', countryCode: '', phone: '' },
}

t.test('the list of locations begins with the primary one and ends with unused ones', async (t) => {
  const { db, alice, mallory } = await startApp(t)
  const location = (number: number, name: string, fields = {}) => ({
    gid: gidOf('Location', number),
    name,
    isActive: true,
    isPrimary: false,
    ...fields,
  })
  await db.transaction((tx) =>
    upsertLocations(tx, alice.shopId, [
      location(1, 'old', { isActive: false }),
      location(2, 'Zoo'),
      location(3, 'annexe'),
      location(4, 'Warehouse', { isPrimary: true }),
    ]),
  )
  const answer = await alice.get('/api/locations')
  const noAddress = { address: emptyAddress, addressLines: [] }
  t.strictSame(answer.json(), {
    success: true,
    data: [
      { locationId: gidOf('Location', 4), name: 'Warehouse', isActive: true, isPrimary: true, ...noAddress },
      { locationId: gidOf('Location', 3), name: 'annexe', isActive: true, isPrimary: false, ...noAddress },
      { locationId: gidOf('Location', 2), name: 'Zoo', isActive: true, isPrimary: false, ...noAddress },
      { locationId: gidOf('Location', 1), name: 'old', isActive: false, isPrimary: false, ...noAddress },
    ],
  })
  t.strictSame(
    (await mallory.get('/api/locations')).json().data,
    [],
    'the list contains only locations of the shop',
  )
})

t.test('an address is shown in parts, and in lines as the supplier reads it', async (t) => {
  const { db, alice } = await startApp(t)
  const read = async () => (await alice.get('/api/locations')).json().data[0]
  const store = (fields: object) =>
    db.transaction((tx) =>
      upsertLocations(tx, alice.shopId, [
        { gid: gidOf('Location', 1), name: 'Dock', isActive: true, isPrimary: true, ...fields },
      ]),
    )
  const address = {
    ...{ address1: 'Gate 4', address2: '14 Dock Road', city: 'Portland', province: 'Oregon' },
    ...{ zip: '97203', country: 'United States', countryCode: 'US', phone: '+1 503 555 0177' },
  }
  await store({ address })
  t.match(await read(), {
    address,
    addressLines: ['Gate 4', '14 Dock Road', 'Portland, Oregon 97203', 'United States'],
  })
  await store({ name: 'Pier' })
  t.match(await read(), { name: 'Pier', address }, 'a report without an address keeps the stored one')
  await store({ address: { ...address, address1: null, city: 'Bend', zip: '97701' } })
  t.match(await read(), {
    address: { ...address, address1: '', city: 'Bend', zip: '97701' },
    addressLines: ['14 Dock Road', 'Bend, Oregon 97701', 'United States'],
  })
  await store({ address: {} })
  t.match(await read(), { address: emptyAddress, addressLines: [] }, 'the platform has removed the address')
})
