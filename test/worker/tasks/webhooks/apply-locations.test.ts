import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { sql } from '../../../../shared/db/db.ts'
import { jobKey } from '../../../../shared/queue/enqueue.ts'
import { jobs } from '../../../../shared/queue/jobs.ts'
import type { Person } from '../../../support/core/people.ts'
import { enqueued } from '../../../support/core/worker.ts'
import { expectLedger } from '../../../support/make/stock.ts'
import { startSimulatedShop } from '../../../support/platform/simulated-shop.ts'
import { deliver, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

const location = (minute: number, fields = {}) => ({
  id: 5,
  name: 'Harbour store',
  active: true,
  updated_at: `2026-11-01T10:${String(minute).padStart(2, '0')}:00+01:00`,
  ...fields,
})

async function startLocations(t: Test) {
  const context = await startDeliveries(t)
  const { app, db, alice, applyAll } = context
  return {
    ...context,
    locations: async (person: Person = alice) => (await person.get('/api/locations')).json().data,
    remove: async (id: number, triggeredAt: string) => {
      await deliver(app, sign(alice, 'LOCATIONS_DELETE', { id }, { 'x-platform-triggered-at': triggeredAt }))
      await applyAll('LOCATIONS_DELETE')
    },
    readings: async () => (await enqueued(db, jobs.reconcileStock, alice.shopId)).length,
    dropReadings: () =>
      db.query(sql.typeAlias('void')`
        select from graphile_worker.remove_job(${jobKey(jobs.reconcileStock, alice.shopId)})
      `),
  }
}

t.test('a location is created, renamed, deactivated and activated in its shop only', async (t) => {
  const { deliverAndApply, locations, readings, dropReadings, mallory } = await startLocations(t)
  await deliverAndApply('LOCATIONS_CREATE', location(1))
  t.match(await locations(), [{ name: 'Harbour store', isActive: true, isPrimary: true }])
  t.equal(await readings(), 1, 'the levels of a new location are read')
  const address = {
    address1: '3 Quay',
    city: 'Bristol',
    zip: 'BS1',
    country_name: 'United Kingdom',
    phone: null,
  }
  await dropReadings()
  await deliverAndApply('LOCATIONS_UPDATE', location(2, { name: 'Harbour', ...address }))
  t.equal(await readings(), 0, 'a new name changes no stock')
  t.match(await locations(), [{ name: 'Harbour', address: { address1: '3 Quay', city: 'Bristol' } }])
  await deliverAndApply('LOCATIONS_DEACTIVATE', location(3, { name: 'Harbour', active: false }))
  t.match(await locations(), [{ isActive: false }])
  t.equal(await readings(), 1, 'the levels of a deactivated location are read')
  await deliverAndApply('LOCATIONS_ACTIVATE', location(4, { name: 'Harbour' }))
  t.match(await locations(), [{ isActive: true }])
  t.equal(await readings(), 1, 'several changes make one reading')
  t.strictSame(await locations(mallory), [])
})

t.test('older updates never overwrite newer ones, together or apart', async (t) => {
  const { deliverAndApply, locations } = await startLocations(t)
  await deliverAndApply('LOCATIONS_UPDATE', location(5, { name: 'New' }), location(3, { name: 'Old' }))
  await deliverAndApply('LOCATIONS_UPDATE', location(4, { name: 'Older', active: false }))
  t.match(await locations(), [{ name: 'New', isActive: true }])
})

t.test('a deleted location is out of use, and a late update does not bring it back', async (t) => {
  const { deliverAndApply, locations, remove, readings, dropReadings } = await startLocations(t)
  await deliverAndApply('LOCATIONS_CREATE', location(1), location(1, { id: 6, name: 'Other' }))
  await dropReadings()
  await remove(5, '2026-11-01T09:30:00Z')
  t.equal(await readings(), 1, 'its levels are read')
  const states = async () =>
    Object.fromEntries(
      (await locations()).map((it: { name: string; isActive: boolean }) => [it.name, it.isActive]),
    )
  t.strictSame(await states(), { Other: true, 'Harbour store': false })
  await deliverAndApply('LOCATIONS_UPDATE', location(29, { name: 'Late' }))
  t.strictSame(await states(), { Other: true, 'Harbour store': false })
})

t.test('a location that was deleted before the app knew it does not appear, in its shop', async (t) => {
  const { app, deliverAndApply, locations, remove, readings, applyAll, mallory } = await startLocations(t)
  await remove(5, '2026-11-01T09:30:00Z')
  t.match(await deliverAndApply('LOCATIONS_CREATE', location(1), location(1, { id: 6, name: 'Other' })), [
    { state: 'applied' },
    { state: 'applied' },
  ])
  t.match(await locations(), [{ name: 'Other', isActive: true, isPrimary: true }])
  t.equal((await locations()).length, 1)
  t.equal(await readings(), 1, 'the levels of the other one are read')
  await deliver(app, sign(mallory, 'LOCATIONS_CREATE', location(1)))
  await applyAll('LOCATIONS_CREATE', mallory)
  t.match(await locations(mallory), [{ name: 'Harbour store' }], 'a deletion concerns one shop')
})

t.test('the deletion of an unknown location is ignored, and invalid payloads are rejected', async (t) => {
  const { deliverAndApply, locations } = await startLocations(t)
  t.match(await deliverAndApply('LOCATIONS_DELETE', { id: 99 }, {}), [
    { state: 'ignored' },
    { state: 'rejected' },
  ])
  t.match(await deliverAndApply('LOCATIONS_UPDATE', location(1, { active: 'yes' })), [{ state: 'rejected' }])
  t.match(await deliverAndApply('LOCATIONS_DELETE', location(2)), [
    { state: 'rejected', reason: /not that of a deleted location/ },
  ])
  t.strictSame(await locations(), [])
})

t.test('the stock of a location that is activated again is the one from before', async (t) => {
  const { shop, platform, locations, perform, alice, db, applyAll, ownLevel, receiveUpdates } =
    await startSimulatedShop(t)
  const [, locationId = ''] = locations
  const { shopId } = alice
  const follow = async (topic: 'LOCATIONS_DEACTIVATE' | 'LOCATIONS_ACTIVATE') => {
    await platform.settled()
    await applyAll(topic)
    await perform(jobs.reconcileStock, { shopId })
  }
  t.strictSame(await ownLevel(0, 1), [10, 10])
  shop.deactivateLocation(locationId)
  await follow('LOCATIONS_DEACTIVATE')
  t.strictSame(await ownLevel(0, 1), [0, 0])
  // locations have whole seconds
  await sleep(1_000)
  shop.activateLocation(locationId)
  await follow('LOCATIONS_ACTIVATE')
  t.strictSame(await ownLevel(0, 1), [10, 10])
  await receiveUpdates()
  await expectLedger(t, db, alice)
  const moves = (
    await alice.get(`/api/stock-movements?${new URLSearchParams({ locationId })}&limit=250`)
  ).json()
  const ofFirst = moves.data.filter(({ sku }: { sku: string }) => sku === moves.data[0].sku)
  t.match(ofFirst, [{ delta: 10 }, { delta: -10 }, { delta: 10 }], 'newest first by the time they happened')
})
