import { randomUUID } from 'node:crypto'
import t, { type Test } from 'tap'
import type { FilledStockCount, StockCount } from '../../../shared/schemas/stock-counts.ts'
import type { VariantMatches } from '../../../shared/schemas/variants.ts'
import { thisDevice } from '../../../web/src/pages/counts/offline/device.ts'
import { openCountDraft } from '../../../web/src/pages/counts/offline/draft.ts'
import {
  type LoadedCount,
  openCountStores,
  openLateStores,
  roundOf,
  setCountBlind,
} from '../../../web/src/pages/counts/offline/local-count.ts'
import { numberOf, othersOf } from '../../../web/src/pages/counts/offline/state.ts'
import { startApp } from '../../support/core/app.ts'
import { makeColleague } from '../../support/core/people.ts'
import { until } from '../../support/core/until.ts'
import { makeSupplier } from '../../support/make/orders.ts'
import { makeCount, makeStock, readCount, readLevels, variantGid } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'
import { makeLink, openScanPage } from '../../support/web/link.ts'

/** A count of a location with 10 units of each of four products; the first comes in packs of 6. */
async function start(t: Test) {
  const { app, db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 4 })
  const pack = { packSize: 6, packBarcode: '5012345678900' }
  await makeSupplierProduct(alice, {
    supplierId: await makeSupplier(alice),
    variantId: variantGid(1),
    ...pack,
  })
  const id = await makeCount(alice)
  /** Opens the count as a person on this device, also once more after a reload; `count` is the one that the device kept. */
  const openPage = async (person = alice, count?: StockCount) => {
    const link = makeLink(person)
    const fillKey = randomUUID()
    const path = `/stock-counts/${id}`
    const loaded: LoadedCount = {
      person: person.shopDomain + person.userId,
      count: count ?? (await readCount(person, id)),
    }
    const round = roundOf(loaded.count)
    const draft = openCountDraft(loaded.count, openCountStores(loaded), {
      isKept: count !== undefined,
      send: (items, key) =>
        link.request<StockCount>('PUT', path, { items, device: thisDevice(), round }, key),
      fill: () => link.request<FilledStockCount>('POST', `${path}/add-products`, {}, fillKey),
      read: () => link.request('GET', path),
      keep: () => {},
      find: async (_, text) => {
        const body = { codes: [text], packs: true }
        const [match] = await link.request<VariantMatches>('POST', '/variants/find', body)
        return (match?.variants ?? []).map((variant) => ({ ...variant, pieces: variant.packSize }))
      },
    })
    const number = (product: number) => numberOf(draft.state(), variantGid(product))
    const others = (product: number) => othersOf(draft.state(), variantGid(product))
    const writes = () => link.sent.filter((one) => one.path === path)
    return { ...openScanPage(t, draft, link), number, others, writes, loaded }
  }
  const itemOf = async (product: number) =>
    (await readCount(alice, id)).items.find(({ variantId }) => variantId === variantGid(product))
  const isSaved = (product: number, quantity: number) =>
    until(async () => (await itemOf(product))?.countedQuantity === quantity, `${quantity} are saved`)
  const post = (verb: string, body = {}) => alice.post(`/api/stock-counts/${id}/${verb}`, body)
  return { app, db, alice, id, openPage, itemOf, isSaved, post }
}

t.test(
  'a product is added once, with all scans during its lookup, and a pack counts its pieces',
  async (t) => {
    const { openPage, isSaved } = await start(t)
    const page = await openPage()
    page.scan('sku-1', 3)
    page.scan('SKU-2', 2)
    t.equal(page.number(1), null, 'the lookup is not answered')
    await isSaved(1, 3)
    await isSaved(2, 2)
    page.scan('05012345678900', 2)
    await until(() => page.number(1) === 15, 'the pack is looked up')
    page.scan('5012345678900')
    t.equal(page.number(1), 21, 'the device knows the pack')
    page.undoScan()
    t.equal(page.number(1), 15)
    await isSaved(1, 15)
    page.scan('no such code', 2)
    await until(() => page.state().scans[0]?.fault === 'unknown', 'no product has the code')
    t.match(page.state(), { scans: [{ times: 2 }], signal: { tone: 'wrong' } })
    page.lookUpAgain('no such code')
    await until(() => page.state().scans[0]?.fault === 'unknown', 'still none')
  },
)

