import t, { type Test } from 'tap'
import { upsertProducts } from '../../../../shared/domain/exchange/sync/upsert-products.ts'
import { product, storedVariants, variant } from '../../../support/make/catalogue.ts'
import { deliver, sign, startDeliveries } from '../../../support/platform/webhooks.ts'

const body = (updatedAt: string) => ({
  id: 1,
  title: 'Mug',
  updated_at: updatedAt,
  variants: [{ id: 1, inventory_item_id: 1 }],
})

async function startProducts(t: Test) {
  const context = await startDeliveries(t)
  const { app, db, alice, mallory, applyAll } = context
  for (const { shopId } of [alice, mallory])
    await db.transaction((tx) =>
      upsertProducts(tx, shopId, [product(1, [variant(1)]), product(2, [variant(2)])]),
    )
  return {
    ...context,
    /** Delivers a deletion with the instant at which the platform triggered it. */
    remove: async (id: number, triggeredAt: string) => {
      await deliver(app, sign(alice, 'PRODUCTS_DELETE', { id }, { 'x-platform-triggered-at': triggeredAt }))
      await applyAll('PRODUCTS_DELETE')
    },
    /** The ids of the variants that are not deleted. */
    present: async (person = alice) =>
      (await storedVariants(db, person.shopId)).flatMap(({ gid, isDeleted }) =>
        isDeleted ? [] : [Number(gid.replace(/.*\//, ''))],
      ),
  }
}

t.test('a deleted product leaves the lists of its shop only', async (t) => {
  const { remove, present, alice, mallory } = await startProducts(t)
  await remove(1, '2026-11-01T10:00:00Z')
  t.strictSame(await present(), [2])
  t.strictSame(await present(mallory), [1, 2])
  t.strictSame((await alice.get('/api/products')).json().data.length, 1)
  await remove(1, '2026-11-01T10:00:00Z')
  t.strictSame(await present(), [2], 'a second delivery changes nothing')
})

t.test('a late update from before the deletion does not bring the product back', async (t) => {
  const { remove, present, deliverAndApply } = await startProducts(t)
  await remove(1, '2026-11-01T10:00:00.500Z')
  await deliverAndApply('PRODUCTS_UPDATE', body('2026-11-01T09:59:00Z'))
  t.strictSame(await present(), [2])
})

t.test('a product deleted before its creation was received stays deleted', async (t) => {
  const { remove, present, deliverAndApply, alice } = await startProducts(t)
  await remove(7, '2026-11-01T10:00:00Z')
  await deliverAndApply('PRODUCTS_CREATE', { ...body('2026-11-01T09:59:00Z'), id: 7, variants: [{ id: 70 }] })
  t.strictSame(await present(), [1, 2])
  t.equal((await alice.get('/api/products')).json().data.length, 2)
})

t.test('an invalid payload is rejected, and so is the signed body of another topic', async (t) => {
  const { deliverAndApply, present } = await startProducts(t)
  t.match(await deliverAndApply('PRODUCTS_DELETE', {}), [{ state: 'rejected' }])
  const replayed = await deliverAndApply('PRODUCTS_DELETE', body('2026-11-01T10:00:00Z'))
  t.match(replayed, [{ state: 'rejected', reason: /not that of a deleted product/ }])
  t.strictSame(await present(), [1, 2])
})
