import { readFile } from 'node:fs/promises'
import pg from 'pg'
import t from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import { fileDatabase, useOwnDatabase } from '../../../support/core/database.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { readCount } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'

useOwnDatabase()

/** Undoes the migration, so that it runs on the data of the previous release. */
const undo = `
  drop table level_read;
  alter table stock_level drop column on_hand, drop column committed, drop column unavailable, drop column states_read_at;
  alter table stock_count_item drop column entered_at, drop column read_at;
  alter table stock_count drop column stale_item_count;
`

t.test('a shop of the previous release gets its states by a job', async (t) => {
  const { db, alice, mallory, shop, variants, locations, perform, receiveUpdates } =
    await startSimulatedShop(t)
  const { shopId } = alice
  shop.placeOrder([{ variantId: variants[0] ?? '', quantity: 3, locationId: locations[0] ?? '' }])
  await receiveUpdates()
  const items = [{ variantId: variants[0], countedQuantity: 10 }]
  const { id } = (await alice.post('/api/stock-counts', { locationId: locations[0], items })).json().data
  await db.query(sql.typeAlias('void')`update shop set uninstalled_at = now() where id = ${mallory.shopId}`)

  const client = new pg.Client({ connectionString: await fileDatabase() })
  await client.connect()
  const before = (await enqueued(db, jobs.readLevels, shopId)).length
  await client.query(undo)
  await client.query(
    await readFile(new URL('../../../../db/migrations/0036_level_states.sql', import.meta.url), 'utf8'),
  )
  await client.end()

  t.equal((await enqueued(db, jobs.readLevels, shopId)).length, before + 1)
  t.strictSame(await enqueued(db, jobs.readLevels, mallory.shopId), [])
  t.match((await alice.get('/api/sync')).json().data, { unreadVariants: variants.length })
  t.match((await alice.get('/api/stock-levels')).json().data, [{ onHand: null }])
  t.match((await readCount(alice, id)).items, [{ readAt: null, variance: null }])

  await perform(jobs.readLevels, { shopId })
  t.match((await alice.get('/api/sync')).json().data, { unreadVariants: 0 })
  const query = new URLSearchParams({ variantId: variants[0] ?? '', locationId: locations[0] ?? '' })
  t.match((await alice.get(`/api/stock-levels?${query}`)).json().data, [
    { currentStock: 7, committed: 3, onHand: 10 },
  ])
  t.match((await readCount(alice, id)).items, [{ expectedQuantity: 10, variance: 0 }])
})