t.test('more than expected sounds so, unless the count is blind on the device', async (t) => {
  const { db, alice, id, openPage, isSaved } = await start(t)
  const first = await openPage()
  first.scan('sku-1')
  await isSaved(1, 1)
  await readLevels(db, alice)
  first.stop()
  const page = await openPage()
  page.scan('sku-1', 9)
  t.equal(page.state().signal?.tone, 'right', '10 of 10')
  page.scan('sku-1')
  t.equal(page.state().signal?.tone, 'over')
  setCountBlind(id, true)
  t.teardown(() => setCountBlind(id, false))
  page.scan('sku-1')
  t.equal(page.state().signal?.tone, 'right')
})

t.test(
  'numbers entered during a request are saved by the next one, which has only the changes',
  async (t) => {
    const { openPage, isSaved } = await start(t)
    const page = await openPage()
    page.scan('sku-1')
    page.scan('sku-2')
    await isSaved(1, 1)
    await isSaved(2, 1)
    await until(() => page.state().entries.size === 0, 'the device has the answer')
    const before = page.writes().length
    page.scan('sku-1')
    const saved = page.syncNow()
    page.scan('sku-1', 4)
    await saved
    await isSaved(1, 6)
    const bodies = page.writes().slice(before)
    t.match(bodies, { length: 2 }, 'one request at a time')
    const items = [{ variantId: variantGid(1), countedQuantity: 6 }]
    t.match(bodies[1]?.body, { items })
    t.match(bodies[1]?.body, { items: { length: 1 } })
  },
)

t.test('scans without a network survive a reload, and count once', async (t) => {
  const { app, alice, id, openPage, isSaved } = await start(t)
  let page = await openPage()
  page.scan('sku-1', 2)
  await isSaved(1, 2)
  await until(() => page.state().entries.size === 0, 'the device has the answer')
  const kept = page.state().count
  page.link.set('away')
  page.scan('sku-1')
  page.scan('sku-3')
  t.equal(await page.syncNow(), false)
  page.stop()
  const bob = await makeColleague(app, alice, 'bob')
  const items = [{ variantId: variantGid(1), countedQuantity: 4 }]
  await bob.put(`/api/stock-counts/${id}`, { items, device: 'phone' })
  page = await openPage(alice, kept)
  t.equal(page.number(1), 3)
  page.scan('sku-1')
  page.link.set('lost')
  t.equal(await page.syncNow(), false, 'the answer is lost')
  page.link.set('there')
  await isSaved(1, 4 + 4)
  await isSaved(3, 1)
  await until(() => page.state().entries.size === 0, 'the request is answered')
  t.equal(page.others(1), 4, 'those of others are read')
  const [lost, again] = page.writes()
  t.strictSame(again, lost, 'the lost request is sent again as it was')
})

t.test('unsaved numbers wait for the person that counted them', async (t) => {
  const { app, alice, openPage, itemOf, isSaved } = await start(t)
  const first = await openPage()
  first.scan('sku-1', 2)
  await isSaved(1, 2)
  first.link.set('away')
  first.scan('sku-1', 3)
  t.equal(await first.syncNow(), false)
  first.stop()
  const second = await openPage(await makeColleague(app, alice, 'bob'))
  t.strictSame([second.number(1), second.others(1)], [null, 2])
  second.scan('sku-2')
  await isSaved(2, 1)
  t.match(await itemOf(1), { countedQuantity: 2 }, 'the second person sends none of them')
  const again = await openPage()
  t.equal(again.number(1), 5)
  await isSaved(1, 5)
})

