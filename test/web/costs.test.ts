import t from 'tap'
import type { PurchaseOrder } from '../../shared/schemas/purchase-orders.ts'
import type { StockLevel } from '../../shared/schemas/stock-levels.ts'
import { expectSoon, startAdmin } from '../support/core/admin.ts'
import { until } from '../support/core/until.ts'

t.test('charges of an order become the cost of its products', async (t) => {
  const { install, get, send, open, shop, adminUrl } = await startAdmin(t)
  await install()
  const levels = await get<StockLevel[]>('/stock-levels')
  const variantIds = [...new Set(levels.map(({ variantId }) => variantId))].slice(0, 2)
  const lineItems = await Promise.all(
    variantIds.map(async (variantId, at) => {
      const { productId } = await get<{ productId: string }>(`/variants/${variantId.replace(/.*\//, '')}`)
      return { productId, variantId, quantity: at === 0 ? 100 : 50, costPrice: at === 0 ? 30 : 12 }
    }),
  )
  const { id: supplierId } = await send<{ id: number }>('POST', '/suppliers', { name: 'Kiln' })
  const { id } = await send<{ id: number }>('POST', '/purchase-orders', { supplierId, lineItems })
  await send('POST', `/purchase-orders/${id}/send`)
  const order = await get<PurchaseOrder>(`/purchase-orders/${id}`)
  const { page, app } = await open(`/purchase-orders/${id}`)
  const charges = app.getByRole('table', { name: 'Charges', exact: true })
  const landed = app.getByRole('table', { name: 'Landed cost by line', exact: true })

  await t.test('a charge is added, split by value, and corrected', async (t) => {
    await app.getByText('No charges yet.').waitFor()
    await app.getByRole('button', { name: 'Add a charge' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter the amount.').waitFor()
    await dialog.getByLabel('Amount').fill('360')
    await dialog.getByLabel('This is an estimate').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await charges.getByText('Estimate').waitFor()
    await app.getByRole('button', { name: 'Add a charge' }).and(app.locator(':focus')).waitFor()
    // 3 000 and 600 of 3 600: 300 and 60; 30 + 300 / 100 and 12 + 60 / 50
    await landed.getByRole('row').nth(1).getByText('33.00').waitFor()
    await landed.getByRole('row').nth(2).getByText('13.20').waitFor()
    await expectSoon(t, () => landed.getByRole('row').count(), 3)

    await app.getByRole('button', { name: 'Edit Freight' }).click()
    await dialog.getByLabel('Amount').fill('720')
    await dialog.getByLabel('This is an estimate').uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    // a message that the pointer rests on does not close by itself
    await app.getByText('Charge saved').hover()
    await landed.getByRole('row').nth(1).getByText('36.00').waitFor()
    await charges.getByText('Estimate').waitFor({ state: 'hidden' })
  })

  await t.test('shares by hand must add up', async (t) => {
    await app.getByRole('button', { name: 'Add a charge' }).press('Enter')
    const dialog = app.getByRole('dialog')
    await expectSoon(
      t,
      () => app.getByText('Charge saved').count(),
      0,
      'the message does not cover the dialog',
    )
    await dialog.getByLabel('Amount').fill('10')
    await dialog.getByLabel('Split among the lines').click()
    await app.getByRole('option', { name: 'By hand' }).click()
    await dialog.getByLabel(order.lineItems[0]?.title ?? '').fill('4')
    await dialog.getByText('split').filter({ hasText: '4.00' }).waitFor()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Must add up to 10, and add up to 4.').first().waitFor()
    await dialog.getByLabel('Amount').fill('0.3')
    for (const [at, { title }] of order.lineItems.entries())
      await dialog.getByLabel(title).fill(at === 0 ? '0.1' : at === 1 ? '0.2' : '')
    const split = dialog.getByText('split').filter({ hasText: '0.30' })
    await expectSoon(t, async () => (await split.getAttribute('style'))?.includes('dimmed'), true)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await t.test('a charge in another currency, with an error that no field shows', async (t) => {
    await app.getByRole('button', { name: 'Add a charge' }).click()
    const dialog = app.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('100')
    await dialog.getByLabel('Currency').fill('eur')
    await dialog.getByText('No rate of EUR is known').waitFor()
    await dialog.getByLabel('1 EUR in USD').fill('1.1')
    await dialog.getByLabel('Tax rate').fill('190')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Enter at most 100.').waitFor()
    await dialog.getByLabel('Tax rate').fill('19')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { charges: stored } = await get<PurchaseOrder>(`/purchase-orders/${id}`)
    const added = stored.at(-1)
    t.match(added, { currency: 'EUR', rate: 1.1, taxRate: 19, amount: 100 })

    const edit = app.getByRole('button', { name: 'Edit Freight' })
    await expectSoon(t, () => edit.count(), 2, 'the page has the new charge')
    await edit.last().click()
    await dialog.getByText('Leave empty to keep 1.1').waitFor()
    await send('PUT', `/purchase-orders/${id}/charges/${added?.id}`, { amount: 90 })
    await dialog.getByLabel('Amount').fill('110')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('This order was changed since you opened it').waitFor()
    await dialog.getByText(/^Charge for freight: freight, .*100\.00.* → freight, .*90\.00/).waitFor()
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).click()
    await dialog.waitFor({ state: 'hidden' })
    t.match((await get<PurchaseOrder>(`/purchase-orders/${id}`)).charges.at(-1), { amount: 110 })
    // the page has read the order again: a deletion sends the version that it shows
    await charges.getByText('110.00').waitFor()
    await app.getByRole('button', { name: 'Delete Freight' }).last().click()
    await app.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expectSoon(t, async () => (await get<PurchaseOrder>(`/purchase-orders/${id}`)).charges.length, 1)
  })

  await t.test('a charge that another user deletes in the meantime cannot be saved', async (t) => {
    const insurance = { kind: 'insurance', amount: 7, basis: 'value' }
    const added = await send<{ id: number }>('POST', `/purchase-orders/${id}/charges`, insurance)
    await page.goto(`${adminUrl}/purchase-orders/${id}`)
    await app.getByRole('button', { name: 'Edit Insurance' }).click()
    const dialog = app.getByRole('dialog')
    await send('DELETE', `/purchase-orders/${id}/charges/${added.id}`)
    await dialog.getByLabel('Amount').fill('8')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Charge for insurance: deleted').waitFor()
    await dialog.getByRole('button', { name: 'Overwrite with mine' }).waitFor({ state: 'hidden' })
    await dialog.getByRole('button', { name: 'Use theirs' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await app.getByRole('button', { name: 'Edit Insurance' }).waitFor({ state: 'hidden' })
    t.match((await get<PurchaseOrder>(`/purchase-orders/${id}`)).charges, [{ kind: 'freight' }])
  })

  await t.test('a price that was to be agreed is entered after the receipt', async (t) => {
    const variantId = levels.map((level) => level.variantId).find((gid) => !variantIds.includes(gid)) ?? ''
    const { productId } = await get<{ productId: string }>(`/variants/${variantId.replace(/.*\//, '')}`)
    const open2 = await send<{ id: number }>('POST', '/purchase-orders', {
      supplierId,
      lineItems: [{ productId, variantId, quantity: 4, costPrice: null }],
    })
    await send('POST', `/purchase-orders/${open2.id}/send`, { allowUnknownCosts: true })
    await send('POST', `/purchase-orders/${open2.id}/charges`, { kind: 'duty', amount: 2, basis: 'quantity' })
    const { lineItems: lines } = await get<PurchaseOrder>(`/purchase-orders/${open2.id}`)
    await send('POST', `/purchase-orders/${open2.id}/receive`, {
      lineItems: [{ lineItemId: lines[0]?.id, quantityReceived: 4 }],
    })
    const received = await open(`/purchase-orders/${open2.id}`)
    await received.app.getByText('Enter the missing prices to see what the order costs.').waitFor()
    await received.app.getByRole('button', { name: 'CSV' }).first().waitFor()
    for (const width of [360, 1280]) {
      await received.page.setViewportSize({ width, height: 900 })
      const fits = async () =>
        Number(await received.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')) <= width
      await expectSoon(t, fits, true, `it does not scroll sideways at ${width} px`)
    }
    await received.app.getByRole('button', { name: 'Enter prices' }).click()
    await received.app
      .getByRole('dialog')
      .getByLabel(lines[0]?.title ?? '')
      .fill('7.25')
    await received.app.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await received.app.getByText(/All goods and charges: \D*31\.00/).waitFor()
  })

  await t.test('the product page shows the average and what changed it', async (t) => {
    await send('POST', `/purchase-orders/${id}/receive`, {
      lineItems: [{ lineItemId: order.lineItems[0]?.id, quantityReceived: 100 }],
    })
    const number = variantIds[0]?.replace(/.*\//, '')
    const product = await open(`/variants/${number}`)
    const history = product.app.getByRole('table', { name: 'Changes of the cost', exact: true })
    await history.getByRole('link', { name: 'Received' }).waitFor()
    await history.getByText('First known cost').waitFor()
    const costs = await get<{ averageCost: number; movements: unknown[] }>(`/variants/${number}/costs`)
    t.equal(costs.movements.length, 2)
    for (const width of [1280, 360]) {
      await product.page.setViewportSize({ width, height: 900 })
      const fits = async () =>
        Number(await product.page.frames()[1]?.evaluate('document.documentElement.scrollWidth')) <= width
      await expectSoon(t, fits, true, `it does not scroll sideways at ${width} px`)
    }
    const { app } = product
    await app.getByRole('link', { name: 'Price history' }).click()
    await app.getByRole('heading', { name: 'Price history', level: 1 }).waitFor()
    const rows = app.getByRole('table', { name: 'Price history', exact: true }).getByRole('row')
    const { title } = await get<{ title: string }>(`/variants/${number}`)
    await app.getByRole('button', { name: `Remove filter Product: ${title}` }).click()
    await expectSoon(t, () => app.getByRole('button', { name: /^Remove filter/ }).count(), 0)
    await rows.nth(1).waitFor()
  })

  await t.test('ten changes of a cost are shown at first, and the rest on demand', async (t) => {
    const number = variantIds[1]?.replace(/.*\//, '')
    for (let cost = 1; cost <= 11; cost++) await send('PUT', `/variants/${number}`, { unitCost: cost })
    const { app } = await open(`/variants/${number}`)
    const rows = app.getByRole('table', { name: 'Changes of the cost', exact: true }).getByRole('row')
    await rows.nth(10).waitFor()
    await expectSoon(t, () => rows.count(), 11, 'the heads and ten changes')
    await app.getByRole('button', { name: 'Load more' }).first().click()
    // the first known cost of the shop comes before those that were typed
    await rows.getByText('First known cost').waitFor()
    await expectSoon(t, () => rows.count(), 13)
  })

  await t.test('parts of the product page that cannot be read are read again on demand', async (t) => {
    const number = variantIds[1]?.replace(/.*\//, '')
    const { page, app } = await open('/stock')
    const parts = (url: URL) => /\/variants\/\d+\/(costs|suppliers|forecast)$/.test(url.pathname)
    await page.route(parts, (route) => route.fulfill({ status: 404, json: {} }))
    await page.goto(`${adminUrl}/variants/${number}`)
    for (const name of ['Costs', 'Prices of suppliers', 'Forecast'])
      await app.getByRole('heading', { name, exact: true }).waitFor()
    await page.unroute(parts)
    const retry = app.getByRole('button', { name: 'Try again' })
    for (const left of [2, 1, 0]) {
      await retry.first().click()
      await expectSoon(t, () => retry.count(), left)
    }
    await app.getByText('Average cost', { exact: true }).waitFor()
    await app.getByText(/^No forecast yet/).waitFor()
  })

  await t.test('the value of a day is shown at either cost', async () => {
    const report = await open('/reports/inventory-value')
    const day = new Date().toISOString().slice(0, 10)
    await report.app.getByLabel('Value at the end of').fill(day)
    await report.app.getByText('All locations').waitFor()
    await report.app.getByRole('button', { name: 'Last cost' }).click()
    await report.app.getByRole('table', { name: 'Inventory value by day and location' }).waitFor()
  })

  await t.test('reports show what was paid, what will be, and what sales earned', async (t) => {
    const history = await open('/reports/price-history')
    const paid = history.app.getByRole('table', { name: 'Price history', exact: true })
    // 30 + 720 × 3 000 / 3 600 / 100
    await paid.getByRole('row').nth(1).getByText('36.00').waitFor()
    const commitments = await open('/reports/commitments')
    await commitments.app.getByRole('table', { name: 'By supplier' }).getByText('600.00').waitFor()
    const margin = await open('/reports/margin')
    await margin.app.getByRole('heading', { name: 'Margin', level: 1 }).waitFor()
    for (const { page } of [history, commitments, margin]) {
      await page.setViewportSize({ width: 360, height: 800 })
      const fits = async () =>
        Number(await page.frames()[1]?.evaluate('document.documentElement.scrollWidth')) <= 360
      await expectSoon(t, fits, true, 'it does not scroll sideways on a phone')
    }
  })

  await t.test('the merchant lets costs be written to the shop', async (t) => {
    const settings = await open('/settings')
    await settings.app.getByRole('combobox', { name: 'Costs in your shop' }).click()
    await settings.app.getByRole('option', { name: 'Write the average cost' }).click()
    await settings.app.getByRole('button', { name: 'Save', exact: true }).click()
    await settings.app.getByText('Settings saved').waitFor()
    t.match(await get('/settings'), { costWriteBack: 'average' })
  })

  /*
   * Ordered in CNY at 0.139: 100 at 30, 50 at 12, 10 at 5.50; weights 200 g, 400 g, 1 000 g.
   *   freight    400 by weight: 20, 20 and 10 kg of 50 kg: 160, 160, 80
   *   duty       33.33 by value on the first two, 3 000 and 600 of 3 600: 27.78 and 5.55
   *   landed     4.17 + 187.78 / 100 = 6.0478     1.668 + 165.55 / 50 = 4.979     0.7645 + 80 / 10 = 8.7645
   *   total      417 + 83.40 + 7.645 + 433.33 = 941.38
   *   60 arrive  10 on hand at 5.00: (10 × 5.00 + 60 × 6.0478) / 70 = 5.8981
   *   40 arrive  5 are left: (5 × 5.898114 + 40 × 6.0478) / 45 = 6.0312
   *   late       50.00 on the first line, 45 of 100 pieces are left: 6.0312 + 50 × 0.45 / 45 = 6.5312; 27.50 is a variance
   */
  await t.test(
    'an order in yuan with freight, duty and a late bill costs what the formulas give',
    async (t) => {
      const chosen = [...new Set(levels.map(({ variantId }) => variantId))].slice(2, 5)
      const kilograms = [0.2, 0.4, 1]
      const lines = await Promise.all(
        chosen.map(async (variantId, at) => {
          const number = variantId.replace(/.*\//, '')
          const { productId } = await get<{ productId: string }>(`/variants/${number}`)
          shop.editProduct(productId.replace(/.*\//, ''), {
            variants: [{ id: number, weight: kilograms[at] ?? null }],
          })
          await until(
            async () =>
              (await get<{ weightGrams: number }>(`/variants/${number}`)).weightGrams ===
              1000 * (kilograms[at] ?? 0),
            'the weight of the shop',
          )
          return { productId, variantId, quantity: [100, 50, 10][at], costPrice: [30, 12, 5.5][at] }
        }),
      )
      const [first] = chosen
      const setStock = (sum: number) => {
        const [one, ...others] = levels.filter(({ variantId }) => variantId === first)
        const adjustments = [
          { variantId: first, locationId: one?.locationId, quantity: sum },
          ...others.map(({ locationId }) => ({ variantId: first, locationId, quantity: 0 })),
        ]
        return send('PUT', '/stock-levels/bulk', { adjustments })
      }
      await setStock(10)
      await send('PUT', `/variants/${first?.replace(/.*\//, '')}`, { unitCost: 5 })
      const kiln = await send<{ id: number }>('POST', '/suppliers', { name: 'Jingdezhen', currency: 'CNY' })
      const body = { supplierId: kiln.id, rate: 0.139, lineItems: lines }
      const yuan = await send<{ id: number }>('POST', '/purchase-orders', body)
      await send('POST', `/purchase-orders/${yuan.id}/send`)
      const sent = await get<PurchaseOrder>(`/purchase-orders/${yuan.id}`)
      const lineId = sent.lineItems[0]?.id
      const page = await open(`/purchase-orders/${yuan.id}`)
      const dialog = page.app.getByRole('dialog')
      const addCharge = async (kind: string, amount: string, split: string, lineCount: number) => {
        await page.app.getByRole('button', { name: 'Add a charge' }).click()
        await dialog.getByRole('combobox', { name: 'Kind' }).click()
        await page.app.getByRole('option', { name: kind, exact: true }).click()
        await dialog.getByLabel('Amount').fill(amount)
        await dialog.getByLabel('Split among the lines').click()
        await page.app.getByRole('option', { name: split, exact: true }).click()
        for (const { title } of sent.lineItems.slice(0, lineCount)) {
          await dialog.getByRole('combobox', { name: 'Lines', exact: true }).fill(title)
          await page.app.getByRole('option', { name: title }).first().click()
        }
        if (lineCount > 0) await page.page.keyboard.press('Tab')
        await dialog.getByRole('button', { name: 'Save' }).click()
        await dialog.waitFor({ state: 'hidden' })
      }
      const table = page.app.getByRole('table', { name: 'Landed cost by line', exact: true })
      // without charges, an order in another currency has the cost in that of the shop: 30 x 0.139
      await table.getByRole('row').nth(1).getByText('4.17').first().waitFor()
      await page.app.getByText(/No charges yet/).waitFor()
      await addCharge('Freight', '400', 'By weight', 0)
      await addCharge('Duty', '33.33', 'By value', 2)
      for (const [at, cost] of ['6.0478', '4.979', '8.7645'].entries())
        await table
          .getByRole('row')
          .nth(at + 1)
          .getByText(cost)
          .waitFor()
      await page.app.getByText(/All goods and charges: \D*941\.38/).waitFor()

      const receive = (quantityReceived: number) =>
        send('POST', `/purchase-orders/${yuan.id}/receive`, {
          lineItems: [{ lineItemId: lineId, quantityReceived }],
        })
      await receive(60)
      const product = await open(`/variants/${first?.replace(/.*\//, '')}`)
      const changes = product.app.getByRole('table', { name: 'Changes of the cost', exact: true })
      await changes.getByText('5.8981').first().waitFor()
      await setStock(5)
      await receive(40)
      await page.page.reload()
      await addCharge('Freight', '50', 'By pieces', 1)
      await product.page.reload()
      await changes.getByText('6.0312').first().waitFor()
      await changes.getByText('6.5312').first().waitFor()
      await page.app.getByText(/27\.50 became known after the pieces had left/).waitFor()
      // 30 and 20 of it are of the two receipts, and 45 of 100 pieces are left: 30 x 55 / 100, and 20 x 55 / 100
      for (const variance of [/US\$16\.50$/, /US\$11\.00$/])
        await changes.getByRole('cell', { name: variance }).waitFor()
      // the late freight is of the newest receipt, too: 6.0478 + 50 / 100
      t.match(await get(`/variants/${first?.replace(/.*\//, '')}/costs`), { onHand: 45, lastCost: 6.5478 })
    },
  )

  await t.test('a charge in the currency of its order shows and follows the rate of the order', async (t) => {
    const variantId = variantIds[0] ?? ''
    const { productId } = await get<{ productId: string }>(`/variants/${variantId.replace(/.*\//, '')}`)
    const yuan = await send<{ id: number }>('POST', '/purchase-orders', {
      ...{ supplierId, currency: 'CNY', rate: 0.139 },
      lineItems: [{ productId, variantId, quantity: 10, costPrice: 100 }],
    })
    const { page, app } = await open(`/purchase-orders/${yuan.id}`)
    const dialog = app.getByRole('dialog')
    const row = app.getByRole('table', { name: 'Charges', exact: true }).getByRole('row').nth(1)
    const save = async () => {
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'hidden' })
    }
    await app.getByRole('button', { name: 'Add a charge' }).click()
    await dialog.getByLabel('Amount').fill('400')
    await dialog.getByLabel('Currency').fill('cny')
    await dialog.getByText('Leave empty for the rate of the order, 0.139').waitFor()
    await dialog.getByLabel('Currency').fill('eur')
    await dialog.getByText('Leave empty for the last rate, 1.1').waitFor()
    await dialog.getByLabel('Currency').fill('cny')
    await save()
    await row.getByText('0.139').waitFor()
    await row.getByText('of the order').waitFor()

    // 10 x 100 x 0.145 and 400 x 0.145
    await send('PUT', `/purchase-orders/${yuan.id}`, { rate: 0.145 })
    await page.reload()
    await row.getByText('0.145').waitFor()
    await app.getByText(/All goods and charges: \D*203\.00/).waitFor()
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      const fits = async () =>
        Number(await page.frames()[1]?.evaluate('document.documentElement.scrollWidth')) <= width
      await expectSoon(t, fits, true, `it does not scroll sideways at ${width} px`)
    }

    await app.getByRole('button', { name: 'Edit Freight' }).click()
    await dialog.getByLabel('1 CNY in USD').fill('0.2')
    await save()
    await row.getByText('0.2', { exact: true }).waitFor()
    await row.getByText('of the order').waitFor({ state: 'hidden' })
    await app.getByRole('button', { name: 'Edit Freight' }).click()
    await dialog.getByLabel('1 CNY in USD').fill('')
    await save()
    await row.getByText('of the order').waitFor()
    const { charges: stored } = await get<PurchaseOrder>(`/purchase-orders/${yuan.id}`)
    t.match(stored, [{ rate: 0.145, isRateTyped: false }])
  })
})
