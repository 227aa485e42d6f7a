import t from 'tap'
import { upsertLocations } from '../../../shared/domain/catalogue/locations.ts'
import { startApp } from '../../support/core/app.ts'
import { gidOf } from '../../support/make/catalogue.ts'

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
  t.strictSame(answer.json(), {
    success: true,
    data: [
      { locationId: gidOf('Location', 4), name: 'Warehouse', isActive: true, isPrimary: true },
      { locationId: gidOf('Location', 3), name: 'annexe', isActive: true, isPrimary: false },
      { locationId: gidOf('Location', 2), name: 'Zoo', isActive: true, isPrimary: false },
      { locationId: gidOf('Location', 1), name: 'old', isActive: false, isPrimary: false },
    ],
  })
  t.strictSame(
    (await mallory.get('/api/locations')).json().data,
    [],
    'the list contains only locations of the shop',
  )
})
