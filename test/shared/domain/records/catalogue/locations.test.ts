import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../../shared/db/db.ts'
import { retireLocations, upsertLocations } from '../../../../../shared/domain/records/catalogue/locations.ts'
import { openTestDb } from '../../../../support/core/database.ts'
import { makeShop } from '../../../../support/core/people.ts'
import { gidOf } from '../../../../support/make/catalogue.ts'

type LocationInput = Parameters<typeof upsertLocations>[2][number]

const Stored = Type.Object({ name: Type.String(), isActive: Type.Boolean(), isPrimary: Type.Boolean() })

const location = (number: number, fields: Partial<LocationInput> = {}): LocationInput => ({
  gid: gidOf('Location', number),
  name: `Shop ${number}`,
  isActive: true,
  isPrimary: false,
  ...fields,
})

async function start(t: Test) {
  const { db } = await openTestDb(t)
  const { shopId } = await makeShop(db, 'alice')
  return {
    db,
    shopId,
    upsert: (...locations: LocationInput[]) => db.transaction((tx) => upsertLocations(tx, shopId, locations)),
    stored: () =>
      db.any(sql.type(row(Stored))`
        select name, is_active, is_primary from location where shop_id = ${shopId} order by id
      `),
  }
}

t.test('a shop has exactly one primary location, whatever the platform sends', async (t) => {
  const { upsert, stored } = await start(t)
  await upsert(location(1), location(2))
  t.match(
    await stored(),
    [{ isPrimary: true }, { isPrimary: false }],
    'without a primary one the oldest is primary',
  )
  await upsert(location(1), location(2, { isPrimary: true }))
  t.match(await stored(), [{ isPrimary: false }, { isPrimary: true }])
  await upsert(location(1, { name: 'Front' }), location(3))
  t.match(await stored(), [{ name: 'Front', isPrimary: false }, { isPrimary: true }, { isPrimary: false }])
  await upsert(location(2, { isActive: false }))
  t.match(
    await stored(),
    [{ isPrimary: true }, { isActive: false, isPrimary: false }, {}],
    'only a location in use is primary',
  )
})

t.test('locations that the platform no longer sends are retired', async (t) => {
  const { db, shopId, upsert, stored } = await start(t)
  await upsert(location(1), location(2), location(3, { updatedAt: '2026-03-01T12:00:00.9Z' }))
  const { now } = await db.one(sql.type(row(Type.Object({ now: Type.String() })))`select now() as now`)
  await upsert(location(2), location(3, { name: 'Older', updatedAt: '2026-03-01T12:00:00Z' }))
  await db.transaction((tx) => retireLocations(tx, shopId, now))
  t.match(await stored(), [
    { isActive: false, isPrimary: false },
    { isActive: true, isPrimary: true },
    { name: 'Shop 3', isActive: true },
  ])
})

t.test('concurrent writers of the first locations agree on one primary location', async (t) => {
  const { upsert, stored } = await start(t)
  await Promise.all([
    upsert(location(1, { isPrimary: true })),
    upsert(location(2, { isPrimary: true })),
    upsert(location(3)),
  ])
  t.equal((await stored()).filter(({ isPrimary }) => isPrimary).length, 1)
})
