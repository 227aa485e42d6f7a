import t, { type Test } from 'tap'
import type { LineCode, OrderReceipt } from '../../../shared/schemas/receipts.ts'
import { openReceiptStores, storedDraft } from '../../../web/src/pages/purchase-orders/scan/local-receipt.ts'
import { openReceiptDraft } from '../../../web/src/pages/purchase-orders/scan/receipt-draft.ts'
import { documentOf } from '../../../web/src/pages/purchase-orders/scan/receipt-goods.ts'
import { startApp } from '../../support/core/app.ts'
import { until } from '../../support/core/until.ts'
import { line, makeSentOrder, makeSupplier, readOrder } from '../../support/make/orders.ts'
import { postDraft } from '../../support/make/receipts.ts'
import { closeLocation, locationGid, makeStock } from '../../support/make/stock.ts'
import { makeSupplierProduct } from '../../support/make/supplier-products.ts'
import { makeLink, type Network, openScanPage, type Sent } from '../../support/web/link.ts'

/** An order of 14 mugs, in packs of 6, and 20 bowls; a device that scans it with a tolerance of 10 %. */
async function start(t: Test) {
  const { db, alice } = await startApp(t)
  await makeStock(db, alice, { variants: 3, locations: 2 })
  const supplierId = await makeSupplier(alice)
  const pack = { supplierId, variantId: line(1).variantId, packSize: 6, packBarcode: '5012345678900' }
  await makeSupplierProduct(alice, { ...pack, supplierSku: 'K-MUG' })
  const lineItems = [line(1, { quantity: 14, costPrice: 2 }), line(2, { quantity: 20, costPrice: 2 })]
  const { id } = await makeSentOrder(alice, { supplierId, lineItems, destinationLocationId: locationGid(2) })
  const { codes }: { codes: LineCode[] } = (await alice.get(`/api/purchase-orders/${id}/codes`)).json().data
  const sent: Sent[] = []
  const stores = openReceiptStores(alice.shopDomain, id)
  const receipts = `/purchase-orders/${id}/receipts`
  /** Opens the page of the order, also once more after a reload. */
  const openPage = async (network: Network = 'there') => {
    const link = makeLink(alice, sent)
    link.set(network)
    const draft = openReceiptDraft(
      { document: documentOf(await readOrder(alice, id), codes, 10), receipt: storedDraft(stores), stores },
      {
        create: (locationId, key) => link.request('POST', receipts, locationId ? { locationId } : {}, key),
        save: ({ receiptId, ...body }, key) => link.request('PUT', `${receipts}/${receiptId}`, body, key),
        read: (receiptId) => link.request('GET', `${receipts}/${receiptId}`),
        find: async () => ({ fault: 'unknown', found: [] }),
      },
    )
    return openScanPage(t, draft, link)
  }
  const stored = async (): Promise<OrderReceipt | undefined> => {
    const [newest] = (await alice.get(`/api${receipts}?state=draft`)).json().data
    return newest && (await alice.get(`/api${receipts}/${newest.id}`)).json().data
  }
  const accepted = async () => (await stored())?.lines.map((line) => line.accepted)
  const isStored = (...pieces: number[]) =>
    until(async () => String(await accepted()) === String(pieces), `${pieces} are stored`)
  return { db, alice, id, sent, stores, receipts, openPage, stored, accepted, isStored }
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof start>>['openPage']>>

const toneOf = (page: Page) => page.state().signal?.tone

t.test('each scan has the answer of its line: pieces, packs, the tolerance and beyond it', async (t) => {
  const page = await (await start(t)).openPage()
  const steps = [
    { code: 'sku-1', counted: 1, tone: 'right' },
    { code: '05012345678900', counted: 7, tone: 'right' },
    { code: 'k-mug', counted: 8, tone: 'right' },
    { code: '5012345678900', counted: 14, tone: 'right' },
    { code: 'SKU-1', counted: 15, tone: 'over' },
    // 15 + 6 is above floor(14 × 1.1)
    { code: '5012345678900', counted: 15, tone: 'over', fault: 'complete' },
  ]
  for (const { code, counted, tone, fault } of steps) {
    page.scan(code)
    t.equal(page.state().last?.counted, counted, `${code} makes ${counted}`)
    t.equal(toneOf(page), tone, `${code} sounds ${tone}`)
    t.equal(page.state().scans[0]?.fault, fault)
  }
  const [over] = page.state().scans
  const [target] = over?.found ?? []
  if (!over || !target) throw new Error('The pack is listed')
  page.countOn(over.code, target)
  t.match(page.state(), { scans: [], last: { counted: 21 } })
  page.undoScan()
  page.scan('sku-1')
  t.match(
    page.state().scans,
    [{ code: 'sku-1', fault: 'complete' }],
    'the undone pack is not counted: 15 + 1',
  )
  page.dropScan('sku-1')
  page.scan('4012345678901')
  await until(() => page.state().scans[0]?.fault === 'unknown', 'no product has the code')
  t.equal(toneOf(page), 'wrong')
})

t.test('each scan counts once, in its order, whatever the network does', async (t) => {
  const { sent, stores, openPage, accepted, isStored } = await start(t)
  let page = await openPage()
  page.scan('sku-1', 2)
  t.equal(await page.syncNow(), true)
  t.strictSame(await accepted(), [2, 0])

  page.link.set('away')
  page.scan('sku-2', 3)
  t.equal(await page.syncNow(), false)
  t.equal(page.state().syncFailure, 'retrying')
  page.close()
  page = await openPage('away')
  page.scan('sku-1')
  t.equal(page.state().last?.counted, 3, 'a reload loses no scan')
  t.strictSame(await accepted(), [2, 0], 'nothing was sent')

  page.link.set('lost')
  const before = sent.length
  await until(() => sent.length > before, 'the request is sent')
  await isStored(2, 3)
  const lost = sent.at(-1)
  page.close()
  page = await openPage()
  page.scan('sku-2', 2)
  await isStored(3, 5)
  await until(() => page.state().entries.size === 0, 'the device has the answer')
  const bodies = new Map(sent.map(({ key, body }) => [key, JSON.stringify(body)]))
  t.ok(
    sent.every(({ key, body }) => bodies.get(key) === JSON.stringify(body)),
    'one body of each key',
  )
  t.ok(sent.filter(({ key }) => key === lost?.key).length > 1, 'the lost request is sent again')

  page.link.set('expired')
  page.scan('sku-1')
  t.equal(await page.syncNow(), false)
  t.equal(page.state().syncFailure, 'session')
  page.link.set('there')
  await isStored(4, 5)
  await until(() => page.state().syncFailure === 'none', 'the session is renewed')

  page.clear()
  for (const store of Object.values(stores)) t.strictSame(store.all(), [], 'a posted receipt leaves nothing')
})

t.test('a second device of the same person adds its pieces to the same draft', async (t) => {
  const { alice, receipts, openPage, stored } = await start(t)
  const page = await openPage()
  page.scan('sku-1')
  await page.syncNow()
  const draft = await stored()
  const lines = [{ lineItemId: draft?.lines[0]?.lineItemId, accepted: 5 }]
  await alice.put(`/api${receipts}/${draft?.id}`, { lines })
  page.scan('sku-1', 2)
  t.equal(await page.syncNow(), true)
  t.match(await stored(), { id: draft?.id, lines: [{ accepted: 7 }, {}] })
})

t.test('the pieces of a deleted draft go into a new one, those of a posted draft do not', async (t) => {
  const { alice, receipts, openPage, stored, isStored } = await start(t)
  const page = await openPage()
  page.scan('sku-1', 3)
  const [, bowls] = page.state().document.lines
  if (!bowls) throw new Error('The order has two lines')
  const shown = { ...bowls, accepted: 0, rejected: 0, reason: '', outcome: null }
  page.set(shown, { accepted: 0, rejected: 2, reason: 'Chipped', outcome: 'replace', unitCost: 1.95 })
  t.equal(await page.syncNow(), true)
  await alice.delete(`/api${receipts}/${(await stored())?.id}`)
  page.scan('sku-1')
  await isStored(4, 0)
  t.equal(page.state().ended, 'deleted')
  const rejected = { rejected: 2, rejectReason: 'Chipped', rejectOutcome: 'replace', unitCost: 1.95 }
  t.match((await stored())?.lines, [
    { accepted: 4, unitCost: null },
    { accepted: 0, ...rejected },
  ])
  page.acknowledge()
  t.equal(page.state().ended, undefined)

  const draft = await stored()
  if (!draft) throw new Error('The draft is stored')
  await postDraft(alice, draft)
  page.scan('sku-2')
  await isStored(0, 1)
  t.equal(page.state().ended, 'posted')
  t.match(page.state().document.lines, [{ outstanding: 10 }, { outstanding: 20 }])
})

t.test('an order without a location in use keeps its scans until the merchant names one', async (t) => {
  const { db, alice, openPage, stored } = await start(t)
  await closeLocation(db, alice, 2)
  const page = await openPage()
  page.scan('sku-1', 2)
  t.equal(await page.syncNow(), false)
  t.equal(page.state().syncFailure, 'refused')
  t.equal(await page.createAt(locationGid(1)), true)
  t.match(await stored(), { locationId: locationGid(1), lines: [{ accepted: 2 }, { accepted: 0 }] })
})