t.test('a recount takes no number of the first count, and says what it refuses', async (t) => {
  const { app, db, alice, openPage, itemOf, isSaved, post } = await start(t)
  const bob = await makeColleague(app, alice, 'bob')
  const first = await openPage()
  first.scan('sku-1', 2)
  await isSaved(1, 2)
  const late = await openPage(bob)
  late.link.set('away')
  late.scan('sku-1', 3)
  t.equal(await late.syncNow(), false)
  await readLevels(db, alice)
  t.equal((await post('finish')).statusCode, 200)
  t.equal((await post('recount', { variancePercentAbove: 0 })).statusCode, 200)
  late.link.set('there')
  await until(() => late.state().syncFailure === 'refused', 'the late number is refused')
  late.stop()
  const second = await openPage(bob)
  t.equal(second.number(1), null)
  const [, ofFirst] = openLateStores(second.loaded)
  t.match(ofFirst?.entries.all(), [[variantGid(1), { counted: 3 }]], 'the device lists it as late')
  second.scan('sku-1', 7)
  await isSaved(1, 7)
  t.match((await itemOf(1))?.entries, [{ round: 2, countedQuantity: 7 }])

  first.stop()
  const own = await openPage()
  const isRefused = (code: string, fault: string) => {
    own.scan(code)
    return until(() => own.state().scans.at(-1)?.fault === fault, `${code} is refused`)
  }
  await isRefused('sku-1', 'same_person')
  await isRefused('sku-3', 'not_in_recount')
  t.equal(own.state().entries.size, 0, 'they block no other number')
})

t.test('numbers of a count that another user has cancelled stay on the device as late', async (t) => {
  const { alice, id, openPage, isSaved } = await start(t)
  const page = await openPage()
  page.scan('sku-1', 6)
  await isSaved(1, 6)
  page.link.set('away')
  page.scan('sku-1')
  t.equal(await page.syncNow(), false)
  t.equal((await alice.put(`/api/stock-counts/${id}`, { status: 'cancelled' })).statusCode, 200)
  page.link.set('there')
  await until(() => page.state().syncFailure === 'refused', 'the number is refused')
  page.stop()
  const late = openLateStores((await openPage()).loaded)
  t.match(late.at(-1)?.entries.all(), [[variantGid(1), { counted: 7 }]])
})

t.test('a product that is not tracked is listed, and added as not counted once it is', async (t) => {
  const { openPage, itemOf } = await start(t)
  const page = await openPage()
  const chosen = (product: number, isTracked = true) => ({
    ...{ variantId: variantGid(product), sku: `SKU-${product}`, barcode: `00${product}` },
    ...{ title: `Thing ${product}`, isTracked },
  })
  t.equal(await page.addChosen([chosen(2, false)]), null)
  t.match(page.state().scans, [{ fault: 'untracked', times: 0 }])
  t.equal(await page.addChosen([chosen(2)]), null)
  t.strictSame(page.state().scans, [])
  t.equal(await page.syncNow(), true)
  t.match(await itemOf(2), { countedQuantity: null })

  t.equal(await page.addChosen([chosen(3, false), chosen(4)]), 1, 'of several the others are added')
  t.match(page.state().scans, { length: 1 })
  t.match(await itemOf(4), { countedQuantity: null })
  page.link.set('away')
  await t.rejects(page.addChosen([chosen(3), chosen(1)]), { code: 'no_connection' })
  t.match(page.state().scans, { length: 1 }, 'a failure removes nothing')
  page.link.set('there')
  t.equal(await page.addChosen([chosen(3), chosen(1), chosen(4)]), 2)
  t.strictSame(page.state().scans, [])
  t.equal(await page.addChosen([chosen(1), chosen(4)]), 0, 'both are in the count')
})

t.test('the late answer of added products does not bring old numbers back', async (t) => {
  const { openPage, isSaved } = await start(t)
  const page = await openPage()
  page.scan('sku-1', 4)
  await isSaved(1, 4)
  await until(() => page.state().entries.size === 0, 'the device has the answer')
  page.link.set('lost')
  await t.rejects(page.addAll(), { code: 'no_connection' })
  page.link.set('there')
  page.scan('sku-1', 2)
  await isSaved(1, 6)
  await until(() => page.state().entries.size === 0, 'the device has the answer')
  t.equal(await page.addAll(), 3, 'the repeated request has its first answer')
  t.equal(page.number(1), 6)
})
