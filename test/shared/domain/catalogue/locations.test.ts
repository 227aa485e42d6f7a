import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { row, sql } from '../../../../shared/db/db.ts'
import { retireLocations, upsertLocations } from '../../../../shared/domain/catalogue/locations.ts'
import { openTestDb } from '../../../support/core/database.ts'
import { makeShop } from '../../../support/core/people.ts'
import { gidOf } from '../../../support/make/catalogue.ts'

type Told = Parameters<typeof upsertLocations>[2][number]

const Stored = Type.Object({ name: Type.String(), isActive: Type.Boolean(), isPrimary: Type.Boolean() })

const location = (number: number, fields: Partial<Told> = {}): Told => ({
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
    tell: (...locations: Told[]) => db.transaction((tx) => upsertLocations(tx, shopId, locations)),
    stored: () =>
      db.any(sql.type(row(Stored))`
        select name, is_active, is_primary from location where shop_id = ${shopId} order by id
      `),
  }
}

t.test('exactly one location is the primary one, whatever is told', async (t) => {
  const { tell, stored } = await start(t)
  await tell(location(1), location(2))
  t.match(await stored(), [{ isPrimary: true }, { isPrimary: false }], 'none was told: the oldest')
  await tell(location(1), location(2, { isPrimary: true }))
  t.match(await stored(), [{ isPrimary: false }, { isPrimary: true }])
  await tell(location(1, { name: 'Front' }), location(3))
  t.match(await stored(), [{ name: 'Front', isPrimary: false }, { isPrimary: true }, { isPrimary: false }])
  await tell(location(2, { isActive: false }))
  t.match(
    await stored(),
    [{ isPrimary: true }, { isActive: false, isPrimary: false }, {}],
    'one that is in use',
  )
})

t.test('locations that were told before and not since are out of use', async (t) => {
  const { db, shopId, tell, stored } = await start(t)
  await tell(location(1), location(2))
  const { now } = await db.one(sql.type(row(Type.Object({ now: Type.String() })))`select now() as now`)
  await tell(location(2))
  await db.transaction((tx) => retireLocations(tx, shopId, now))
  t.match(await stored(), [
    { isActive: false, isPrimary: false },
    { isActive: true, isPrimary: true },
  ])
})

t.test('two writers at once, before there is any location, agree on one primary', async (t) => {
  const { tell, stored } = await start(t)
  await Promise.all([
    tell(location(1, { isPrimary: true })),
    tell(location(2, { isPrimary: true })),
    tell(location(3)),
  ])
  t.equal((await stored()).filter(({ isPrimary }) => isPrimary).length, 1)
})
